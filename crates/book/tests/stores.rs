//! The same suite on every store.

mod suite;

use suite::server::Server;
use tabia_book::import::{ImportOptions, record};
use tabia_book::stores::open::open_store;
use tabia_draughts::Draughts;

#[test]
fn redb_keeps_a_book() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a folder that is not there yet/book.redb");
    let path = path.to_str().expect("a plain name");
    suite::run(&|| open_store(path).expect("a book"));
}

#[test]
fn commits_of_any_size_give_the_same_book() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rules = Draughts::default();
    let games = suite::random_games(&rules, 7, 160, 60);
    let book =
        |name: &str| open_store(folder.path().join(name).to_str().expect("a plain name")).expect("a book");
    let (at_once, one_by_one) = (book("large.redb"), book("small.redb"));
    suite::import_games(&*at_once, &rules, &games, &ImportOptions::default()).expect("an import");
    // The first commits write the table anew; later ones change, divide and append blocks.
    for game in &games {
        assert!(record(&*one_by_one, game).expect("recorded"));
    }
    assert!(suite::rows(&*at_once) == suite::rows(&*one_by_one));
    assert_eq!(at_once.info().expect("info").rows, suite::rows(&*at_once).len() as u64);
    assert_eq!(one_by_one.info().expect("info").rows, suite::rows(&*at_once).len() as u64);
    let absent = vec![at_once.variants().expect("variants")[0].number, 0xFF, 0xFF];
    assert_eq!(at_once.rows(&[absent]).expect("an answer"), [None]);
}

#[test]
fn postgres_keeps_a_book() {
    let Some(server) = Server::start("postgres_keeps_a_book") else { return };
    let url = server.database("book");
    suite::run(&|| open_store(&url).expect("a book"));
    server.crash_and_restart();
    suite::the_book_is_sound(&|| open_store(&url).expect("a book"));
}
