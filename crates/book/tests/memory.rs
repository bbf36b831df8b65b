//! The suite of every store on the one that needs no database.

mod suite;

use tabia_book::import::{ImportOptions, record};
use tabia_book::stores::kept::KeptStore;
use tabia_book::stores::memory::MemoryStore;
use tabia_book::{Book, GameFilter, Keep, Reader as _, SELFPLAY};
use tabia_core::Game as _;
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

#[test]
fn games_of_people_are_listed_first() {
    let mut games = suite::random_games(&TicTacToe, 5, 40, 9);
    for (number, game) in games.iter_mut().enumerate() {
        let event = if number % 10 == 0 { "Hastings" } else { SELFPLAY };
        game.tags.push(("Event".to_owned(), event.to_owned()));
    }
    let keep = Keep { tags: vec!["Event".to_owned()], moves: false };
    let options = ImportOptions { keep, ..ImportOptions::default() };
    let store = MemoryStore::new();
    suite::import_games(&store, &TicTacToe, &games, &options).expect("imported");
    let book = Book::new(&TicTacToe, &store).expect("a book");
    let listed = |most| {
        let games = book.games(&TicTacToe.start(), &GameFilter::default(), most).expect("games");
        games.iter().map(|game| !game.is_selfplay()).collect::<Vec<_>>()
    };
    assert_eq!(listed(3), [true; 3]);
    assert_eq!(listed(6), [true, true, true, true, false, false]);
    assert_eq!(listed(100).len(), 40);
}

#[test]
fn a_book_kept_as_runs_keeps_games() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    suite::kept_games_are_listed_and_counted(&|| Box::new(KeptStore::open(folder.path()).expect("a book")));
}

/// Many runs become one with all their games; what a kill leaves behind is counted once; damage is refused.
#[test]
fn games_beside_runs_stay_with_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let keep = Keep { tags: vec!["GameId".to_owned()], moves: true };
    let options = ImportOptions { keep, ..ImportOptions::default() };
    for game in suite::random_games(&TicTacToe, 6, 17, 9) {
        let store = KeptStore::open(folder.path()).expect("a book");
        suite::import_games(&store, &TicTacToe, &[game], &options).expect("imported");
    }
    let files = || {
        let mut files: Vec<_> = std::fs::read_dir(folder.path()).expect("the folder").collect();
        files.sort_unstable_by_key(|file| file.as_ref().expect("a file").path());
        files.into_iter().map(|file| file.expect("a file").path()).collect::<Vec<_>>()
    };
    let (before, elsewhere) = (files(), tempfile::tempdir().expect("a temporary folder"));
    assert_eq!(before.len(), 34);
    for path in &before {
        std::fs::copy(path, elsewhere.path().join(path.file_name().expect("a name"))).expect("copied");
    }
    let listed = || {
        let store = KeptStore::open(folder.path()).expect("a book");
        let book = Book::new(&TicTacToe, &store).expect("a book");
        let games = book.games(&TicTacToe.start(), &GameFilter::default(), 100).expect("games");
        assert!(games.iter().all(|game| book.replay(game).expect("an answer").is_some()));
        (games, store.info().expect("facts").games)
    };
    let (games, counted) = listed();
    assert_eq!((games.len(), counted, files().len()), (17, 17, 2), "one run and its games");
    for path in &before[10..] {
        std::fs::copy(elsewhere.path().join(path.file_name().expect("a name")), path).expect("copied");
    }
    assert_eq!(listed(), (games.clone(), 17));
    assert_eq!(files().len(), 2, "what was left behind is gone");

    let kept =
        files().into_iter().find(|path| path.extension().is_some_and(|e| e == "games")).expect("games");
    let mut bytes = std::fs::read(&kept).expect("read");
    bytes[40] ^= 1;
    std::fs::write(&kept, bytes).expect("written");
    let refused = KeptStore::open(folder.path()).err().expect("refused");
    assert!(refused.to_string().contains(kept.to_str().expect("a plain name")), "{refused}");
}
