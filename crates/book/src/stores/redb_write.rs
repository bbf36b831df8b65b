//! Writing to the redb store: one transaction per commit.
//!
//! A commit that touches nearly every block of the book writes the whole table anew, merged in the
//! order of the keys: full pages, one pass, no search. A smaller one changes the blocks it names.

use super::redb::RedbStore;
use super::redb_file::{BLOCKS, GAMES, SIZES, VARIANTS, encode_variant};
use super::redb_merge::{Ahead, Stored};
use crate::block::{BlockCursor, BlockWriter};
use crate::store::{Commit, Increments, Ledger};
use crate::{Error, GameId, Result};
use redb::{ReadableTable, Table, TableDefinition, WriteTransaction};
use std::ops::Bound;
use std::sync::atomic::Ordering::Relaxed;

/// The table while it is written anew.
const NEW_BLOCKS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("new blocks");

/// A block is closed when it has grown to this: eight of them with their keys fill a page of 4 KiB, and
/// a search reads half of one, about 15 rows.
const BLOCK: usize = 450;

/// The table is written anew when it has at most this many times the positions of the commit: about
/// the rows of a block, so that hardly a block would stay as it is.
const REWRITE: u64 = 32;

type Blocks<'t> = Table<'t, &'static [u8], &'static [u8]>;

impl RedbStore {
    /// Everything a commit does; an error takes all of it back.
    pub(super) fn write(&self, commit: &mut Commit<'_>) -> Result<()> {
        let txn = self.begin_write()?;
        self.write_games(&txn, commit.ids)?;
        let mut sizes = txn.open_table(SIZES).map_err(|e| self.error(e))?;
        let rows = sizes.get("rows").map_err(|e| self.error(e))?.map_or(0, |rows| rows.value());
        let blocks = txn.open_table(BLOCKS).map_err(|e| self.error(e))?;
        let rewriting = rows <= REWRITE.saturating_mul(commit.ledger.met);
        let new = if rewriting {
            self.rewrite(&txn, blocks, commit.rows)?
        } else {
            self.update(blocks, commit.rows)?
        };
        sizes.insert("rows", rows + new).map_err(|e| self.error(e))?;
        drop(sizes);
        self.write_ledger(&txn, commit.variant, commit.ledger)?;
        txn.commit().map_err(|e| self.error(e))?;
        self.rewritten.fetch_or(rewriting, Relaxed);
        Ok(())
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

    /// Merges all blocks with the increments into a new table; returns the number of new rows.
    fn rewrite(&self, txn: &WriteTransaction, old: Blocks<'_>, more: &mut dyn Increments) -> Result<u64> {
        let mut new = txn.open_table(NEW_BLOCKS).map_err(|e| self.error(e))?;
        let mut cursor = new.upper_bound_mut(Bound::<&[u8]>::Unbounded).map_err(|e| self.error(e))?;
        let mut block = BlockWriter::default();
        let blocks = old.iter().map_err(|e| self.error(e))?.map(|entry| match entry {
            Ok((_, block)) => Ok(block.value().to_vec()),
            Err(error) => Err(self.error(error)),
        });
        let mut put = |key: &[u8], value: &[u8]| {
            block.push(key, value);
            if block.bytes().len() >= BLOCK {
                cursor.insert_before(block.last_key(), block.bytes()).map_err(|e| self.error(e))?;
                block.clear();
            }
            Ok(())
        };
        let added = self.merge(&mut Stored::new(blocks), &mut Ahead::new(more)?, None, &mut put)?;
        if !block.bytes().is_empty() {
            cursor.insert_before(block.last_key(), block.bytes()).map_err(|e| self.error(e))?;
        }
        cursor.close().map_err(|e| self.error(e))?;
        txn.delete_table(old).map_err(|e| self.error(e))?;
        txn.rename_table(new, BLOCKS).map_err(|e| self.error(e))?;
        Ok(added)
    }

    /// Merges the increments into the blocks they belong to; returns the number of new rows.
    fn update(&self, mut table: Blocks<'_>, more: &mut dyn Increments) -> Result<u64> {
        let (mut more, mut added) = (Ahead::new(more)?, 0);
        let mut block = BlockWriter::default();
        while let Some(key) = more.key() {
            let (old, is_last) = self.block_for(&table, key)?;
            let (last, bytes) = old.unzip();
            let until = last.as_deref().filter(|_| !is_last);
            block.clear();
            let mut put = |key: &[u8], value: &[u8]| {
                block.push(key, value);
                Ok(())
            };
            let mut stored = Stored::new(bytes.map(Ok).into_iter());
            added += self.merge(&mut stored, &mut more, until, &mut put)?;
            if let Some(last) = last.as_deref().filter(|last| *last != block.last_key()) {
                table.remove(last).map_err(|e| self.error(e))?;
            }
            self.insert(&mut table, &block)?;
        }
        Ok(added)
    }

    /// The block that has the row of a key, or would have it, by its last key; and whether the key is
    /// above all blocks, so that it goes into the last one.
    #[allow(clippy::type_complexity)]
    fn block_for(&self, table: &Blocks<'_>, key: &[u8]) -> Result<(Option<(Vec<u8>, Vec<u8>)>, bool)> {
        let mut cursor = table.lower_bound(Bound::Included(key)).map_err(|e| self.error(e))?;
        let mut found = cursor.next().map_err(|e| self.error(e))?;
        let is_last = found.is_none();
        if is_last {
            found = table.last().map_err(|e| self.error(e))?;
        }
        Ok((found.map(|(key, block)| (key.value().to_vec(), block.value().to_vec())), is_last))
    }

    /// Puts a block into the table, in parts of equal size where it has become too large.
    fn insert(&self, table: &mut Blocks<'_>, block: &BlockWriter) -> Result<()> {
        let mut put = |part: &BlockWriter| {
            table.insert(part.last_key(), part.bytes()).map_err(|e| self.error(e)).map(drop)
        };
        let bytes = block.bytes();
        if bytes.len() <= 2 * BLOCK {
            return put(block);
        }
        let size = bytes.len().div_ceil(bytes.len().div_ceil(BLOCK));
        let (mut part, mut cursor) = (BlockWriter::default(), BlockCursor::default());
        while !cursor.is_at_end(bytes) {
            cursor.advance(bytes).ok_or_else(|| self.damaged_block(block.last_key()))?;
            part.push(cursor.key(), cursor.value(bytes));
            if part.bytes().len() >= size || cursor.is_at_end(bytes) {
                put(&part)?;
                part.clear();
            }
        }
        Ok(())
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
