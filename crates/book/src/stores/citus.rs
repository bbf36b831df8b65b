//! Books of many servers: setting up Citus, which spreads one table over them.
//!
//! Only `tabia_line` is distributed, by `key`. The ids of games stay on the coordinator, where one unique index decides
//! what is new: with ids spread as well, two imports at once have counted games twice.

use super::postgres::{PostgresStore, describe};
use crate::{Error, Result};
use ::postgres::{Client, Config, NoTls};

/// Parts of the table. Each commit needs a connection to each: 32 parts use up the hundred of a server quickly.
const SHARDS: i32 = 8;

/// The table as it is when nobody distributes it is partitioned, which Citus does not spread by hash.
const PLAIN: &str = "
    DROP VIEW IF EXISTS tabia_row;
    ALTER TABLE tabia_line RENAME TO tabia_line_before;
    CREATE TABLE tabia_line (
        key   bytea NOT NULL,
        line  bigint NOT NULL,
        wins0 bigint NOT NULL,
        wins1 bigint NOT NULL,
        draws bigint NOT NULL,
        PRIMARY KEY (key, line)
    );
    INSERT INTO tabia_line SELECT key, line, wins0, wins1, draws FROM tabia_line_before;
    DROP TABLE tabia_line_before;
    CREATE VIEW tabia_row AS
        SELECT key, line >> 4 AS move, sum(wins0) AS wins0, sum(wins1) AS wins1, sum(draws) AS draws
        FROM tabia_line WHERE line >= 0 GROUP BY key, line >> 4";

/// Sets a book up for Citus, with all that is in it; `false` when it was already.
pub fn citus_init(url: &str) -> Result<bool> {
    // The tables are there, and of this version.
    drop(PostgresStore::open(url, true)?);
    let config: Config = url.parse().map_err(|e| Error::database("the address of the book", describe(&e)))?;
    let place = config.get_dbname().unwrap_or_default().to_owned();
    let fail = |e: ::postgres::Error| Error::database(&place, describe(&e));
    let mut client = config.connect(NoTls).map_err(fail)?;
    if !has(&mut client, "to_regproc('create_distributed_table') IS NOT NULL").map_err(fail)? {
        client.batch_execute("CREATE EXTENSION citus").map_err(fail)?;
    }
    if is_distributed(&mut client).map_err(fail)? {
        return Ok(false);
    }
    let mut txn = client.transaction().map_err(fail)?;
    txn.batch_execute("LOCK TABLE tabia_line IN ACCESS EXCLUSIVE MODE").map_err(fail)?;
    txn.batch_execute(PLAIN).map_err(fail)?;
    let distribute = "SELECT create_distributed_table('tabia_line', 'key', shard_count => $1)";
    txn.execute(distribute, &[&SHARDS]).map_err(fail)?;
    // Additions may come in any order; without this, commits wait for each other.
    let commutative = "DO $$ BEGIN EXECUTE format(
        'ALTER DATABASE %I SET citus.all_modifications_commutative = on', current_database()); END $$";
    txn.batch_execute(commutative).map_err(fail)?;
    txn.commit().map_err(fail)?;
    Ok(true)
}

fn has(client: &mut Client, what: &str) -> std::result::Result<bool, ::postgres::Error> {
    Ok(client.query_one(&format!("SELECT {what}"), &[])?.get(0))
}

/// Whether Citus has the table.
pub(super) fn is_distributed(client: &mut Client) -> std::result::Result<bool, ::postgres::Error> {
    Ok(has(client, "to_regclass('pg_dist_partition') IS NOT NULL")?
        && has(
            client,
            "EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'tabia_line'::regclass)",
        )?)
}
