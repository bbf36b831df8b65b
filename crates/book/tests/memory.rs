//! The suite of every store on the one that needs no database.

mod suite;

use tabia_book::stores::memory::MemoryStore;

#[test]
fn memory_keeps_a_book() {
    let store = MemoryStore::new();
    suite::run(&|| Box::new(store.clone()));
}

#[test]
fn memory_keeps_tags() {
    let store = MemoryStore::new();
    suite::kept_games_are_listed_and_counted(&|| Box::new(store.clone()));
}
