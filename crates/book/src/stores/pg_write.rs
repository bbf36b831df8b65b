//! Writing to the shared store: one transaction per commit.
//!
//! A commit copies its rows into a temporary table and adds them with one upsert, in the order of the
//! keys. The ids go first, in order, too: a game that another machine has counted meanwhile takes the
//! whole transaction back. Which ids were new the server says by name: not every server that speaks this
//! language counts rows right. Each connection that writes has a slot, if one is free, and lines of its own
//! in that slot: so commits run side by side. Two that share a slot wait for each other, never in a
//! circle.

use super::pg_copy::Copy;
use super::postgres::{PostgresStore, SLOTS, describe};
use crate::store::{Commit, Ledger};
use crate::{Error, GameId, Result, Row};
use ::postgres::{Client, Config, NoTls, Transaction};
use rustc_hash::FxHashSet;
use std::sync::{Mutex, PoisonError};

/// Copied in pieces of about this size.
const PIECE: usize = 1 << 20;

const STAGE: &str = "
    CREATE TEMP TABLE IF NOT EXISTS stage_game (id bytea) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE IF NOT EXISTS stage_line
        (key bytea, line bigint, wins0 bigint, wins1 bigint, draws bigint) ON COMMIT DELETE ROWS";

const UPSERT: &str = "
    INSERT INTO tabia_line AS l SELECT key, line, wins0, wins1, draws FROM stage_line
    ON CONFLICT (key, line) DO UPDATE SET
        wins0 = l.wins0 + excluded.wins0, wins1 = l.wins1 + excluded.wins1, draws = l.draws + excluded.draws";

/// The first of two numbers of an advisory lock; the second is the slot.
const SLOT_LOCK: i32 = 0x7461_6269;

/// A connection that writes.
pub(super) struct Writer {
    client: Client,
    slot: i64,
}

/// Connections that write, made when they are needed.
pub(super) struct Writers {
    config: Config,
    idle: Mutex<Vec<Writer>>,
}

impl Writers {
    /// Commits of one process that run at a time.
    pub(super) const MOST: usize = 2;

    pub(super) fn new(config: Config) -> Self {
        Writers { config, idle: Mutex::default() }
    }

    /// Does something with a connection of its own. One that failed is not used again.
    pub(super) fn with(
        &self,
        store: &PostgresStore,
        work: impl FnOnce(&mut Writer) -> Result<()>,
    ) -> Result<()> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut writer = match waiting {
            Some(writer) => writer,
            None => self.connect().map_err(|e| Error::database(&store.place, describe(&e)))?,
        };
        let done = work(&mut writer);
        if matches!(done, Ok(()) | Err(Error::AlreadyCounted(_))) {
            idle().push(writer);
        }
        done
    }

    /// Connects and takes the first slot that is free; without one it shares the first.
    fn connect(&self) -> Result<Writer, ::postgres::Error> {
        let mut client = self.config.connect(NoTls)?;
        let mut slot = 0;
        for wanted in 0..SLOTS {
            let taken =
                client.query_one("SELECT pg_try_advisory_lock($1, $2)", &[&SLOT_LOCK, &(wanted as i32)])?;
            if taken.get(0) {
                slot = wanted;
                break;
            }
        }
        Ok(Writer { client, slot })
    }
}

impl PostgresStore {
    /// Everything a commit does; an error takes all of it back.
    pub(super) fn write(&self, writer: &mut Writer, commit: &mut Commit<'_>) -> Result<()> {
        // Rolled back when dropped before its commit.
        let mut txn = writer.client.transaction().map_err(|e| self.error(e))?;
        txn.batch_execute(STAGE).map_err(|e| self.error(e))?;
        self.write_games(&mut txn, commit.ids)?;
        self.write_rows(&mut txn, commit, writer.slot)?;
        // Last, because all writers wait for each other here.
        self.write_ledger(&mut txn, commit.variant, commit.ledger)?;
        txn.commit().map_err(|e| self.error(e))
    }

    fn write_games(&self, txn: &mut Transaction<'_>, ids: &[GameId]) -> Result<()> {
        const INSERT: &str =
            "INSERT INTO tabia_game SELECT id FROM stage_game ON CONFLICT DO NOTHING RETURNING id";
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        let mut copy = Copy::new();
        for id in &ids {
            copy.row(1);
            copy.bytes(&id.0);
        }
        self.copy(txn, "COPY stage_game FROM STDIN BINARY", |send| send(copy.finish()))?;
        let rows = txn.query(INSERT, &[]).map_err(|e| self.error(e))?;
        let inserted: FxHashSet<&[u8]> = rows.iter().map(|row| row.get(0)).collect();
        ids.retain(|id| !inserted.contains(&id.0[..]));
        if ids.is_empty() { Ok(()) } else { Err(Error::AlreadyCounted(ids)) }
    }

    fn write_rows(&self, txn: &mut Transaction<'_>, commit: &mut Commit<'_>, slot: i64) -> Result<()> {
        self.copy(txn, "COPY stage_line FROM STDIN BINARY", |send| {
            let mut copy = Copy::new();
            while let Some((key, row)) = commit.rows.next()? {
                copy_row(&mut copy, key, row, slot);
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
            draws = draws + $4, met = met + $5, played = played + $6 WHERE number = $1 RETURNING number";
        let games = more.games;
        let [wins0, wins1, draws, met, played] =
            [games.wins0, games.wins1, games.draws, more.met, more.played].map(u64::cast_signed);
        let changed = txn
            .query_opt(UPDATE, &[&i16::from(variant), &wins0, &wins1, &draws, &met, &played])
            .map_err(|e| self.error(e))?;
        changed.map(drop).ok_or_else(|| Error::database(&self.place, format!("no variant {variant}")))
    }
}

/// The lines of one position: its moves, and the difference of the totals where there is one.
fn copy_row(copy: &mut Copy, key: &[u8], row: &Row, slot: i64) {
    let played = row.played();
    let less = |a: u64, b: u64| a.cast_signed().wrapping_sub(b.cast_signed());
    if row.totals != played {
        let (t, p) = (row.totals, played);
        copy_counts(
            copy,
            key,
            -1 - slot,
            [less(t.wins0, p.wins0), less(t.wins1, p.wins1), less(t.draws, p.draws)],
        );
    }
    for &(number, counts) in &row.moves {
        let counts = [counts.wins0, counts.wins1, counts.draws].map(u64::cast_signed);
        copy_counts(copy, key, number.cast_signed() * SLOTS + slot, counts);
    }
}

fn copy_counts(copy: &mut Copy, key: &[u8], line: i64, counts: [i64; 3]) {
    copy.row(5);
    copy.bytes(key);
    copy.number(line);
    for n in counts {
        copy.number(n);
    }
}
