//! The same suite on every store.

mod suite;

use suite::server::Server;
use tabia_book::stores::open::open_store;

#[test]
fn redb_keeps_a_book() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a folder that is not there yet/book.redb");
    let path = path.to_str().expect("a plain name");
    suite::run(&|| open_store(path).expect("a book"));
}

#[test]
fn postgres_keeps_a_book() {
    let Some(server) = Server::start("postgres_keeps_a_book") else { return };
    let url = server.database("book");
    suite::run(&|| open_store(&url).expect("a book"));
    server.crash_and_restart();
    suite::the_book_is_sound(&|| open_store(&url).expect("a book"));
}
