//! Book: statistics of played games, counted once however often they are told.

use tabia::book::{QueryOptions, open_store};
use tabia::prelude::*;

const GAMES: [&str; 2] = [
    r#"{"id": "first", "moves": ["11-15", "23-19", "8-11"], "winner": 0}"#,
    r#"{"id": "second", "moves": ["11-15", "22-18", "15x22"], "winner": "draw"}"#,
];

pub(crate) fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_store(&folder.path().join("book.redb").to_string_lossy()).expect("a new book");
    let registry = Registry::standard();
    let draughts = registry.find("draughts").expect("draughts");
    let book = draughts.book().expect("every game has books");
    for game in GAMES.iter().chain(&GAMES) {
        let recorded = book.record(&*store, game).unwrap_or_else(|error| panic!("{error}"));
        println!("{} plies, counted: {}", recorded.plies, recorded.counted);
    }
    let start = draughts.start();
    let asked = start.book().expect("statistics").query(store.as_reader(), QueryOptions::default());
    let view = asked.unwrap_or_else(|error| panic!("{error}"));
    for mv in &view.moves {
        println!("{}: {} games, {:.0} % for the player to move", mv.text, mv.counts.total, 100.0 * mv.score);
    }
    assert_eq!(view.counts.total.0, 2);
}
