//! The suite of every store on the one that needs no database.

mod suite;

use tabia_book::Reader as _;
use tabia_book::import::record;
use tabia_book::stores::kept::KeptStore;
use tabia_book::stores::memory::MemoryStore;
use tabia_tic_tac_toe::TicTacToe;

#[test]
fn memory_keeps_a_book() {
    let store = MemoryStore::new();
    suite::run(&|| Box::new(store.clone()));
}

#[test]
fn a_book_in_memory_is_kept_as_runs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    suite::run(&|| Box::new(KeptStore::open(folder.path()).expect("a book")));
    let runs = || std::fs::read_dir(folder.path()).expect("the folder").count();
    let before = KeptStore::open(folder.path()).expect("a book").info().expect("facts");
    assert!(before.games > 0 && before.bytes > 0);
    for game in suite::random_games(&TicTacToe, 77, 20, 9) {
        let store = KeptStore::open(folder.path()).expect("a book");
        assert!(record(&store, &game).expect("counted"));
        assert!(!record(&store, &game).expect("known"), "it is counted once");
    }
    let after = KeptStore::open(folder.path()).expect("a book").info().expect("facts");
    assert_eq!(after.games, before.games + 20);
    assert!(runs() < 40, "many runs become one");
}

#[test]
fn memory_keeps_tags() {
    let store = MemoryStore::new();
    suite::kept_games_are_listed_and_counted(&|| Box::new(store.clone()));
}
