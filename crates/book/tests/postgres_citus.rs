//! What Citus does to a shared book, done to an ordinary server: transactions that are taken back, and a table that is
//! spread. `xtask/citus.sh URL` runs the tests of shared books against a real one.

#![cfg(unix)]

mod suite;

use postgres::{Client, NoTls};
use suite::server::Server;
use tabia_book::import::ImportOptions;
use tabia_book::stores::citus::citus_init;
use tabia_book::stores::open::open_store;
use tabia_book::{Store, verify_bytes};
use tabia_draughts::Draughts;

/// The first so many commits are taken back, as if others had been in the way.
const IN_THE_WAY: &str = "
    CREATE SEQUENCE tries;
    CREATE FUNCTION in_the_way() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') <= 3 THEN RAISE 'somebody was in the way' USING ERRCODE = TG_ARGV[0]; END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER in_the_way AFTER UPDATE ON tabia_variant FOR EACH ROW EXECUTE FUNCTION in_the_way";

/// What Citus adds to a server, as far as books use it.
const LIKE_CITUS: &str = "
    CREATE TABLE pg_dist_partition (logicalrelid regclass, shards integer);
    CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, shard_count integer)
        RETURNS void LANGUAGE sql AS $$ INSERT INTO pg_dist_partition VALUES (table_name, shard_count) $$;
    CREATE FUNCTION citus_total_relation_size(logicalrelid regclass) RETURNS bigint LANGUAGE sql AS 'SELECT 1000000000'";

fn import(store: &dyn Store, seed: u64, games: u64) -> tabia_book::Result<u64> {
    let rules = Draughts::default();
    let games = suite::random_games(&rules, seed, games, 60);
    let report = suite::import_games(store, &rules, &games, &ImportOptions::default())?;
    Ok(report.games)
}

fn is_sound(url: &str) -> bool {
    verify_bytes(&mut *open_store(url).expect("a book")).expect("a report").is_sound()
}

#[test]
fn a_commit_that_others_were_in_the_way_of_is_tried_again() {
    let Some(server) = Server::start("a_commit_that_others_were_in_the_way_of_is_tried_again") else {
        return;
    };
    for (name, code) in [("deadlock", "'40P01'"), ("serialisation", "'40001'")] {
        let url = server.database(name);
        let store = open_store(&url).expect("a book");
        let trigger = format!("{IN_THE_WAY}({code})");
        Client::connect(&url, NoTls)
            .and_then(|mut client| client.batch_execute(&trigger))
            .expect("a trigger");
        assert_eq!(import(&*store, 5, 30).expect("an import"), 30);
        assert_eq!(store.info().expect("info").games, 30);
        assert!(is_sound(&url));
    }
    // Anything else is told at once.
    let url = server.database("other");
    let store = open_store(&url).expect("a book");
    let trigger = format!("{IN_THE_WAY}('22000')");
    Client::connect(&url, NoTls).and_then(|mut client| client.batch_execute(&trigger)).expect("a trigger");
    let error = import(&*store, 5, 30).expect_err("an error").to_string();
    assert!(error.contains("somebody was in the way"), "{error}");
    assert_eq!(store.info().expect("info").games, 0);
}

#[test]
fn a_book_is_set_up_for_citus_with_all_that_is_in_it() {
    let Some(server) = Server::start("a_book_is_set_up_for_citus_with_all_that_is_in_it") else { return };
    let url = server.database("book");
    import(&*open_store(&url).expect("a book"), 6, 40).expect("an import");
    let error = citus_init(&url).expect_err("no Citus here").to_string();
    assert!(error.contains("citus"), "{error}");
    let mut client = Client::connect(&url, NoTls).expect("a connection");
    client.batch_execute(LIKE_CITUS).expect("something like Citus");
    assert!(citus_init(&url).expect("set up"));
    assert!(!citus_init(&url).expect("it was already"));
    let shards: i32 =
        client.query_one("SELECT shards FROM pg_dist_partition", &[]).expect("one table").get(0);
    assert_eq!(shards, 8);
    let store = open_store(&url).expect("a book");
    assert!(store.info().expect("info").bytes > 1_000_000_000, "Citus is asked for sizes");
    assert_eq!(import(&*store, 6, 60).expect("an import"), 20, "those of the first import are known");
    assert!(is_sound(&url));
}

/// The whole suite of stores on a Citus that somebody has: `xtask/citus.sh URL`.
#[test]
#[ignore = "needs a Citus: TABIA_CITUS is the address of an empty database there"]
fn a_real_citus_keeps_a_book() {
    let url = std::env::var("TABIA_CITUS").expect("TABIA_CITUS, the address of an empty database");
    citus_init(&url).expect("set up");
    suite::run(&|| open_store(&url).expect("a book"));
    suite::the_book_is_sound(&|| open_store(&url).expect("a book"));
}
