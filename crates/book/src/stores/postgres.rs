//! The shared store: a PostgreSQL database, for books that many machines fill and read.
//!
//! The schema is in the folder `postgres`, applied as migrations under a lock. How commits are made is
//! in `pg_write.rs`.

use super::citus::is_distributed;
use super::pg_scan::{Entry, Lines};
use super::pg_write::Writers;
use crate::store::{Commit, Ledger, Reader, RowVisitor, Store, StoreInfo, Variant, fitting};
use crate::{Counts, Error, Fingerprint, GameId, Result, Row};
use ::postgres::{Client, Config, NoTls};
use std::sync::{Mutex, MutexGuard, PoisonError};

const MIGRATIONS: [&str; 2] = [include_str!("postgres/1.sql"), include_str!("postgres/2.sql")];

/// The schema this version writes, and the newest it reads.
const SCHEMA: u32 = MIGRATIONS.len() as u32;

/// Any number; two migrations at once must use the same.
const LOCK: i64 = 0x7461_6269;

/// An entry of an index takes at most a third of the server's pages of 8 KiB.
const LONGEST_KEY: usize = 2 << 10;

/// Lines of one move, one for each slot of writers.
pub(super) const SLOTS: i64 = 16;

/// A book in a PostgreSQL database.
pub struct PostgresStore {
    pub(super) place: String,
    /// Reading does not wait for a commit in progress.
    reading: Mutex<Client>,
    writers: Writers,
}

impl PostgresStore {
    /// Opens a book by its address, `postgres://user@host:port/database`; the tables are created
    /// where there are none and `create` is set.
    pub fn open(url: &str, create: bool) -> Result<Self> {
        let config: Config =
            url.parse().map_err(|e| Error::database("the address of the book", describe(&e)))?;
        let place = place(&config);
        let connected = config.connect(NoTls).map_err(|e| Error::database(&place, describe(&e)));
        let mut reading = connected?;
        migrate(&mut reading, &place, create)?;
        Ok(PostgresStore { place, reading: Mutex::new(reading), writers: Writers::new(config) })
    }

    // By value, as `map_err` has it.
    #[allow(clippy::needless_pass_by_value)]
    pub(super) fn error(&self, error: ::postgres::Error) -> Error {
        use ::postgres::error::SqlState;
        let (place, reason) = (self.place.clone(), describe(&error));
        match error.code() {
            Some(&SqlState::T_R_DEADLOCK_DETECTED | &SqlState::T_R_SERIALIZATION_FAILURE) => {
                Error::TryAgain { place, reason }
            }
            _ => Error::Database { place, reason },
        }
    }

    pub(super) fn reading(&self) -> MutexGuard<'_, Client> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts a position's row together from its lines, which come ascending.
#[derive(Default)]
struct Assembly {
    surplus: [i64; 3],
    row: Row,
}

impl Assembly {
    fn add(&mut self, line: i64, counts: [i64; 3]) {
        if line < 0 {
            for (sum, more) in self.surplus.iter_mut().zip(counts) {
                *sum = sum.saturating_add(more);
            }
            return;
        }
        let number = (line / SLOTS).cast_unsigned();
        let [wins0, wins1, draws] = counts.map(i64::cast_unsigned);
        let counts = Counts { wins0, wins1, draws };
        match self.row.moves.last_mut() {
            Some((last, sum)) if *last == number => *sum += counts,
            _ => self.row.moves.push((number, counts)),
        }
    }

    fn finish(&mut self) -> &Row {
        let played = self.row.played();
        let sum = |n: u64, more: i64| n.saturating_add_signed(more);
        let [wins0, wins1, draws] = self.surplus;
        self.row.totals = Counts {
            wins0: sum(played.wins0, wins0),
            wins1: sum(played.wins1, wins1),
            draws: sum(played.draws, draws),
        };
        &self.row
    }
}

impl Reader for PostgresStore {
    fn info(&self) -> Result<StoreInfo> {
        const FACTS: &str = "SELECT (SELECT count(*) FROM tabia_game),
            (SELECT count(*) FROM (SELECT DISTINCT key FROM tabia_line) AS keys),
            pg_total_relation_size('tabia_game') + (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint
                FROM pg_inherits WHERE inhparent = 'tabia_line'::regclass)";
        const DISTRIBUTED: &str = "SELECT (SELECT count(*) FROM tabia_game),
            (SELECT count(*) FROM (SELECT DISTINCT key FROM tabia_line) AS keys),
            pg_total_relation_size('tabia_game') + citus_total_relation_size('tabia_line')::bigint";
        let mut client = self.reading();
        let facts = if is_distributed(&mut client).map_err(|e| self.error(e))? { DISTRIBUTED } else { FACTS };
        let row = client.query_one(facts, &[]).map_err(|e| self.error(e))?;
        let number = |at| row.get::<_, i64>(at).cast_unsigned();
        let (games, rows, bytes) = (number(0), number(1), number(2));
        Ok(StoreInfo { kind: "postgres", place: self.place.clone(), format: SCHEMA, games, rows, bytes })
    }

    fn variants(&self) -> Result<Vec<Variant>> {
        const LIST: &str = "SELECT number, name, fingerprint, wins0, wins1, draws, met, played
            FROM tabia_variant ORDER BY number";
        let rows = self.reading().query(LIST, &[]).map_err(|e| self.error(e))?;
        let variant = |row: ::postgres::Row| {
            let number = |at| row.get::<_, i64>(at).cast_unsigned();
            let games = Counts { wins0: number(3), wins1: number(4), draws: number(5) };
            let ledger = Ledger { games, met: number(6), played: number(7) };
            let index = row.get::<_, i16>(0) as u8;
            Variant {
                number: index,
                name: row.get(1),
                fingerprint: Fingerprint::from_bytes(row.get(2)),
                ledger,
            }
        };
        Ok(rows.into_iter().map(variant).collect())
    }

    fn rows(&self, keys: &[Vec<u8>]) -> Result<Vec<Option<Row>>> {
        const FIND: &str = "SELECT key, line, wins0, wins1, draws FROM tabia_line WHERE key = ANY($1)
            ORDER BY key, line";
        let lines = self.reading().query(FIND, &[&keys]).map_err(|e| self.error(e))?;
        let mut found: rustc_hash::FxHashMap<Vec<u8>, Assembly> = rustc_hash::FxHashMap::default();
        for line in lines {
            let counts = [line.get(2), line.get(3), line.get(4)];
            found.entry(line.get(0)).or_default().add(line.get(1), counts);
        }
        Ok(keys.iter().map(|key| found.get_mut(key).map(|a| a.finish().clone())).collect())
    }

    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        let mut lines = Lines::new(self, variant)?;
        let mut current: Option<(Vec<u8>, Assembly)> = None;
        while let Some(Entry { key, line, counts }) = lines.next()? {
            if current.as_ref().is_none_or(|(known, _)| *known != key)
                && let Some((key, mut assembly)) = current.replace((key, Assembly::default()))
                && visit(&key, assembly.finish()).is_break()
            {
                return Ok(());
            }
            if let Some((_, assembly)) = &mut current {
                assembly.add(line, counts);
            }
        }
        if let Some((key, mut assembly)) = current {
            let _ = visit(&key, assembly.finish());
        }
        Ok(())
    }

    fn known(&self, ids: &[GameId]) -> Result<Vec<bool>> {
        const FIND: &str = "SELECT id FROM tabia_game WHERE id = ANY($1)";
        let wanted: Vec<&[u8]> = ids.iter().map(|id| &id.0[..]).collect();
        let rows = self.reading().query(FIND, &[&wanted]).map_err(|e| self.error(e))?;
        let found: rustc_hash::FxHashSet<Vec<u8>> = rows.iter().map(|row| row.get(0)).collect();
        Ok(ids.iter().map(|id| found.contains(&id.0[..])).collect())
    }

    fn has_moments(&self) -> Result<bool> {
        Ok(!is_distributed(&mut self.reading()).map_err(|e| self.error(e))?)
    }

    fn at_one_moment(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        self.reading().batch_execute(BEGIN).map_err(|e| self.error(e))?;
        let done = work();
        let ended = self.reading().batch_execute("COMMIT").map_err(|e| self.error(e));
        done.and(ended)
    }
}

impl Store for PostgresStore {
    fn enter(&self, name: &str, ours: &Fingerprint, fits: &dyn Fn(&Fingerprint) -> bool) -> Result<Variant> {
        const INSERT: &str = "INSERT INTO tabia_variant (number, name, fingerprint)
            SELECT coalesce(max(number), 0) + 1, $1, $2 FROM tabia_variant ON CONFLICT (name) DO NOTHING";
        let find =
            || -> Result<Option<Variant>> { Ok(self.variants()?.into_iter().find(|v| v.name == name)) };
        if let Some(variant) = find()? {
            return fitting(variant, fits, self.place.clone());
        }
        let mut client = self.reading();
        let mut txn = client.transaction().map_err(|e| self.error(e))?;
        txn.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).map_err(|e| self.error(e))?;
        txn.execute(INSERT, &[&name, &ours.as_bytes()]).map_err(|e| self.error(e))?;
        txn.commit().map_err(|e| self.error(e))?;
        drop(client);
        let variant = find()?.ok_or_else(|| Error::database(&self.place, format!("no variant {name}")))?;
        fitting(variant, fits, self.place.clone())
    }

    fn commit(&self, mut commit: Commit<'_>) -> Result<()> {
        self.writers.with(self, |writer| self.write(writer, &mut commit))
    }

    fn longest_key(&self) -> usize {
        LONGEST_KEY
    }

    fn writers(&self) -> usize {
        Writers::MOST
    }

    fn as_reader(&self) -> &dyn Reader {
        self
    }
}

/// Brings the schema up to date; refuses a newer one.
fn migrate(client: &mut Client, place: &str, create: bool) -> Result<()> {
    let fail = |e: ::postgres::Error| Error::database(place, describe(&e));
    let mut txn = client.transaction().map_err(fail)?;
    txn.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).map_err(fail)?;
    let exists = "SELECT to_regclass('tabia_migration') IS NOT NULL";
    let exists: bool = txn.query_one(exists, &[]).map_err(fail)?.get(0);
    if !exists && !create {
        return Err(Error::Missing(place.to_owned()));
    }
    if !exists {
        let table =
            "CREATE TABLE tabia_migration (version integer PRIMARY KEY, applied timestamptz DEFAULT now())";
        txn.batch_execute(table).map_err(fail)?;
    }
    let version = "SELECT coalesce(max(version), 0) FROM tabia_migration";
    let found = txn.query_one(version, &[]).map_err(fail)?.get::<_, i32>(0).cast_unsigned();
    if found > SCHEMA {
        return Err(Error::Newer { place: place.to_owned(), found, known: SCHEMA });
    }
    for (version, sql) in (1i32..).zip(MIGRATIONS).skip(found as usize) {
        txn.batch_execute(sql).map_err(fail)?;
        txn.execute("INSERT INTO tabia_migration (version) VALUES ($1)", &[&version]).map_err(fail)?;
    }
    txn.commit().map_err(fail)
}

/// The address without the password.
fn place(config: &Config) -> String {
    use ::postgres::config::Host;
    let host = config.get_hosts().first().map_or_else(String::new, |host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    });
    let port = config.get_ports().first().map_or_else(String::new, |port| format!(":{port}"));
    format!("postgres://{host}{port}/{}", config.get_dbname().unwrap_or_default())
}

/// The error with what the server said; the crate keeps that in the source.
pub(super) fn describe(error: &::postgres::Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(db), _) => db.to_string(),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}
