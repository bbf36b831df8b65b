//! Writing to the redb store: one transaction per commit.
//!
//! A commit that touches nearly every block of the book writes the whole table anew, merged in the
//! order of the keys: full pages, one pass, no search. A smaller one changes the blocks it names. The first
//! commit to a book without checksums always writes the table anew, with them.

use super::redb::RedbStore;
use super::redb_block::{Bounds, Chain, Opened, open, seal};
use super::redb_file::{
    BLOCKS, GAMES, KEPT, LAYOUT, META, SIZES, VARIANTS, VISITS, check_of, encode_variant,
};
use super::redb_merge::{Ahead, Stored};
use crate::block::{BlockCursor, BlockWriter};
use crate::kept::seal_visit;
use crate::store::{Commit, Increments, Ledger};
use crate::{Error, GameId, KeptGames, Result};
use redb::{ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction};
use std::ops::Bound;
use std::sync::atomic::Ordering::Relaxed;

/// The table while it is written anew.
const NEW_BLOCKS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("new blocks");

/// A block is closed when it has grown to this with its seal and its key: eight of them fill a page of
/// 4 KiB, and a search reads half of one, about 15 rows.
const BLOCK: usize = 490;

/// The table is written anew when it has at most this many times the positions of the commit: about
/// the rows of a block, so that hardly a block would stay as it is.
const REWRITE: u64 = 32;

type Blocks<'t> = Table<'t, &'static [u8], &'static [u8]>;

impl RedbStore {
    /// Everything a commit does; an error takes all of it back.
    pub(super) fn write(&self, commit: &mut Commit<'_>) -> Result<()> {
        let txn = self.begin_write()?;
        self.write_games(&txn, commit.ids)?;
        let sealed = self.is_sealed(&txn.open_table(META).map_err(|e| self.error(e))?)?;
        let mut sizes = txn.open_table(SIZES).map_err(|e| self.error(e))?;
        let rows = self.count_rows(&sizes, sealed)?;
        let blocks = txn.open_table(BLOCKS).map_err(|e| self.error(e))?;
        let rewriting = !sealed || rows <= REWRITE.saturating_mul(commit.ledger.met);
        let new = if rewriting {
            self.rewrite(&txn, blocks, sealed, commit.rows)?
        } else {
            self.update(blocks, commit.rows)?
        };
        let rows = rows + new;
        sizes.insert("rows", rows).map_err(|e| self.error(e))?;
        sizes.insert("check", check_of(rows)).map_err(|e| self.error(e))?;
        drop(sizes);
        self.write_kept(&txn, commit.kept)?;
        self.write_ledger(&txn, commit.variant, commit.ledger, sealed)?;
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

    fn write_kept(&self, txn: &WriteTransaction, kept: &KeptGames) -> Result<()> {
        if kept.games.is_empty() {
            return Ok(());
        }
        let work = || -> Result<(), redb::Error> {
            let (mut games, mut visits) = (txn.open_table(KEPT)?, txn.open_table(VISITS)?);
            for game in &kept.games {
                games.insert(&game.id.0, &game.encode()[..])?;
            }
            for (key, result) in &kept.visits {
                visits.insert(&key[..], seal_visit(key, *result))?;
            }
            Ok(())
        };
        work().map_err(|e| self.error(e))
    }

    /// Merges all blocks with the increments into a new table; returns the number of new rows.
    fn rewrite(
        &self,
        txn: &WriteTransaction,
        old: Blocks<'_>,
        sealed: bool,
        more: &mut dyn Increments,
    ) -> Result<u64> {
        let mut new = txn.open_table(NEW_BLOCKS).map_err(|e| self.error(e))?;
        let mut cursor = new.upper_bound_mut(Bound::<&[u8]>::Unbounded).map_err(|e| self.error(e))?;
        let is_empty = old.is_empty().map_err(|e| self.error(e))?;
        let mut chain = Chain::whole();
        let blocks = old.iter().map_err(|e| self.error(e))?.map(|entry| {
            let (last, bytes) = entry.map_err(|e| self.error(e))?;
            let block = open(bytes.value(), sealed).filter(|block| chain.take(block, last.value()).is_some());
            block.map(|block| block.rows.to_vec()).ok_or_else(|| self.damaged_block(last.value()))
        });
        let mut put_block = |block: &BlockWriter, bounds: Bounds<'_>, sealed: &mut Vec<u8>| {
            seal(sealed, bounds, block.bytes());
            cursor.insert_before(block.last_key(), &sealed[..]).map_err(|e| self.error(e))
        };
        // A block is written when the next row comes, so that the last one knows that it is the last.
        let (mut block, mut low, mut buffer) = (BlockWriter::default(), Vec::new(), Vec::new());
        let mut put = |key: &[u8], value: &[u8]| {
            if is_full(&block) {
                put_block(&block, Bounds { low: &low, is_last: false }, &mut buffer)?;
                block.last_key().clone_into(&mut low);
                block.clear();
            }
            block.push(key, value);
            Ok(())
        };
        let added = self.merge(&mut Stored::new(blocks), &mut Ahead::new(more)?, None, &mut put)?;
        if !is_empty && !chain.is_over() {
            return Err(Error::damaged(self.place(), "its last block is missing"));
        }
        if !block.bytes().is_empty() {
            put_block(&block, Bounds { low: &low, is_last: true }, &mut buffer)?;
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
            let Some(old) = self.block_for(&table, key)? else {
                return Err(Error::damaged(self.place(), "its blocks are missing"));
            };
            let until = Some(&old.last[..]).filter(|_| !old.is_last);
            block.clear();
            let mut put = |key: &[u8], value: &[u8]| {
                block.push(key, value);
                Ok(())
            };
            let mut stored = Stored::new(std::iter::once(Ok(old.rows)));
            added += self.merge(&mut stored, &mut more, until, &mut put)?;
            if old.last != block.last_key() {
                table.remove(&old.last[..]).map_err(|e| self.error(e))?;
            }
            self.insert(&mut table, &block, Bounds { low: &old.low, is_last: old.is_last })?;
        }
        Ok(added)
    }

    /// The block that has the row of a key, or would have it: the last one for a key above all blocks.
    fn block_for(&self, table: &Blocks<'_>, key: &[u8]) -> Result<Option<Old>> {
        let mut cursor = table.lower_bound(Bound::Included(key)).map_err(|e| self.error(e))?;
        let mut found = cursor.next().map_err(|e| self.error(e))?;
        let is_above = found.is_none();
        if is_above {
            found = table.last().map_err(|e| self.error(e))?;
        }
        let Some((last, bytes)) = found else { return Ok(None) };
        let (last, block) = (last.value(), open(bytes.value(), true));
        let fitting = |block: &Opened<'_>| {
            if is_above { block.ends_below(key, last) } else { key <= last && block.begins_below(key) }
        };
        let block = block.filter(fitting).and_then(|block| Some((block.bounds?, block.rows)));
        let (bounds, rows) = block.ok_or_else(|| self.damaged_block(key))?;
        let (low, rows) = (bounds.low.to_vec(), rows.to_vec());
        Ok(Some(Old { last: last.to_vec(), low, is_last: bounds.is_last, rows }))
    }

    /// Puts a block into the table, in parts of equal size where it has become too large.
    fn insert(&self, table: &mut Blocks<'_>, block: &BlockWriter, bounds: Bounds<'_>) -> Result<()> {
        let mut sealed = Vec::new();
        let mut put = |part: &BlockWriter, bounds: Bounds<'_>| {
            seal(&mut sealed, bounds, part.bytes());
            table.insert(part.last_key(), &sealed[..]).map_err(|e| self.error(e)).map(drop)
        };
        let bytes = block.bytes();
        if bytes.len() <= 2 * BLOCK {
            return put(block, bounds);
        }
        let size = bytes.len().div_ceil(bytes.len().div_ceil(BLOCK));
        let (mut part, mut cursor, mut low) =
            (BlockWriter::default(), BlockCursor::default(), bounds.low.to_vec());
        while !cursor.is_at_end(bytes) {
            cursor.advance(bytes).ok_or_else(|| self.damaged_block(block.last_key()))?;
            part.push(cursor.key(), cursor.value(bytes));
            let at_end = cursor.is_at_end(bytes);
            if part.bytes().len() >= size || at_end {
                put(&part, Bounds { low: &low, is_last: bounds.is_last && at_end })?;
                part.last_key().clone_into(&mut low);
                part.clear();
            }
        }
        Ok(())
    }

    /// Adds to the ledger of a variant; the variants of a book without checksums get them now.
    fn write_ledger(&self, txn: &WriteTransaction, number: u8, more: Ledger, sealed: bool) -> Result<()> {
        let mut table = txn.open_table(VARIANTS).map_err(|e| self.error(e))?;
        let mut variants = self.list_variants(&table, sealed)?;
        let variant = variants.iter_mut().find(|v| v.number == number);
        let missing = || Error::database(self.place(), format!("no variant {number}"));
        variant.ok_or_else(missing)?.ledger.add(more);
        for variant in variants.iter().filter(|v| !sealed || v.number == number) {
            let bytes = encode_variant(variant, true);
            table.insert(variant.name.as_str(), &bytes[..]).map_err(|e| self.error(e))?;
        }
        if !sealed {
            let mut meta = txn.open_table(META).map_err(|e| self.error(e))?;
            meta.insert("format", LAYOUT).map_err(|e| self.error(e))?;
        }
        Ok(())
    }
}

/// A block that is to be changed.
struct Old {
    last: Vec<u8>,
    low: Vec<u8>,
    is_last: bool,
    rows: Vec<u8>,
}

/// Whether a block has its size: the database adds eight bytes to it and its key, the seal five and a key.
fn is_full(block: &BlockWriter) -> bool {
    block.bytes().len() + 2 * block.last_key().len() + 13 >= BLOCK
}
