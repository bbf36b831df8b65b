//! Importers killed with signal 9 at seeded moments: nothing that was acknowledged is lost, nothing
//! counts twice, and the next start works.

#![cfg(unix)]

mod suite;

use std::path::Path;
use std::process::Child;
use std::time::Duration;
use suite::child;
use suite::server::Server;
use tabia_book::stores::open::open_store;
use tabia_book::{GameId, verify_bytes};
use tabia_core::SplitMix64;
use tabia_draughts::Draughts;

const MOMENTS: u64 = 20;

#[test]
#[ignore = "run by the other tests as a process of its own"]
fn child_process() {
    child::run_if_asked();
}

#[test]
fn redb_survives_kills() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    survives(folder.path().join("book.redb").to_str().expect("a plain name"), folder.path());
}

#[test]
fn postgres_survives_kills() {
    let Some(server) = Server::start("postgres_survives_kills") else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    survives(&server.database("book"), folder.path());
}

fn survives(book: &str, folder: &Path) {
    let runs = folder.join("runs");
    let start = |work: &str| -> Child {
        let mut command = child::command(&[], "child_process", work, book);
        command.env("TABIA_CHILD_RUNS", &runs).spawn().expect("a child")
    };
    let mut acknowledged: Vec<GameId> = Vec::new();
    for moment in 0..MOMENTS {
        let work = ["record", "import", "runs"][moment as usize % 3];
        let mut process = start(work);
        // Longer and longer, so that some die while opening and some have nearly finished.
        let most = 20_000 + 8_000 * moment;
        std::thread::sleep(Duration::from_micros(SplitMix64::new(moment).below(most)));
        process.kill().expect("killed");
        process.wait().expect("dead");
        for line in child::said(process) {
            assert!(!line.starts_with("error"), "moment {moment}: {line}");
            if work == "record" && line.contains('/') {
                acknowledged.push(GameId::given("draughts", &line));
            }
        }
        check(book, &acknowledged);
    }
    for work in ["runs", "import"] {
        let process = start(work);
        let lines = child::said(process);
        assert_eq!(lines.last().map(String::as_str), Some("done"), "{lines:?}");
    }
    check(book, &acknowledged);
    let games = child::games();
    assert_eq!(open_store(book).expect("a book").info().expect("info").games, games.len() as u64);
    same_rows(book, &games);
}

/// The book has exactly the rows of an import that nobody disturbed.
fn same_rows(book: &str, games: &[tabia_core::RecordedGame<Draughts>]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("clean.redb");
    let clean = open_store(path.to_str().expect("a plain name")).expect("a book");
    let options = tabia_book::import::ImportOptions::default();
    suite::import_games(&*clean, &Draughts::default(), games, &options).expect("an import");
    let (ours, theirs) = (suite::rows(&*open_store(book).expect("a book")), suite::rows(&*clean));
    assert!(ours == theirs, "{} rows, {} without kills", ours.len(), theirs.len());
}

fn check(book: &str, acknowledged: &[GameId]) {
    let mut store = open_store(book).expect("the next start works");
    let report = verify_bytes(&mut *store).expect("a report");
    assert!(report.is_sound(), "{:#?}", report.told);
    let known = store.known(acknowledged).expect("known");
    assert!(known.iter().all(|known| *known), "acknowledged games are lost");
}
