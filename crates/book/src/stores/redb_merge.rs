//! Merging rows that are in the redb store with rows to be added.

use super::redb::RedbStore;
use crate::block::BlockCursor;
use crate::store::Increments;
use crate::{Result, Row};

impl RedbStore {
    /// Merges stored rows with the increments up to a key, both ascending; returns the number of rows
    /// that are new.
    pub(super) fn merge<I: Iterator<Item = Result<Vec<u8>>>>(
        &self,
        stored: &mut Stored<I>,
        more: &mut Ahead<'_>,
        until: Option<&[u8]>,
        put: &mut dyn FnMut(&[u8], &[u8]) -> Result<()>,
    ) -> Result<u64> {
        let (mut sum, mut bytes, mut added) = (Row::default(), Vec::new(), 0);
        stored.advance(self)?;
        while let Some((key, row)) =
            more.next.as_ref().filter(|(key, _)| until.is_none_or(|until| key[..] <= *until))
        {
            while let Some((old, value)) = stored.row().filter(|(old, _)| **old < key[..]) {
                put(old, value)?;
                stored.advance(self)?;
            }
            bytes.clear();
            if let Some((_, value)) = stored.row().filter(|(old, _)| **old == key[..]) {
                sum.decode_into(value).ok_or_else(|| self.damaged_row(key))?;
                sum.add(row);
                sum.encode(&mut bytes);
                stored.advance(self)?;
            } else {
                row.encode(&mut bytes);
                added += 1;
            }
            put(key, &bytes)?;
            more.advance()?;
        }
        while let Some((old, value)) = stored.row() {
            put(old, value)?;
            stored.advance(self)?;
        }
        Ok(added)
    }
}

/// The rows of blocks that are in the book, one after the other.
pub(super) struct Stored<I> {
    blocks: I,
    block: Vec<u8>,
    cursor: BlockCursor,
    over: bool,
}

impl<I: Iterator<Item = Result<Vec<u8>>>> Stored<I> {
    pub(super) fn new(blocks: I) -> Self {
        Stored { blocks, block: Vec::new(), cursor: BlockCursor::default(), over: false }
    }

    fn advance(&mut self, store: &RedbStore) -> Result<()> {
        if self.cursor.is_at_end(&self.block) {
            let Some(block) = self.blocks.next().transpose()? else {
                self.over = true;
                return Ok(());
            };
            self.block = block;
            self.cursor.rewind();
        }
        self.cursor.advance(&self.block).ok_or_else(|| store.damaged_block(self.cursor.key()))
    }

    fn row(&self) -> Option<(&[u8], &[u8])> {
        (!self.over).then(|| (self.cursor.key(), self.cursor.value(&self.block)))
    }
}

/// Increments with a look at the next one.
pub(super) struct Ahead<'a> {
    rows: &'a mut dyn Increments,
    next: Option<(Vec<u8>, Row)>,
}

impl<'a> Ahead<'a> {
    pub(super) fn new(rows: &'a mut dyn Increments) -> Result<Self> {
        let mut ahead = Ahead { rows, next: Some((Vec::new(), Row::default())) };
        ahead.advance()?;
        Ok(ahead)
    }

    fn advance(&mut self) -> Result<()> {
        if let (Some((key, row)), Some(next)) = (&mut self.next, self.rows.next()?) {
            key.clear();
            key.extend_from_slice(next.0);
            row.clone_from(next.1);
        } else {
            self.next = None;
        }
        Ok(())
    }

    pub(super) fn key(&self) -> Option<&[u8]> {
        self.next.as_ref().map(|(key, _)| &key[..])
    }
}
