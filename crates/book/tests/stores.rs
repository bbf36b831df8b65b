//! The same suite on every store.

mod suite;

use std::collections::{BTreeMap, BTreeSet};
use suite::proxy;
use suite::server::Server;
use tabia_book::import::{ImportOptions, record};
use tabia_book::stores::open::open_store;
use tabia_book::{Counts, Row, verify_bytes};
use tabia_draughts::Draughts;

#[test]
fn redb_keeps_a_book() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a folder that is not there yet/book.redb");
    let path = path.to_str().expect("a plain name");
    suite::run(&|| open_store(path).expect("a book"));
}

#[test]
fn redb_keeps_tags() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("book.redb");
    let path = path.to_str().expect("a plain name");
    suite::kept_games_are_listed_and_counted(&|| open_store(path).expect("a book"));
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
fn many_rows_at_once_are_what_a_scan_shows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rules = Draughts::default();
    let store = open_store(folder.path().join("book.redb").to_str().expect("a plain name")).expect("a book");
    let games = suite::random_games(&rules, 8, 160, 60);
    suite::import_games(&*store, &rules, &games, &ImportOptions::default()).expect("an import");
    let rows: BTreeMap<Vec<u8>, Row> = suite::rows(&*store).into_iter().collect();
    // Between the keys that are there and above them, keys that are not.
    let keys = rows.keys().flat_map(|key| [key.clone(), [key, &[0][..]].concat()]);
    let keys: BTreeSet<Vec<u8>> = keys.chain([vec![0xFF; 9]]).collect();
    let mut keys: Vec<Vec<u8>> = keys.into_iter().collect();
    tabia_core::sort_many_by_key(&mut keys, |key| crc32fast::hash(key));
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    // At first blocks are looked for in the tree, then in the directory, and not all are in memory.
    for together in [37, 1, 3, 5, 16] {
        let mut found = BTreeMap::new();
        for keys in keys.chunks(together) {
            let visit =
                &mut |n: usize, row: &Row| assert!(found.insert(keys[n].to_vec(), row.clone()).is_none());
            store.visit_rows(keys, visit).expect("rows");
        }
        assert!(found == rows);
    }
}

#[test]
fn postgres_keeps_a_book() {
    let Some(server) = Server::start("postgres_keeps_a_book") else { return };
    let url = server.database("book");
    suite::run(&|| open_store(&url).expect("a book"));
    suite::kept_games_are_listed_and_counted(&|| open_store(&url).expect("a book"));
    server.crash_and_restart();
    suite::the_book_is_sound(&|| open_store(&url).expect("a book"));
}

#[test]
fn a_database_of_the_first_schema_is_brought_up_to_date() {
    let Some(server) = Server::start("a_database_of_the_first_schema_is_brought_up_to_date") else { return };
    let url = server.database("old");
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("a connection");
    client.batch_execute(include_str!("../src/stores/postgres/1.sql")).expect("the first schema");
    let fill = "CREATE TABLE tabia_migration (version integer PRIMARY KEY, applied timestamptz DEFAULT now());
        INSERT INTO tabia_migration (version) VALUES (1);
        INSERT INTO tabia_variant VALUES (1, 'a game', 'p', 2, 1, 0, 3, 2);
        INSERT INTO tabia_game VALUES ('a'), ('b'), ('c');
        INSERT INTO tabia_row VALUES ('\\x0107', -1, 1, 0, 0), ('\\x0107', 1, 1, 0, 0), ('\\x0107', 16, 0, 1, 0)";
    client.batch_execute(fill).expect("rows");
    let mut store = open_store(&url).expect("a book");
    let won = |wins0, wins1| Counts { wins0, wins1, draws: 0 };
    let row = Row { totals: won(2, 1), moves: vec![(1, won(1, 0)), (16, won(0, 1))] };
    assert_eq!(store.rows(&[vec![1, 7]]).expect("an answer"), [Some(row)]);
    assert!(verify_bytes(&mut *store).expect("a report").is_sound());
}

#[test]
fn a_check_sees_one_moment_of_a_shared_book() {
    let Some(server) = Server::start("a_check_sees_one_moment_of_a_shared_book") else { return };
    let url = server.database("book");
    let (checked, written) = (open_store(&url).expect("a book"), open_store(&url).expect("a book"));
    let games = suite::random_games(&Draughts::default(), 5, 2, 20);
    record(&*written, &games[0]).expect("recorded");
    let look = &mut || {
        let before = checked.info()?.games;
        record(&*written, &games[1])?;
        assert_eq!((before, checked.info()?.games), (1, 1));
        Ok(())
    };
    checked.at_one_moment(look).expect("an answer");
    assert_eq!(checked.info().expect("info").games, 2);
}

#[test]
fn writers_of_a_shared_book_add_up() {
    let Some(server) = Server::start("writers_of_a_shared_book_add_up") else { return };
    writers_add_up(&server.database("book"));
}

/// Servers that speak PostgreSQL's language but miscount the rows they insert.
#[test]
fn row_counts_of_the_server_are_not_trusted() {
    let Some(server) = Server::start("row_counts_of_the_server_are_not_trusted") else { return };
    let url = proxy::with_wrong_counts(&server.database("book"));
    suite::run(&|| open_store(&url).expect("a book"));
    writers_add_up(&proxy::with_wrong_counts(&server.database("shared")));
}

fn writers_add_up(url: &str) {
    drop(open_store(url).expect("a book"));
    let rules = Draughts::default();
    let games = suite::random_games(&rules, 9, 300, 60);
    // Three importers at once, each with all the games, in small batches.
    std::thread::scope(|scope| {
        let counted: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let options = ImportOptions { threads: 2, batch: 2000, ..ImportOptions::default() };
                    let store = open_store(url).expect("a book");
                    suite::import_games(&*store, &rules, &games, &options).expect("an import").games
                })
            })
            .collect();
        let counted: u64 = counted.into_iter().map(|thread| thread.join().expect("no panic")).sum();
        assert_eq!(counted, 300);
    });
    let mut store = open_store(url).expect("a book");
    assert!(verify_bytes(&mut *store).expect("a report").is_sound());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let alone = open_store(folder.path().join("b.redb").to_str().expect("a plain name")).expect("a book");
    suite::import_games(&*alone, &rules, &games, &ImportOptions::default()).expect("an import");
    assert!(suite::rows(&*store) == suite::rows(&*alone));
}
