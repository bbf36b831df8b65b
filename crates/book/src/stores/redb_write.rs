//! Writing to the redb store: one transaction per commit.
//!
//! A commit that is large beside the book writes the whole table of rows anew, merged in the order of
//! the keys: full pages, one pass, no search. A small one changes the rows it names.

use super::redb::{GAMES, ROWS, RedbStore, VARIANTS, encode_variant};
use crate::store::{Commit, Increments, Ledger};
use crate::{Error, GameId, Result, Row};
use redb::{ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction};
use std::ops::Bound;

/// The table while it is written anew.
const NEW_ROWS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("new rows");

/// The table is written anew when it has at most this many times the positions of the commit: the
/// ratio at which both ways took the same time (`cargo bench -p tabia-book`).
const REWRITE: u64 = 4;

type Rows<'t> = Table<'t, &'static [u8], &'static [u8]>;

impl RedbStore {
    /// Everything a commit does; an error takes all of it back.
    pub(super) fn write(&self, commit: &mut Commit<'_>) -> Result<()> {
        let txn = self.begin_write()?;
        self.write_games(&txn, commit.ids)?;
        let rows = txn.open_table(ROWS).map_err(|e| self.error(e))?;
        if rows.len().map_err(|e| self.error(e))? <= REWRITE * commit.ledger.met {
            self.rewrite_rows(&txn, rows, commit.rows)?;
        } else {
            self.update_rows(rows, commit.rows)?;
        }
        self.write_ledger(&txn, commit.variant, commit.ledger)?;
        txn.commit().map_err(|e| self.error(e))
    }

    fn write_games(&self, txn: &WriteTransaction, ids: &[GameId]) -> Result<()> {
        let mut sorted = ids.to_vec();
        sorted.sort_unstable();
        let work = || -> Result<Vec<GameId>, redb::Error> {
            let mut games = txn.open_table(GAMES)?;
            let mut known = Vec::new();
            for id in sorted {
                if games.insert(&id.0, ())?.is_some() {
                    known.push(id);
                }
            }
            Ok(known)
        };
        let known = work().map_err(|e| self.error(e))?;
        if known.is_empty() { Ok(()) } else { Err(Error::AlreadyCounted(known)) }
    }

    fn update_rows(&self, mut table: Rows<'_>, more: &mut dyn Increments) -> Result<()> {
        let (mut sum, mut bytes) = (Row::default(), Vec::new());
        while let Some((key, row)) = more.next()? {
            bytes.clear();
            if let Some(old) = table.get(key).map_err(|e| self.error(e))? {
                self.add(key, old.value(), row, &mut sum, &mut bytes)?;
            } else {
                row.encode(&mut bytes);
            }
            table.insert(key, &bytes[..]).map_err(|e| self.error(e))?;
        }
        Ok(())
    }

    /// Encodes the sum of an old row and a new one.
    fn add(&self, key: &[u8], old: &[u8], more: &Row, sum: &mut Row, bytes: &mut Vec<u8>) -> Result<()> {
        sum.decode_into(old).ok_or_else(|| self.damaged_row(key))?;
        sum.add(more);
        sum.encode(bytes);
        Ok(())
    }

    fn rewrite_rows(&self, txn: &WriteTransaction, old: Rows<'_>, more: &mut dyn Increments) -> Result<()> {
        let mut new = txn.open_table(NEW_ROWS).map_err(|e| self.error(e))?;
        self.merge_rows(&old, &mut new, more)?;
        txn.delete_table(old).map_err(|e| self.error(e))?;
        txn.rename_table(new, ROWS).map_err(|e| self.error(e))
    }

    fn merge_rows(&self, old: &Rows<'_>, new: &mut Rows<'_>, more: &mut dyn Increments) -> Result<()> {
        let fail = |e| self.error(e);
        let mut cursor = new.upper_bound_mut(Bound::<&[u8]>::Unbounded).map_err(fail)?;
        let mut put = |key: &[u8], value: &[u8]| cursor.insert_before(key, value).map_err(|e| self.error(e));
        let mut olds = old.iter().map_err(fail)?;
        let mut ahead = olds.next().transpose().map_err(fail)?;
        let (mut sum, mut bytes) = (Row::default(), Vec::new());
        while let Some((key, row)) = more.next()? {
            while let Some((old, value)) = ahead.take_if(|(old, _)| old.value() < key) {
                put(old.value(), value.value())?;
                ahead = olds.next().transpose().map_err(fail)?;
            }
            bytes.clear();
            if let Some((_, value)) = ahead.take_if(|(old, _)| old.value() == key) {
                self.add(key, value.value(), row, &mut sum, &mut bytes)?;
                ahead = olds.next().transpose().map_err(fail)?;
            } else {
                row.encode(&mut bytes);
            }
            put(key, &bytes)?;
        }
        while let Some((old, value)) = ahead {
            put(old.value(), value.value())?;
            ahead = olds.next().transpose().map_err(fail)?;
        }
        cursor.close().map_err(fail)
    }

    fn write_ledger(&self, txn: &WriteTransaction, number: u8, more: Ledger) -> Result<()> {
        let mut table = txn.open_table(VARIANTS).map_err(|e| self.error(e))?;
        let mut variants = self.list_variants(&table)?.into_iter();
        let mut variant = variants
            .find(|v| v.number == number)
            .ok_or_else(|| Error::database(self.place(), format!("no variant {number}")))?;
        variant.ledger.add(more);
        let bytes = encode_variant(&variant);
        table.insert(variant.name.as_str(), &bytes[..]).map_err(|e| self.error(e))?;
        Ok(())
    }
}
