//! Reading from the redb store: look-ups and scans, with a check of every block.

use super::redb::RedbStore;
use super::redb_block::{Chain, open};
use super::redb_file::{BLOCKS, LAYOUT, META, SIZES, UNSEALED, check_of};
use crate::block::{self, BlockCursor, Found};
use crate::kept::{open_visit, visit_of};
use crate::store::RowVisitor;
use crate::{Error, GameId, KeptGame, Result, Row, Visit, VisitVisitor};
use redb::{ReadOnlyTable, ReadableTable, ReadableTableMetadata};
use std::cmp::Ordering;
use std::ops::Bound;

/// The blocks as they are at one moment.
pub(super) struct Snapshot {
    table: ReadOnlyTable<&'static [u8], &'static [u8]>,
    /// Whether they have checksums.
    sealed: bool,
}

impl RedbStore {
    /// The blocks as they are now.
    pub(super) fn snapshot(&self) -> Result<Snapshot> {
        let (table, sizes, meta) =
            self.read(|txn| Ok((txn.open_table(BLOCKS)?, txn.open_table(SIZES)?, txn.open_table(META)?)))?;
        let sealed = self.is_sealed(&meta)?;
        let is_empty = table.is_empty().map_err(|e| self.error(e))?;
        if is_empty != (self.count_rows(&sizes, sealed)? == 0) {
            return Err(Error::damaged(self.place(), "its number of positions is wrong"));
        }
        Ok(Snapshot { table, sealed })
    }

    /// Whether the book has checksums.
    pub(super) fn is_sealed(&self, meta: &impl ReadableTable<&'static str, u32>) -> Result<bool> {
        match meta.get("format").map_err(|e| self.error(e))?.map(|format| format.value()) {
            Some(LAYOUT) => Ok(true),
            Some(UNSEALED) => Ok(false),
            found => Err(Error::damaged(self.place(), format!("its format is {found:?}"))),
        }
    }

    /// The number of rows, as it stands beside them.
    pub(super) fn count_rows(
        &self,
        sizes: &impl ReadableTable<&'static str, u64>,
        sealed: bool,
    ) -> Result<u64> {
        let get = |name| -> Result<u64> {
            Ok(sizes.get(name).map_err(|e| self.error(e))?.map_or(0, |number| number.value()))
        };
        let rows = get("rows")?;
        let check = get("check")?;
        // A new book has neither.
        let is_new = rows == 0 && check == 0;
        if !sealed || is_new || check == check_of(rows) {
            Ok(rows)
        } else {
            Err(Error::damaged(self.place(), "its number of positions is wrong"))
        }
    }

    /// The visits of kept games to a position.
    pub(super) fn visit_kept(
        &self,
        kept: &impl ReadableTable<&'static [u8; 16], &'static [u8]>,
        visits: &impl ReadableTable<&'static [u8], u32>,
        position: &[u8],
        visit: &mut VisitVisitor<'_>,
    ) -> Result<()> {
        for entry in visits.range::<&[u8]>(position..).map_err(|e| self.error(e))? {
            let (key, result) = entry.map_err(|e| self.error(e))?;
            if !key.value().starts_with(position) {
                break;
            }
            let Some((id, number)) = visit_of(key.value(), position) else { continue };
            let found = self.find_kept(kept, id)?.zip(open_visit(key.value(), result.value()));
            let (game, outcome) = found.ok_or_else(|| self.damaged_game(id))?;
            if visit(Visit { game, number, outcome }).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// What is kept of a game.
    pub(super) fn find_kept(
        &self,
        kept: &impl ReadableTable<&'static [u8; 16], &'static [u8]>,
        id: GameId,
    ) -> Result<Option<KeptGame>> {
        let Some(record) = kept.get(&id.0).map_err(|e| self.error(e))? else { return Ok(None) };
        KeptGame::decode(id, record.value()).ok_or_else(|| self.damaged_game(id)).map(Some)
    }

    fn damaged_game(&self, id: GameId) -> Error {
        Error::damaged(self.place(), format!("what is kept of game {id} does not decode"))
    }

    /// The row of a key.
    #[inline]
    pub(super) fn find(&self, blocks: &Snapshot, key: &[u8]) -> Result<Option<Row>> {
        let mut cursor = blocks.table.lower_bound(Bound::Included(key)).map_err(|e| self.error(e))?;
        let Some((_, bytes)) = cursor.next().map_err(|e| self.error(e))? else {
            self.check_end(blocks, key)?;
            return Ok(None);
        };
        let block = open(bytes.value(), blocks.sealed).ok_or_else(|| self.damaged_block(key))?;
        match block::find(block.rows, key) {
            Ok(Found::Value(bytes)) => Row::decode(bytes).ok_or_else(|| self.damaged_row(key)).map(Some),
            Ok(Found::Absent) if block.begins_below(key) => Ok(None),
            // It is another block that could have the row; or this one is filed under a key that is not its last.
            Ok(Found::Absent | Found::Beyond) | Err(_) => Err(self.damaged_block(key)),
        }
    }

    /// Makes sure that a key is above all blocks.
    fn check_end(&self, blocks: &Snapshot, key: &[u8]) -> Result<()> {
        let Some((last, bytes)) = blocks.table.last().map_err(|e| self.error(e))? else { return Ok(()) };
        let block = open(bytes.value(), blocks.sealed);
        let is_end = block.is_some_and(|block| block.ends_below(key, last.value()));
        if is_end { Ok(()) } else { Err(self.damaged_block(key)) }
    }

    /// Visits all rows of a variant.
    pub(super) fn scan_blocks(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        let blocks = self.snapshot()?;
        let (mut cursor, mut row) = (BlockCursor::default(), Row::default());
        let mut chain = Chain::from(&[variant]);
        let mut seen = false;
        for entry in blocks.table.range::<&[u8]>(&[variant][..]..).map_err(|e| self.error(e))? {
            let (last, bytes) = entry.map_err(|e| self.error(e))?;
            let (last, damaged) = (last.value(), || self.damaged_block(last.value()));
            let block = open(bytes.value(), blocks.sealed).ok_or_else(damaged)?;
            chain.take(&block, last).ok_or_else(damaged)?;
            seen = true;
            cursor.rewind();
            while !cursor.is_at_end(block.rows) {
                cursor.advance(block.rows).ok_or_else(damaged)?;
                match cursor.key().first().cmp(&Some(&variant)) {
                    Ordering::Less => continue,
                    Ordering::Equal => {}
                    Ordering::Greater => return Ok(()),
                }
                let decoded = row.decode_into(cursor.value(block.rows));
                decoded.ok_or_else(|| self.damaged_row(cursor.key()))?;
                if visit(cursor.key(), &row).is_break() {
                    return Ok(());
                }
            }
            if cursor.key() != last {
                return Err(damaged());
            }
        }
        match seen {
            false => self.check_end(&blocks, &[variant]),
            true if chain.is_over() => Ok(()),
            true => Err(self.damaged_block(&[variant])),
        }
    }
}
