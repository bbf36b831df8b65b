//! Books as Parquet files, read back by the library's own reader: every count arrives.

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use tabia_book::import::record;
use tabia_book::stores::memory::MemoryStore;
use tabia_book::{Book, Stoppable, Store, jsonl};
use tabia_core::Stop;
use tabia_tic_tac_toe::TicTacToe;

const GAMES: [&str; 2] = [
    r#"{"moves": ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"]}"#,
    r#"{"moves": ["b2", "b1", "a1", "c1", "c3"]}"#,
];

fn book() -> MemoryStore {
    let store = MemoryStore::new();
    for game in GAMES {
        assert!(record(&store, &jsonl::parse_game(&TicTacToe, game).unwrap()).unwrap());
    }
    store
}

#[test]
fn rows_and_counts_are_those_of_the_csv_export() {
    let store = book();
    let book = Book::new(&TicTacToe, store.as_reader()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.parquet");
    let exported = book.export_parquet(&mut std::fs::File::create(&path).unwrap()).unwrap();
    let mut csv = Vec::new();
    assert_eq!(book.export_csv(&mut csv).unwrap(), exported);
    let lines: Vec<String> = String::from_utf8(csv).unwrap().lines().skip(1).map(str::to_owned).collect();

    let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let rows: Vec<String> = file
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            let row = row.unwrap();
            let number = |column| row.get_long(column).unwrap().to_string();
            let mv = row.get_string(3).map_or("", String::as_str).to_owned();
            // Tic-tac-toe has no codes of moves.
            assert!(row.get_ulong(4).is_err());
            let position = row.get_string(0).unwrap().clone();
            [position, number(2), mv, String::new(), number(5), number(6), number(7), number(8)].join(",")
        })
        .collect();
    assert_eq!(rows, lines);
    assert!(rows.len() > 10);
}

#[test]
fn a_scan_that_is_stopped_gives_nothing() {
    let (store, stop) = (book(), Stop::new());
    let reader = Stoppable { reader: store.as_reader(), stop: &stop };
    let book = Book::new(&TicTacToe, &reader).unwrap();
    assert!(book.export_csv(&mut Vec::new()).is_ok());
    stop.stop();
    let stopped = book.export_parquet(&mut Vec::new()).unwrap_err();
    assert_eq!(stopped.to_string(), "stopped");
}
