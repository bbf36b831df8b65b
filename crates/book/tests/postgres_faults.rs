//! A shared book whose server has trouble: clear errors, nothing half counted, and the book works again when
//! the server does.

#![cfg(unix)]

mod suite;

use std::io::{Seek, SeekFrom, Write};
use suite::server::{Room, Server};
use tabia_book::import::{ImportOptions, ImportReport};
use tabia_book::stores::open::{open_reader, open_store};
use tabia_book::{Book, QueryOptions, Row, Store, verify_bytes};
use tabia_core::Game;
use tabia_draughts::Draughts;

fn message<T>(result: tabia_book::Result<T>) -> String {
    result.err().expect("an error").to_string()
}

/// Imports seeded games.
fn import(store: &dyn Store, seed: u64, games: u64) -> tabia_book::Result<ImportReport> {
    let rules = Draughts::default();
    let games = suite::random_games(&rules, seed, games, 60);
    suite::import_games(store, &rules, &games, &ImportOptions { threads: 2, ..ImportOptions::default() })
}

fn count(store: &dyn Store) -> u64 {
    store.info().expect("info").games
}

fn is_sound(url: &str) -> bool {
    verify_bytes(&mut *open_store(url).expect("a book")).expect("a report").is_sound()
}

#[test]
fn a_full_disk_of_the_server_is_told_and_harms_nothing() {
    let Some(server) = Server::start("a_full_disk_of_the_server_is_told_and_harms_nothing") else { return };
    let url = server.database("book");
    import(&*open_store(&url).expect("a book"), 1, 20).expect("an import");
    server.stop();
    server.start_up(Room::Megabytes(2));
    let store = open_store(&url).expect("a book");
    let error = message(import(&*store, 2, 4000));
    assert!(error.contains("127.0.0.1") && error.contains("too large"), "{error}");
    // Nothing of it was counted, and what was counted before can be read.
    assert_eq!(count(&*store), 20);
    server.stop();
    server.start_up(Room::Plenty);
    let store = open_store(&url).expect("a book");
    assert!(is_sound(&url));
    assert_eq!(import(&*store, 2, 4000).expect("an import").games, 4000);
    assert_eq!(count(&*store), 4020);
    assert!(is_sound(&url));
}

#[test]
fn a_server_that_only_reads_answers_and_refuses_to_count() {
    let Some(server) = Server::start("a_server_that_only_reads_answers_and_refuses_to_count") else { return };
    let url = server.database("book");
    import(&*open_store(&url).expect("a book"), 1, 20).expect("an import");
    let empty = server.database("empty");
    server.set("default_transaction_read_only = on");
    let rules = Draughts::default();
    let reader = open_reader(&url).expect("a book");
    let answer =
        Book::new(&rules, &*reader).and_then(|book| book.query(&rules.start(), QueryOptions::default()));
    assert_eq!(answer.expect("an answer").totals.total(), 20);
    let store = open_store(&url).expect("a book");
    let error = message(import(&*store, 2, 20));
    assert!(error.contains("127.0.0.1") && error.contains("read-only"), "{error}");
    let error = message(open_store(&empty));
    assert!(error.contains("/empty") && error.contains("read-only"), "{error}");
    server.set("default_transaction_read_only = off");
    assert_eq!(import(&*open_store(&url).expect("a book"), 2, 20).expect("an import").games, 20);
}

#[test]
fn a_server_that_goes_away_is_told_and_found_again() {
    let Some(server) = Server::start("a_server_that_goes_away_is_told_and_found_again") else { return };
    let url = server.database("book");
    let store = open_store(&url).expect("a book");
    import(&*store, 1, 20).expect("an import");
    server.stop();
    assert!(message(import(&*store, 2, 20)).contains("127.0.0.1"));
    let error = message(open_store(&url));
    assert!(error.contains("127.0.0.1") && error.contains("refused"), "{error}");
    server.start_up(Room::Plenty);
    assert_eq!(import(&*open_store(&url).expect("a book"), 2, 20).expect("an import").games, 20);
    assert!(is_sound(&url));
}

/// A book, one part of whose file was damaged while the server was down, and the rows it should have.
fn damaged(
    server: &Server,
    name: &str,
    damage: impl Fn(&mut std::fs::File),
) -> (Box<dyn Store>, Vec<(Vec<u8>, Row)>) {
    let url = server.database(name);
    import(&*open_store(&url).expect("a book"), 1, 400).expect("an import");
    let rows = suite::rows(&*open_store(&url).expect("a book"));
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("a connection");
    let path = client.query_one("SELECT pg_relation_filepath('tabia_line_3')", &[]).expect("a path");
    let path: String = path.get(0);
    drop(client);
    server.stop();
    let file = std::fs::OpenOptions::new().write(true).open(server.data().join(path));
    damage(&mut file.expect("the file of a table"));
    server.start_up(Room::Plenty);
    (open_store(&url).expect("a book"), rows)
}

#[test]
fn damaged_files_of_the_server_are_told() {
    let Some(server) = Server::start("damaged_files_of_the_server_are_told") else { return };
    // The server itself does not always miss the end of a file; the sums of the book do.
    let (mut store, _) = damaged(&server, "truncated", |file| {
        let length = file.metadata().expect("its length").len();
        file.set_len(length / 2 / 8192 * 8192).expect("cut");
    });
    assert!(!verify_bytes(&mut *store).is_ok_and(|report| report.is_sound()));

    let (mut store, right) = damaged(&server, "garbage", |file| {
        file.seek(SeekFrom::Start(8192 + 4000)).expect("a place");
        file.write_all(&[0xA5; 512]).expect("written");
    });
    assert!(!verify_bytes(&mut *store).is_ok_and(|report| report.is_sound()));
    let mut told = 0;
    for (key, row) in &right {
        match store.rows(std::slice::from_ref(key)) {
            Ok(found) => assert_eq!(found[0].as_ref(), Some(row)),
            Err(error) => {
                assert!(error.to_string().contains("127.0.0.1"), "{error}");
                told += 1;
            }
        }
    }
    assert!(told > 0, "no look-up has met the damage");
}
