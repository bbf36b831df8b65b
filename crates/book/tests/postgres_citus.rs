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
    CREATE TABLE pg_dist_shard (logicalrelid regclass, shardid bigint);
    CREATE TABLE pg_dist_shard_placement (shardid bigint, shardstate integer, nodename text, nodeport bigint);
    CREATE FUNCTION shard_name(name regclass, shardid bigint) RETURNS text LANGUAGE sql AS $$ SELECT name || '_' || shardid $$;
    CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, shard_count integer)
        RETURNS void LANGUAGE plpgsql AS $$ BEGIN
        ALTER TABLE tabia_line RENAME TO tabia_line_whole;
        CREATE TABLE tabia_line (LIKE tabia_line_whole) PARTITION BY HASH (key);
        ALTER TABLE tabia_line ADD PRIMARY KEY (key, line);
        INSERT INTO pg_dist_partition VALUES ('tabia_line', shard_count);
        FOR shard IN 102000 .. 102000 + shard_count - 1 LOOP
            EXECUTE format('CREATE TABLE tabia_line_%s PARTITION OF tabia_line FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                shard, shard_count, shard - 102000);
            INSERT INTO pg_dist_shard VALUES ('tabia_line', shard);
            INSERT INTO pg_dist_shard_placement VALUES (shard, 1, 'one', 5432), (shard, 1, 'two', 5432), (shard, 3, 'old', 5432);
        END LOOP;
        INSERT INTO tabia_line SELECT * FROM tabia_line_whole;
        DROP TABLE tabia_line_whole CASCADE;
    END $$;
    CREATE SEQUENCE asked;
    CREATE FUNCTION master_run_on_worker(worker_name text[], port integer[], command text[], parallel boolean,
        OUT node_name text, OUT node_port integer, OUT success boolean, OUT result text)
        RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('transaction_read_only') = 'off' THEN PERFORM nextval('asked'); END IF;
        node_name = worker_name[1];
        node_port = port[1];
        success = node_name = 'one' AND NOT parallel;
        EXECUTE command[1] INTO result;
        RETURN NEXT;
    EXCEPTION WHEN OTHERS THEN
        success = false;
        result = SQLERRM;
        RETURN NEXT;
    END $$;
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

/// What a command asked of other servers so far.
fn asked(client: &mut Client) -> i64 {
    client.query_one("SELECT last_value FROM asked", &[]).expect("a number").get(0)
}

#[test]
fn a_spread_book_is_read_shard_by_shard_in_the_order_of_its_keys() {
    let name = "a_spread_book_is_read_shard_by_shard_in_the_order_of_its_keys";
    let Some(server) = Server::start(name) else { return };
    let url = server.database("book");
    // Enough for several pages of each shard.
    import(&*open_store(&url).expect("a book"), 7, 1200).expect("an import");
    let (whole, exported) = (suite::rows(&*open_store(&url).expect("a book")), export(&url));
    let mut client = Client::connect(&url, NoTls).expect("a connection");
    client.batch_execute(LIKE_CITUS).expect("something like Citus");
    assert!(open_store(&url).expect("a book").has_moments().expect("an answer"));
    citus_init(&url).expect("set up");
    let store = open_store(&url).expect("a book");
    assert!(!store.has_moments().expect("an answer"));
    let before = asked(&mut client);
    assert!(suite::rows(&*store) == whole);
    // More than the first page of each shard, and the one that says that there is nothing more.
    assert!(asked(&mut client) - before > 2 * 8, "{before}, then {}", asked(&mut client));
    assert!(export(&url) == exported);
    assert!(is_sound(&url));
    let rules = Draughts::default();
    let verified = tabia_book::Book::new(&rules, store.as_reader()).expect("a book").verify();
    assert!(verified.expect("a report").is_sound());
    // A shard that cannot be read is named, with its server; it does not look empty.
    client.batch_execute("ALTER TABLE tabia_line DETACH PARTITION tabia_line_102003").expect("a change");
    client.batch_execute("ALTER TABLE tabia_line_102003 RENAME TO elsewhere").expect("a change");
    let verified = verify_bytes(&mut *open_store(&url).expect("a book")).expect("a report");
    let told = verified.told.join("\n");
    assert!(!verified.is_sound() && told.contains("tabia_line_102003 at one:5432: "), "{told}");
}

fn export(url: &str) -> Vec<u8> {
    let (rules, store, mut out) = (Draughts::default(), open_store(url).expect("a book"), Vec::new());
    let book = tabia_book::Book::new(&rules, store.as_reader()).expect("a book");
    book.export_csv(&mut out).expect("an export");
    out
}

/// The whole suite of stores on a Citus that somebody has: `xtask/citus.sh URL`.
#[test]
#[ignore = "needs a Citus: TABIA_CITUS is the address of an empty database there"]
fn a_real_citus_keeps_a_book() {
    let url = std::env::var("TABIA_CITUS").expect("TABIA_CITUS, the address of an empty database");
    citus_init(&url).expect("set up");
    suite::run(&|| open_store(&url).expect("a book"));
    // The rows shard by shard, as `verify` and `export` read them, against those of one query to all shards.
    let store = open_store(&url).expect("a book");
    assert!(!store.has_moments().expect("an answer"));
    let mut client = Client::connect(&url, NoTls).expect("a connection");
    let keys: Vec<Vec<u8>> = suite::rows(&*store).into_iter().map(|(key, _)| key).collect();
    let listed = client.query("SELECT DISTINCT key FROM tabia_line ORDER BY key", &[]).expect("all keys");
    let listed: Vec<Vec<u8>> = listed.iter().map(|row| row.get(0)).collect();
    let of_first = listed.iter().filter(|key| keys.first().is_some_and(|first| first[0] == key[0]));
    assert!(!keys.is_empty() && keys.iter().eq(of_first));
    suite::the_book_is_sound(&|| open_store(&url).expect("a book"));
}
