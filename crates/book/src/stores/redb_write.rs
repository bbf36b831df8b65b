//! Writing to the redb store: one transaction per commit.
//!
//! A commit that touches nearly every block of the book writes the whole table anew, merged in the
//! order of the keys: full pages, one pass, no search. A smaller one changes the blocks it names. The first
//! commit to a book of an older layout always writes the table anew.

use super::redb::RedbStore;
use super::redb_block::{Bounds, Chain, Opened, open, seal};
use super::redb_file::{
    BLOCKS, FENCES, GAMES, KEPT, Layout, META, SIZES, VARIANTS, VISITS, check_of, encode_variant,
};
use super::redb_merge::{Ahead, Stored};
use crate::coding::{Coding, RowCursor};
use crate::kept::seal_visit;
use crate::packed::{Closed, Packer, Value};
use crate::store::{Commit, Increments, Ledger};
use crate::{Error, GameId, KeptGames, Result};
use redb::{ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction};
use std::ops::Bound;
use std::sync::atomic::Ordering::Relaxed;

/// The tables while they are written anew.
const NEW_BLOCKS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("new blocks");
const NEW_FENCES: TableDefinition<&[u8], ()> = TableDefinition::new("new fences");

/// The size of a block with its key and that of the block before: it fills a page of 4 KiB, where the database has
/// twelve bytes beside them and the seal has up to seven.
const BLOCK: usize = (4 << 10) - 19;

/// The table is written anew when it has at most this many times the positions of the commit: then hardly a block
/// would stay as it is.
const REWRITE: u64 = 128;

type Blocks<'t> = Table<'t, &'static [u8], &'static [u8]>;
type FenceTable<'t> = Table<'t, &'static [u8], ()>;

impl RedbStore {
    /// Everything a commit does; an error takes all of it back.
    pub(super) fn write(&self, commit: &mut Commit<'_>) -> Result<()> {
        let txn = self.begin_write()?;
        self.write_games(&txn, commit.ids)?;
        let layout = self.layout(&txn.open_table(META).map_err(|e| self.error(e))?)?;
        let mut sizes = txn.open_table(SIZES).map_err(|e| self.error(e))?;
        let rows = self.count_rows(&sizes, layout)?;
        let blocks = txn.open_table(BLOCKS).map_err(|e| self.error(e))?;
        let fences = txn.open_table(FENCES).map_err(|e| self.error(e))?;
        let rewriting = layout != Layout::Packed || rows <= REWRITE.saturating_mul(commit.ledger.met);
        let new = if rewriting {
            self.rewrite(&txn, (blocks, fences), layout, commit.rows)?
        } else {
            self.update((blocks, fences), commit.rows)?
        };
        let rows = rows + new;
        sizes.insert("rows", rows).map_err(|e| self.error(e))?;
        sizes.insert("check", check_of(rows)).map_err(|e| self.error(e))?;
        drop(sizes);
        self.write_kept(&txn, commit.kept)?;
        self.write_ledger(&txn, commit.variant, commit.ledger, layout)?;
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
        (old, old_fences): (Blocks<'_>, FenceTable<'_>),
        layout: Layout,
        more: &mut dyn Increments,
    ) -> Result<u64> {
        let mut new = txn.open_table(NEW_BLOCKS).map_err(|e| self.error(e))?;
        let mut new_fences = txn.open_table(NEW_FENCES).map_err(|e| self.error(e))?;
        let mut cursor = new.upper_bound_mut(Bound::<&[u8]>::Unbounded).map_err(|e| self.error(e))?;
        let mut fences = new_fences.upper_bound_mut(Bound::<&[u8]>::Unbounded).map_err(|e| self.error(e))?;
        let is_empty = old.is_empty().map_err(|e| self.error(e))?;
        let mut chain = Chain::whole();
        let blocks = old.iter().map_err(|e| self.error(e))?.map(|entry| {
            let (last, bytes) = entry.map_err(|e| self.error(e))?;
            let block = open(bytes.value(), last.value(), layout)
                .filter(|block| chain.take(block, last.value()).is_some());
            block.map(|block| block.rows.to_vec()).ok_or_else(|| self.damaged_block(last.value()))
        });
        let (mut low, mut sealed) = (Vec::new(), Vec::new());
        let mut close = |block: Closed<'_>| {
            seal(&mut sealed, Bounds { low: &low, is_last: block.is_last }, block.bytes, block.last);
            block.last.clone_into(&mut low);
            cursor.insert_before(block.last, &sealed[..]).map_err(|e| self.error(e))?;
            fences.insert_before(block.last, ()).map_err(|e| self.error(e))
        };
        let mut packer = Packer::new(BLOCK);
        let mut put = |key: &[u8], value: Value<'_>| packer.push(key, value, &mut close);
        let mut stored = Stored::new(blocks, layout.coding());
        let added = self.merge(&mut stored, &mut Ahead::new(more)?, None, &mut put)?;
        packer.finish(&mut close)?;
        drop(stored);
        if !is_empty && !chain.is_over() {
            return Err(Error::damaged(self.place(), "its last block is missing"));
        }
        cursor.close().map_err(|e| self.error(e))?;
        fences.close().map_err(|e| self.error(e))?;
        txn.delete_table(old).map_err(|e| self.error(e))?;
        txn.rename_table(new, BLOCKS).map_err(|e| self.error(e))?;
        txn.delete_table(old_fences).map_err(|e| self.error(e))?;
        txn.rename_table(new_fences, FENCES).map_err(|e| self.error(e))?;
        Ok(added)
    }

    /// Merges the increments into the blocks they belong to; returns the number of new rows.
    fn update(
        &self,
        (mut table, mut fences): (Blocks<'_>, FenceTable<'_>),
        more: &mut dyn Increments,
    ) -> Result<u64> {
        let (mut more, mut added) = (Ahead::new(more)?, 0);
        while let Some(key) = more.key() {
            let Some(old) = self.block_for(&table, key)? else {
                return Err(Error::damaged(self.place(), "its blocks are missing"));
            };
            let until = Some(&old.last[..]).filter(|_| !old.is_last);
            let mut blocks = NewBlocks::default();
            let mut packer = Packer::new(BLOCK);
            let mut put =
                |key: &[u8], value: Value<'_>| packer.push(key, value, &mut |block| blocks.take(&block));
            let mut stored = Stored::new(std::iter::once(Ok(old.rows)), Coding::Packed);
            added += self.merge(&mut stored, &mut more, until, &mut put)?;
            packer.finish(&mut |block| blocks.take(&block))?;
            let blocks = self.halve(blocks)?;
            table.remove(&old.last[..]).map_err(|e| self.error(e))?;
            fences.remove(&old.last[..]).map_err(|e| self.error(e))?;
            let (mut low, mut sealed) = (old.low, Vec::new());
            for (last, rows, is_last) in blocks.0 {
                seal(&mut sealed, Bounds { low: &low, is_last: is_last && old.is_last }, &rows, &last);
                table.insert(&last[..], &sealed[..]).map_err(|e| self.error(e))?;
                fences.insert(&last[..], ()).map_err(|e| self.error(e))?;
                low = last;
            }
        }
        Ok(added)
    }

    /// Blocks of equal size, where one has become too large: so all of them have room for more.
    fn halve(&self, blocks: NewBlocks) -> Result<NewBlocks> {
        let parts = blocks.0.len();
        if parts < 2 {
            return Ok(blocks);
        }
        let size: usize = blocks.0.iter().map(|(_, rows, _)| rows.len()).sum();
        let (mut equal, mut packer) = (NewBlocks::default(), Packer::new(size / parts + BLOCK / 8));
        for (last, rows, _) in &blocks.0 {
            let mut cursor = RowCursor::new(Coding::Packed);
            while !cursor.is_at_end(rows) {
                let value = cursor.advance(rows).and_then(|()| cursor.value(rows));
                let value = value.ok_or_else(|| self.damaged_block(last))?;
                packer.push(cursor.key(), value, &mut |block| equal.take(&block))?;
            }
        }
        packer.finish(&mut |block| equal.take(&block))?;
        Ok(equal)
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
        let (last, block) = (last.value(), open(bytes.value(), last.value(), Layout::Packed));
        let fitting = |block: &Opened<'_>| {
            if is_above { block.ends_below(key, last) } else { key <= last && block.begins_below(key) }
        };
        let block = block.filter(fitting).and_then(|block| Some((block.bounds?, block.rows)));
        let (bounds, rows) = block.ok_or_else(|| self.damaged_block(key))?;
        let (low, rows) = (bounds.low.to_vec(), rows.to_vec());
        Ok(Some(Old { last: last.to_vec(), low, is_last: bounds.is_last, rows }))
    }

    /// Adds to the ledger of a variant; the variants of a book without checksums get them now.
    fn write_ledger(&self, txn: &WriteTransaction, number: u8, more: Ledger, layout: Layout) -> Result<()> {
        let mut table = txn.open_table(VARIANTS).map_err(|e| self.error(e))?;
        let mut variants = self.list_variants(&table, layout)?;
        let variant = variants.iter_mut().find(|v| v.number == number);
        let missing = || Error::database(self.place(), format!("no variant {number}"));
        variant.ok_or_else(missing)?.ledger.add(more);
        for variant in variants.iter().filter(|v| !layout.is_sealed() || v.number == number) {
            let bytes = encode_variant(variant, true);
            table.insert(variant.name.as_str(), &bytes[..]).map_err(|e| self.error(e))?;
        }
        if layout != Layout::Packed {
            let mut meta = txn.open_table(META).map_err(|e| self.error(e))?;
            meta.insert("format", Layout::NEWEST).map_err(|e| self.error(e))?;
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

/// Blocks in the place of one: their last keys, their rows, and whether they are the last of them.
#[derive(Default)]
struct NewBlocks(Vec<(Vec<u8>, Vec<u8>, bool)>);

impl NewBlocks {
    #[allow(clippy::unnecessary_wraps)] // As who takes blocks can fail.
    fn take(&mut self, block: &Closed<'_>) -> Result<()> {
        self.0.push((block.last.to_vec(), block.bytes.to_vec(), block.is_last));
        Ok(())
    }
}
