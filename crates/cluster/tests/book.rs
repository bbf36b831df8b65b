//! The same book, row by row, as an import on one machine.

mod common;

use common::{nobody, on_processes};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tabia_book::import::{BadGame, Event, ImportOptions, ImportReport, import as import_here};
use tabia_book::input::Source;
use tabia_book::stores::memory::MemoryStore;
use tabia_book::stores::runs::RunsStore;
use tabia_book::{Book, Reader, Row, Store, jsonl};
use tabia_chess::Chess;
use tabia_cluster::book::{BookImport, import};
use tabia_core::files::GameSink;
use tabia_core::{Notation, ReadGames, Stop};
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

/// Files are read in parts of so many bytes, or a few more.
fn by_many<G: ReadGames + Notation>(
    rules: &G,
    (processes, workers): (usize, usize),
    folder: &Path,
    sources: &[Source],
    part_bytes: u64,
) -> (Vec<ImportReport>, Vec<BadGame>) {
    let bad = Arc::new(Mutex::new(Vec::new()));
    let reports = on_processes(processes, workers, |cluster| {
        let told = Arc::clone(&bad);
        let job = BookImport {
            sources: sources.to_vec(),
            own_files: false,
            read: Arc::new(reading(rules)),
            distinct: false,
            bad: Arc::new(move |game| told.lock().unwrap().push(game.clone())),
            rows_at_once: 100_000,
            part_bytes,
        };
        import(cluster, rules, folder, job, &Stop::new(), &mut nobody()).unwrap()
    });
    let bad = std::mem::take(&mut *bad.lock().unwrap());
    (reports, sorted(bad))
}

fn reading<G: ReadGames + Notation>(
    rules: &G,
) -> impl Fn(&str, &mut dyn BufRead, &mut GameSink<'_, G>) -> std::io::Result<()> + Send + Sync + 'static {
    let rules = rules.clone();
    move |kind, input, sink| match kind {
        "jsonl" => jsonl::read_games(&rules, input, sink),
        _ => rules.read_games(kind, input, sink),
    }
}

fn sorted(mut bad: Vec<BadGame>) -> Vec<BadGame> {
    bad.sort_by(|a, b| (&a.file, a.number).cmp(&(&b.file, b.number)));
    bad
}

/// Imports files here and by many, twice.
fn compare<G: ReadGames + Notation>(
    rules: &G,
    sources: &[Source],
    shapes: &[(usize, usize)],
    part_bytes: u64,
) -> ImportReport {
    let (store, read) = (MemoryStore::new(), reading(rules));
    let options = ImportOptions::default();
    let bad = Mutex::new(Vec::new());
    let hear = |event: Event<'_>| {
        if let Event::Bad(game) = event {
            bad.lock().unwrap().push(game.clone());
        }
    };
    let wanted = import_here(rules, &store, sources, &read, &options, &hear, &Stop::new()).unwrap();
    let wanted_bad = sorted(bad.into_inner().unwrap());
    let wanted_rows = all_rows(store.as_reader());
    for &(processes, workers) in shapes {
        let folder = tempfile::tempdir().unwrap();
        let (reports, bad) = by_many(rules, (processes, workers), folder.path(), sources, part_bytes);
        assert_eq!(bad, wanted_bad, "{processes} x {workers}");
        for report in reports {
            let same = ImportReport { seconds: wanted.seconds, ..report };
            assert_eq!(same, wanted, "{processes} x {workers}");
        }
        let book = RunsStore::open(folder.path()).unwrap();
        assert!(all_rows(&book) == wanted_rows, "{processes} x {workers}");
        assert_eq!(book.variants().unwrap()[0].ledger, store.variants().unwrap()[0].ledger);
        // The same files again, by another number of workers, add nothing.
        let (again, _) = by_many(rules, (workers, processes), folder.path(), sources, part_bytes);
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
    let report = compare(&Draughts::default(), &sources, &[(1, 1), (2, 1), (3, 1), (1, 2)], u64::MAX);
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
    let sources = [Source { path, kind: "acf".to_owned() }];
    for part_bytes in [u64::MAX, 100_000] {
        let report = compare(&Draughts::default(), &sources, &[(1, 1), (2, 1), (4, 1)], part_bytes);
        assert_eq!((report.games, report.equal, report.bad), (9377, 346, 0));
    }
}

/// Draughts for chess, move by move: so that one file is hard to cut for both readers.
fn as_chess(text: &str) -> String {
    [("11-15", "e4"), ("23-19", "e5"), ("8-11", "Nf3"), ("22-17", "Nc6"), ("22-18", "d5"), ("15x22", "exd5")]
        .iter()
        .chain(&[("25x18", "Qxd5"), ("11-16", "d4"), ("9-13", "c4"), ("9-14", "b4"), ("10-14", "Na3")])
        .chain(&[("23-18", "c5"), ("8-12", "Nc3"), ("27-23", "a6"), ("12-16", "g3"), ("21-17", "g6")])
        .fold(text.to_owned(), |text, (draughts, chess)| text.replace(draughts, chess))
}

/// One file of all that is hard to cut: equal games, bad ones, games without moves, comments over several lines and
/// unclosed ones with what looks like the end of a game in them.
fn crowded() -> String {
    let mut text = String::new();
    for number in 0..60 {
        text.push_str(GAMES);
        text.push_str(match number % 6 {
            0 => "[Event \"e\"]\n\n[Event \"f\"]\n1. 9-13 {no\n[Result \"1-0\"]\n 1-0\n\n} 1-0\n\n",
            1 => "[Event \"e\"]\n{never closed 1-0\n\n",
            2 => "[Event \"f\"]\n[Result \"0-1\"]\n\n1. 9-13 (9-14 {never closed\n\n",
            3 => "\n1. 10-14 22-17 1-0\n; 1-0\n[Site \"here\"]\n% 1-0\n",
            4 => "[Event \"g\"]\n1. 11-15 23-18 2. 8-11 (8-12 27-23\n\n",
            _ => "[Event \"h\"]\n[GameId \"7\"]\n\n1. 12-16 21-17 1/2-1/2\n\n",
        });
    }
    text
}

/// The shapes in which one file is read: by one, two and four workers, and by more than there are large parts.
const SHAPES: [(usize, usize); 4] = [(1, 1), (2, 1), (1, 4), (2, 3)];

fn source(folder: &Path, name: &str, kind: &str, text: &str) -> Source {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    Source { path, kind: kind.to_owned() }
}

#[test]
fn a_large_file_is_read_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let pdn = source(folder.path(), "large.pdn", "pdn", &crowded());
    let pgn = source(folder.path(), "large.pgn", "pgn", &as_chess(&crowded()));
    let small = source(folder.path(), "small.pdn", "pdn", GAMES);
    for part_bytes in [1, 300, 5000] {
        let report = compare(&Draughts::default(), &[small.clone(), pdn.clone()], &SHAPES, part_bytes);
        assert_eq!((report.games, report.equal, report.bad), (191, 186, 91), "{report:?}");
        let report = compare(&Chess, std::slice::from_ref(&pgn), &SHAPES, part_bytes);
        assert!(report.games > 150 && report.equal > 150 && report.bad > 80, "{report:?}");
    }
}

#[test]
fn a_large_file_of_lines_is_read_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let acf = |number: usize| format!("{}-15 {}-18\t1-0\r\n\r\n", 10 + number % 3, 21 + number % 4);
    let acf = source(folder.path(), "games.acf", "acf", &(0..200).map(acf).collect::<String>());
    let json = |number: usize| match number % 5 {
        0 => "{\"moves\": [\"11-15\"], \"winner\": 9}\n".to_owned(),
        n => format!("{{\"moves\": [\"{}-15\"], \"winner\": 0}}\n", 8 + n),
    };
    let json = source(folder.path(), "games.jsonl", "jsonl", &(0..200).map(json).collect::<String>());
    for file in [acf, json] {
        let report = compare(&Draughts::default(), &[file], &SHAPES, 100);
        assert!(report.games > 30 && report.equal > 30 && report.bad > 30, "{report:?}");
    }
}

#[test]
fn an_import_that_was_killed_is_completed_or_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    std::fs::write(&path, GAMES).unwrap();
    let sources = [Source { path, kind: "pdn".to_owned() }];
    let (book, rules) = (folder.path().join("book"), Draughts::default());
    by_many(&rules, (2, 1), &book, &sources, 1);
    let rows = all_rows(&RunsStore::open(&book).unwrap());
    let runs: Vec<PathBuf> = std::fs::read_dir(&book).unwrap().map(|entry| entry.unwrap().path()).collect();
    let verified =
        Book::new(&Draughts::default(), &RunsStore::open(&book).unwrap()).unwrap().verify().unwrap();
    assert!(verified.is_sound(), "{verified:?}");
    // Killed after its mark, before the last name was given.
    std::fs::write(book.join("import-0000.commit"), "").unwrap();
    std::fs::rename(&runs[0], runs[0].with_extension("new")).unwrap();
    assert_eq!(by_many(&rules, (1, 1), &book, &sources, 1).0[0].games, 0);
    assert!(all_rows(&RunsStore::open(&book).unwrap()) == rows);
    // Killed before it.
    for run in &runs {
        std::fs::rename(run, run.with_extension("new")).unwrap();
    }
    assert_eq!(by_many(&rules, (2, 1), &book, &sources, 1).0[0].games, 3);
    assert!(all_rows(&RunsStore::open(&book).unwrap()) == rows);
}
