//! The same book, row by row, as an import on one machine.

mod common;

use common::{nobody, on_processes};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia_book::import::{ImportOptions, ImportReport, import as import_here};
use tabia_book::input::Source;
use tabia_book::stores::memory::MemoryStore;
use tabia_book::stores::runs::RunsStore;
use tabia_book::{Book, Reader, Row, Store};
use tabia_cluster::book::{BookImport, import};
use tabia_core::{ReadGames, Stop};
use tabia_draughts::Draughts;

/// Some games, twice over, with a fault among them.
const GAMES: &str = r#"[Event "a"]
[Result "1-0"]

1. 11-15 23-19 2. 8-11 22-17 1-0

[Event "a"]
[Result "1-0"]

1. 11-15 23-19 2. 8-11 22-17 1-0

[Event "b"]
[Result "1/2-1/2"]

1. 11-15 22-18 2. 15x22 25x18 1/2-1/2

[Event "c"]
[Result "0-1"]

1. 11-16 99-1 0-1

[Event "d"]
[Result "*"]

1. 9-13 *
"#;

fn all_rows(reader: &dyn Reader) -> BTreeMap<Vec<u8>, Row> {
    let mut rows = BTreeMap::new();
    for variant in reader.variants().unwrap() {
        let see = &mut |key: &[u8], row: &Row| {
            assert!(rows.insert(key.to_vec(), row.clone()).is_none());
            ControlFlow::Continue(())
        };
        reader.scan(variant.number, see).unwrap();
    }
    rows
}

fn by_many(processes: usize, workers: usize, folder: &Path, sources: &[Source]) -> Vec<ImportReport> {
    let rules = Draughts::default();
    on_processes(processes, workers, |cluster| {
        let job = BookImport {
            sources: sources.to_vec(),
            own_files: false,
            read: Arc::new(move |kind, input, sink| rules.read_games(kind, input, sink)),
            distinct: false,
            bad: Arc::new(|_| ()),
            rows_at_once: 100_000,
        };
        import(cluster, &rules, folder, job, &Stop::new(), &mut nobody()).unwrap()
    })
}

/// Imports files here and by many, twice.
fn compare(sources: &[Source], shapes: &[(usize, usize)]) -> ImportReport {
    let (rules, store) = (Draughts::default(), MemoryStore::new());
    let read = |kind: &str,
                input: &mut dyn std::io::BufRead,
                sink: &mut tabia_core::files::GameSink<'_, Draughts>| {
        rules.read_games(kind, input, sink)
    };
    let options = ImportOptions::default();
    let wanted = import_here(&rules, &store, sources, &read, &options, &|_| (), &Stop::new()).unwrap();
    let wanted_rows = all_rows(store.as_reader());
    for &(processes, workers) in shapes {
        let folder = tempfile::tempdir().unwrap();
        for report in by_many(processes, workers, folder.path(), sources) {
            let same = ImportReport { seconds: wanted.seconds, ..report };
            assert_eq!(same, wanted, "{processes} x {workers}");
        }
        let book = RunsStore::open(folder.path()).unwrap();
        assert!(all_rows(&book) == wanted_rows, "{processes} x {workers}");
        assert_eq!(book.variants().unwrap()[0].ledger, store.variants().unwrap()[0].ledger);
        // The same files again, by another number of workers, add nothing.
        let again = by_many(workers, processes, folder.path(), sources);
        assert!(again.iter().all(|report| report.games == 0 && report.known == wanted.games + wanted.known));
        assert!(all_rows(&RunsStore::open(folder.path()).unwrap()) == wanted_rows);
    }
    wanted
}

#[test]
fn games_count_once_whoever_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let source = |name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, GAMES).unwrap();
        Source { path, kind: "pdn".to_owned() }
    };
    let sources = [source("one.pdn"), source("two.pdn"), source("three.pdn")];
    let report = compare(&sources, &[(1, 1), (2, 1), (3, 1), (1, 2)]);
    assert_eq!((report.games, report.known, report.equal), (3, 6, 3));
    assert_eq!((report.bad, report.unfinished), (3, 3));
}

/// ACF's book of openings, if it is there (see data/README for where it comes from).
#[test]
fn the_book_of_the_acf_is_the_same_row_by_row() {
    let data = std::env::var_os("TABIA_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let path = data.join("draughts/ACF.txt");
    if !path.exists() {
        println!(
            "skipped: the_book_of_the_acf_is_the_same_row_by_row: draughts/ACF.txt is not among the data"
        );
        return;
    }
    let report = compare(&[Source { path, kind: "acf".to_owned() }], &[(2, 1), (4, 1)]);
    assert_eq!((report.games, report.equal, report.bad), (9377, 346, 0));
}

#[test]
fn an_import_that_was_killed_is_completed_or_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    std::fs::write(&path, GAMES).unwrap();
    let sources = [Source { path, kind: "pdn".to_owned() }];
    let book = folder.path().join("book");
    by_many(2, 1, &book, &sources);
    let rows = all_rows(&RunsStore::open(&book).unwrap());
    let runs: Vec<PathBuf> = std::fs::read_dir(&book).unwrap().map(|entry| entry.unwrap().path()).collect();
    let verified =
        Book::new(&Draughts::default(), &RunsStore::open(&book).unwrap()).unwrap().verify().unwrap();
    assert!(verified.is_sound(), "{verified:?}");
    // Killed after its mark, before the last name was given.
    std::fs::write(book.join("import-0000.commit"), "").unwrap();
    std::fs::rename(&runs[0], runs[0].with_extension("new")).unwrap();
    assert_eq!(by_many(1, 1, &book, &sources)[0].games, 0);
    assert!(all_rows(&RunsStore::open(&book).unwrap()) == rows);
    // Killed before it.
    for run in &runs {
        std::fs::rename(run, run.with_extension("new")).unwrap();
    }
    assert_eq!(by_many(2, 1, &book, &sources)[0].games, 3);
    assert!(all_rows(&RunsStore::open(&book).unwrap()) == rows);
}
