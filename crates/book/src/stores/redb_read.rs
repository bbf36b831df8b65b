//! Reading from the redb store: look-ups and scans, with a check of every block.

use super::redb::RedbStore;
use super::redb_block::{Chain, Opened, open, open_checked};
use super::redb_file::{BLOCKS, FENCES, Layout, META, SIZES, check_of};
use crate::coding::{RowCursor, Sought};
use crate::fences::{Fences, head_of};
use crate::kept::{open_visit, visit_of};
use crate::packed::{card_of, group_of, guess, table_of};
use crate::room::Shelf;
use crate::store::RowVisitor;
use crate::{Error, GameId, KeptGame, Result, Row, Visit, VisitVisitor};
use redb::{ReadOnlyTable, ReadableTable, ReadableTableMetadata, TableError};
use std::cmp::Ordering;
use std::ops::Bound;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

/// The directory is read when there have been as many look-ups as it has blocks, divided by this: then reading it has
/// cost no more than they have.
const BLOCKS_A_LOOK_UP: u64 = 32;

/// The blocks as they are at one moment.
pub(super) struct Snapshot {
    table: ReadOnlyTable<&'static [u8], &'static [u8]>,
    /// Books of older layouts have none.
    fences: Option<ReadOnlyTable<&'static [u8], ()>>,
    layout: Layout,
    /// The commits of this process before it.
    pub(super) commits: u64,
    /// Look-ups so far.
    asked: AtomicU64,
    directory: OnceLock<Directory>,
}

/// The last keys of all blocks, and those blocks that look-ups have read.
struct Directory {
    lasts: Fences,
    shelf: Shelf,
}

/// Keys that are looked up together.
pub(super) const TOGETHER: usize = 16;

/// So many keys wait for tables together, and then for groups: a guess where the groups are would ask for more than is needed.
const FEW: usize = 4;

/// The blocks that some keys can be in, by their number.
pub(super) struct Places([usize; TOGETHER]);

impl Directory {
    /// Asks for the table of a block.
    #[inline]
    fn ask_for_table(&self, at: usize) {
        let Some(kept) = self.shelf.get(at) else { return };
        if let Some(table) = table_of(kept.card) {
            kept.prefetch(table.start, table.end);
        }
    }

    /// Asks for the group that a key is in, as the table tells, which should have been asked for.
    #[inline]
    fn ask_for_group(&self, at: usize, key: &[u8]) {
        let Some(kept) = self.shelf.get(at) else { return };
        let Some(table) = table_of(kept.card) else { return };
        if let Some(group) = kept.bytes.get(table.start..).and_then(|block| group_of(block, key)) {
            kept.prefetch(table.start + group.start, table.start + group.end);
        }
    }

    /// Asks for all of that at once: a little more than will be looked at.
    #[inline]
    fn ask_for(&self, at: usize, key: &[u8]) {
        let Some(kept) = self.shelf.get(at) else { return };
        let guessed = guess(kept.card, kept.bytes.len(), self.lasts.span(at), head_of(key));
        for part in guessed.into_iter().flatten() {
            kept.prefetch(part.start, part.end);
        }
    }
}

impl RedbStore {
    /// The blocks as they are now.
    pub(super) fn snapshot(&self) -> Result<Snapshot> {
        let commits = self.commits.load(Acquire);
        let (table, fences, sizes, meta) = self.read(|txn| {
            let fences = match txn.open_table(FENCES) {
                Ok(fences) => Some(fences),
                Err(TableError::TableDoesNotExist(_)) => None,
                Err(error) => return Err(error.into()),
            };
            Ok((txn.open_table(BLOCKS)?, fences, txn.open_table(SIZES)?, txn.open_table(META)?))
        })?;
        let layout = self.layout(&meta)?;
        let is_empty = table.is_empty().map_err(|e| self.error(e))?;
        if is_empty != (self.count_rows(&sizes, layout)? == 0) {
            return Err(Error::damaged(self.place(), "its number of positions is wrong"));
        }
        Ok(Snapshot { table, fences, layout, commits, asked: AtomicU64::new(0), directory: OnceLock::new() })
    }

    /// The layout of the book.
    pub(super) fn layout(&self, meta: &impl ReadableTable<&'static str, u32>) -> Result<Layout> {
        let found = meta.get("format").map_err(|e| self.error(e))?.map(|format| format.value());
        let unknown = || Error::damaged(self.place(), format!("its format is {found:?}"));
        found.and_then(Layout::of).ok_or_else(unknown)
    }

    /// The directory of a snapshot for looking up some keys, once it is worth its reading.
    #[inline]
    fn directory<'s>(&self, blocks: &'s Snapshot, keys: usize) -> Result<Option<&'s Directory>> {
        match blocks.directory.get() {
            Some(directory) => Ok(Some(directory)),
            None if blocks.layout != Layout::Packed => Ok(None),
            None => self.read_directory(blocks, keys as u64),
        }
    }

    #[inline(never)]
    fn read_directory<'s>(&self, blocks: &'s Snapshot, keys: u64) -> Result<Option<&'s Directory>> {
        let number = blocks.table.len().map_err(|e| self.error(e))?;
        if blocks.asked.fetch_add(keys, Relaxed) < number / BLOCKS_A_LOOK_UP {
            return Ok(None);
        }
        let missing = || Error::damaged(self.place(), "its fences are missing");
        let fences = blocks.fences.as_ref().ok_or_else(missing)?;
        let mut lasts = Fences::default();
        for entry in fences.iter().map_err(|e| self.error(e))? {
            let (last, _) = entry.map_err(|e| self.error(e))?;
            if lasts.len() > 0 && last.value() <= lasts.key(lasts.len() - 1) {
                return Err(self.damaged_block(last.value()));
            }
            lasts.push(last.value());
        }
        let shelf = Shelf::new(lasts.len());
        Ok(Some(blocks.directory.get_or_init(|| Directory { lasts, shelf })))
    }

    /// The number of rows, as it stands beside them.
    pub(super) fn count_rows(
        &self,
        sizes: &impl ReadableTable<&'static str, u64>,
        layout: Layout,
    ) -> Result<u64> {
        let get = |name| -> Result<u64> {
            Ok(sizes.get(name).map_err(|e| self.error(e))?.map_or(0, |number| number.value()))
        };
        let rows = get("rows")?;
        let check = get("check")?;
        // A new book has neither.
        let is_new = rows == 0 && check == 0;
        if !layout.is_sealed() || is_new || check == check_of(rows) {
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

    /// Finds out where keys can be, and asks for it all before any of it is looked at: memory then is waited for once.
    #[inline]
    pub(super) fn places<K: AsRef<[u8]>>(&self, blocks: &Snapshot, keys: &[K]) -> Result<Places> {
        let mut places = Places([usize::MAX; TOGETHER]);
        let Some(directory) = self.directory(blocks, keys.len())? else { return Ok(places) };
        for (place, key) in places.0.iter_mut().zip(keys) {
            *place = directory.lasts.below(key.as_ref());
            directory.shelf.prefetch(*place);
        }
        let asked = || places.0.iter().zip(keys).map(|(place, key)| (*place, key.as_ref()));
        if keys.len() < FEW {
            asked().for_each(|(place, key)| directory.ask_for(place, key));
        } else {
            asked().for_each(|(place, _)| directory.ask_for_table(place));
            asked().for_each(|(place, key)| directory.ask_for_group(place, key));
        }
        Ok(places)
    }

    /// Reads the row of a key, which is one of those whose places are given; `false` when there is none.
    #[inline]
    pub(super) fn find(
        &self,
        blocks: &Snapshot,
        (places, n): (&Places, usize),
        key: &[u8],
        row: &mut Row,
    ) -> Result<bool> {
        let at = places.0[n];
        let Some(directory) = blocks.directory.get().filter(|_| at != usize::MAX) else {
            return self.find_in_tree(blocks, key, row);
        };
        if at == directory.lasts.len() {
            self.check_end(blocks, key)?;
            return Ok(false);
        }
        let damaged = || self.damaged_block(key);
        let read = || {
            let last = directory.lasts.key(at);
            let bytes = blocks.table.get(last).map_err(|e| self.error(e))?.ok_or_else(damaged)?;
            let opened = open(bytes.value(), last, blocks.layout).ok_or_else(damaged)?;
            let rows = bytes.value().len() - opened.rows.len();
            Ok((bytes.value().to_vec(), card_of(bytes.value(), rows, directory.lasts.span(at))))
        };
        directory.shelf.with(at, read, |block| {
            self.find_in_block(blocks, &open_checked(block).ok_or_else(damaged)?, key, row)
        })
    }

    fn find_in_tree(&self, blocks: &Snapshot, key: &[u8], row: &mut Row) -> Result<bool> {
        let mut cursor = blocks.table.lower_bound(Bound::Included(key)).map_err(|e| self.error(e))?;
        let Some((last, bytes)) = cursor.next().map_err(|e| self.error(e))? else {
            self.check_end(blocks, key)?;
            return Ok(false);
        };
        let block =
            open(bytes.value(), last.value(), blocks.layout).ok_or_else(|| self.damaged_block(key))?;
        self.find_in_block(blocks, &block, key, row)
    }

    #[inline]
    fn find_in_block(
        &self,
        blocks: &Snapshot,
        block: &Opened<'_>,
        key: &[u8],
        row: &mut Row,
    ) -> Result<bool> {
        match blocks.layout.coding().find(block.rows, key) {
            Ok(Sought::Value(value)) => {
                value.read_into(row).ok_or_else(|| self.damaged_row(key)).map(|()| true)
            }
            Ok(Sought::Absent) if block.begins_below(key) => Ok(false),
            // It is another block that could have the row; or this one is filed under a key that is not its last.
            Ok(Sought::Absent | Sought::Beyond) | Err(_) => Err(self.damaged_block(key)),
        }
    }

    /// Makes sure that a key is above all blocks.
    fn check_end(&self, blocks: &Snapshot, key: &[u8]) -> Result<()> {
        let Some((last, bytes)) = blocks.table.last().map_err(|e| self.error(e))? else { return Ok(()) };
        let block = open(bytes.value(), last.value(), blocks.layout);
        let is_end = block.is_some_and(|block| block.ends_below(key, last.value()));
        if is_end { Ok(()) } else { Err(self.damaged_block(key)) }
    }

    /// Visits all rows of a variant.
    pub(super) fn scan_blocks(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        let blocks = self.snapshot()?;
        let (mut cursor, mut row) = (RowCursor::new(blocks.layout.coding()), Row::default());
        let mut chain = Chain::from(&[variant]);
        let mut seen = false;
        for entry in blocks.table.range::<&[u8]>(&[variant][..]..).map_err(|e| self.error(e))? {
            let (last, bytes) = entry.map_err(|e| self.error(e))?;
            let (last, damaged) = (last.value(), || self.damaged_block(last.value()));
            let block = open(bytes.value(), last, blocks.layout).ok_or_else(damaged)?;
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
                let decoded = cursor.value(block.rows).and_then(|value| value.read_into(&mut row));
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
