//! The shared store: a PostgreSQL database, for books that many machines fill and read.
//!
//! The schema is in `postgres.sql`, applied as a migration under a lock. A commit copies its rows
//! into a temporary table and adds them with one upsert, in the order of the keys, so that two
//! writers never wait for each other in a circle. The ids go first: a game that another machine has
//! counted meanwhile takes the whole transaction back.

use super::pg_copy::Copy;
use crate::store::{Commit, FORMAT, Ledger, Reader, RowVisitor, Store, StoreInfo, Variant, fitting};
use crate::{Counts, Error, Fingerprint, GameId, Result, Row};
use ::postgres::{Client, Config, NoTls, Transaction};
use std::sync::{Mutex, MutexGuard, PoisonError};

const MIGRATIONS: [&str; FORMAT as usize] = [include_str!("postgres.sql")];

/// Any number; two migrations at once must use the same.
const LOCK: i64 = 0x7461_6269;

/// Copied in pieces of about this size.
const PIECE: usize = 1 << 20;

const STAGE: &str = "
    CREATE TEMP TABLE IF NOT EXISTS stage_game (id bytea) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE IF NOT EXISTS stage_row
        (key bytea, move bigint, wins0 bigint, wins1 bigint, draws bigint) ON COMMIT DELETE ROWS";

const UPSERT: &str = "
    INSERT INTO tabia_row AS r SELECT key, move, wins0, wins1, draws FROM stage_row
    ON CONFLICT (key, move) DO UPDATE SET
        wins0 = r.wins0 + excluded.wins0, wins1 = r.wins1 + excluded.wins1, draws = r.draws + excluded.draws";

/// A book in a PostgreSQL database.
pub struct PostgresStore {
    place: String,
    /// Reading does not wait for a commit in progress.
    reading: Mutex<Client>,
    writing: Mutex<Client>,
}

impl PostgresStore {
    /// Opens a book by its address, `postgres://user@host:port/database`; the tables are created
    /// where there are none and `create` is set.
    pub fn open(url: &str, create: bool) -> Result<Self> {
        let config: Config =
            url.parse().map_err(|e| Error::database("the address of the book", describe(&e)))?;
        let place = place(&config);
        let connect = || config.connect(NoTls).map_err(|e| Error::database(&place, describe(&e)));
        let (reading, mut writing) = (connect()?, connect()?);
        migrate(&mut writing, &place, create)?;
        Ok(PostgresStore { place, reading: Mutex::new(reading), writing: Mutex::new(writing) })
    }

    // By value, as `map_err` has it.
    #[allow(clippy::needless_pass_by_value)]
    fn error(&self, error: ::postgres::Error) -> Error {
        Error::database(&self.place, describe(&error))
    }

    fn reading(&self) -> MutexGuard<'_, Client> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> MutexGuard<'_, Client> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lines after a (key, move), ascending.
    fn page(&self, from: &(Vec<u8>, i64), variant: u8) -> Result<Vec<::postgres::Row>> {
        const PAGE: &str = "SELECT key, move, wins0, wins1, draws FROM tabia_row
            WHERE (key, move) > ($1, $2) AND key < $3 ORDER BY key, move LIMIT 16384";
        let end = vec![variant.saturating_add(1)];
        self.reading().query(PAGE, &[&from.0, &from.1, &end]).map_err(|e| self.error(e))
    }

    fn write_games(&self, txn: &mut Transaction<'_>, ids: &[GameId]) -> Result<()> {
        const INSERT: &str = "INSERT INTO tabia_game SELECT id FROM stage_game ON CONFLICT DO NOTHING";
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        let mut copy = Copy::new();
        for id in &ids {
            copy.row(1);
            copy.bytes(&id.0);
        }
        self.copy(txn, "COPY stage_game FROM STDIN BINARY", |send| send(copy.finish()))?;
        let inserted = txn.execute(INSERT, &[]).map_err(|e| self.error(e))?;
        if inserted == ids.len() as u64 {
            return Ok(());
        }
        // All of them are there now; which were there before, a snapshot from outside tells.
        let known = self.known(&ids)?;
        Err(Error::AlreadyCounted(
            ids.into_iter().zip(known).filter_map(|(id, known)| known.then_some(id)).collect(),
        ))
    }

    fn write_rows(&self, txn: &mut Transaction<'_>, commit: &mut Commit<'_>) -> Result<()> {
        self.copy(txn, "COPY stage_row FROM STDIN BINARY", |send| {
            let mut copy = Copy::new();
            while let Some((key, row)) = commit.rows.next()? {
                copy_row(&mut copy, key, row);
                if copy.len() > PIECE {
                    send(copy.piece())?;
                }
            }
            send(copy.finish())
        })?;
        txn.execute(UPSERT, &[]).map_err(|e| self.error(e))?;
        Ok(())
    }

    /// Runs a COPY; `produce` gives its bytes piece by piece.
    fn copy(
        &self,
        txn: &mut Transaction<'_>,
        command: &str,
        produce: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        use std::io::Write;
        let mut writer = txn.copy_in(command).map_err(|e| self.error(e))?;
        produce(&mut |piece| writer.write_all(piece).map_err(|e| Error::database(&self.place, e)))?;
        writer.finish().map_err(|e| self.error(e))?;
        Ok(())
    }

    fn write_ledger(&self, txn: &mut Transaction<'_>, variant: u8, more: Ledger) -> Result<()> {
        const UPDATE: &str = "UPDATE tabia_variant SET wins0 = wins0 + $2, wins1 = wins1 + $3,
            draws = draws + $4, met = met + $5, played = played + $6 WHERE number = $1";
        let games = more.games;
        let [wins0, wins1, draws, met, played] =
            [games.wins0, games.wins1, games.draws, more.met, more.played].map(u64::cast_signed);
        let changed = txn
            .execute(UPDATE, &[&i16::from(variant), &wins0, &wins1, &draws, &met, &played])
            .map_err(|e| self.error(e))?;
        if changed == 1 { Ok(()) } else { Err(Error::database(&self.place, format!("no variant {variant}"))) }
    }
}

/// The rows of one position: its moves, and the difference of the totals where there is one.
fn copy_row(copy: &mut Copy, key: &[u8], row: &Row) {
    let played = row.played();
    let less = |a: u64, b: u64| a.cast_signed().wrapping_sub(b.cast_signed());
    if row.totals != played {
        let (t, p) = (row.totals, played);
        copy_counts(copy, key, -1, [less(t.wins0, p.wins0), less(t.wins1, p.wins1), less(t.draws, p.draws)]);
    }
    for &(number, counts) in &row.moves {
        let counts = [counts.wins0, counts.wins1, counts.draws].map(u64::cast_signed);
        copy_counts(copy, key, number.cast_signed(), counts);
    }
}

fn copy_counts(copy: &mut Copy, key: &[u8], number: i64, counts: [i64; 3]) {
    copy.row(5);
    copy.bytes(key);
    copy.number(number);
    for n in counts {
        copy.number(n);
    }
}

/// Puts a position's row together from its lines, which come ascending by move.
#[derive(Default)]
struct Assembly {
    surplus: [i64; 3],
    row: Row,
}

impl Assembly {
    fn add(&mut self, number: i64, counts: [i64; 3]) {
        if number < 0 {
            self.surplus = counts;
        } else {
            let [wins0, wins1, draws] = counts.map(i64::cast_unsigned);
            self.row.moves.push((number.cast_unsigned(), Counts { wins0, wins1, draws }));
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
            (SELECT count(*) FROM (SELECT DISTINCT key FROM tabia_row) AS keys),
            pg_total_relation_size('tabia_game') + (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint
                FROM pg_inherits WHERE inhparent = 'tabia_row'::regclass)";
        let row = self.reading().query_one(FACTS, &[]).map_err(|e| self.error(e))?;
        let number = |at| row.get::<_, i64>(at).cast_unsigned();
        let (games, rows, bytes) = (number(0), number(1), number(2));
        Ok(StoreInfo { kind: "postgres", place: self.place.clone(), format: FORMAT, games, rows, bytes })
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
        const FIND: &str = "SELECT key, move, wins0, wins1, draws FROM tabia_row WHERE key = ANY($1)
            ORDER BY key, move";
        let lines = self.reading().query(FIND, &[&keys]).map_err(|e| self.error(e))?;
        let mut found: rustc_hash::FxHashMap<Vec<u8>, Assembly> = rustc_hash::FxHashMap::default();
        for line in lines {
            let counts = [line.get(2), line.get(3), line.get(4)];
            found.entry(line.get(0)).or_default().add(line.get(1), counts);
        }
        Ok(keys.iter().map(|key| found.get_mut(key).map(|a| a.finish().clone())).collect())
    }

    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        let mut from = (vec![variant], i64::MIN);
        let mut current: Option<(Vec<u8>, Assembly)> = None;
        loop {
            // Page by page: the visitor may use the connection in between.
            let lines = self.page(&from, variant)?;
            for line in &lines {
                let key: &[u8] = line.get(0);
                if current.as_ref().is_none_or(|(k, _)| k != key)
                    && let Some((key, mut assembly)) = current.replace((key.to_vec(), Assembly::default()))
                    && visit(&key, assembly.finish()).is_break()
                {
                    return Ok(());
                }
                if let Some((_, assembly)) = &mut current {
                    assembly.add(line.get(1), [line.get(2), line.get(3), line.get(4)]);
                }
            }
            let Some(last) = lines.last() else { break };
            from = (last.get(0), last.get(1));
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
        let mut client = self.writing();
        let mut txn = client.transaction().map_err(|e| self.error(e))?;
        txn.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).map_err(|e| self.error(e))?;
        txn.execute(INSERT, &[&name, &ours.as_bytes()]).map_err(|e| self.error(e))?;
        txn.commit().map_err(|e| self.error(e))?;
        let variant = find()?.ok_or_else(|| Error::database(&self.place, format!("no variant {name}")))?;
        fitting(variant, fits, self.place.clone())
    }

    fn commit(&self, mut commit: Commit<'_>) -> Result<()> {
        let mut client = self.writing();
        // Rolled back when dropped before its commit.
        let mut txn = client.transaction().map_err(|e| self.error(e))?;
        txn.batch_execute(STAGE).map_err(|e| self.error(e))?;
        self.write_games(&mut txn, commit.ids)?;
        self.write_rows(&mut txn, &mut commit)?;
        self.write_ledger(&mut txn, commit.variant, commit.ledger)?;
        txn.commit().map_err(|e| self.error(e))
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
    if found > FORMAT {
        return Err(Error::Newer { place: place.to_owned(), found, known: FORMAT });
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
fn describe(error: &::postgres::Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(db), _) => db.to_string(),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}
