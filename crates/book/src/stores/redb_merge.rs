//! Merging rows that are in the redb store with rows to be added.

use super::redb::RedbStore;
use crate::coding::{Coding, RowCursor};
use crate::packed::Value;
use crate::store::Increments;
use crate::{Result, Row};

/// Takes the rows of a merge, one after the other.
pub(super) type Put<'a> = dyn FnMut(&[u8], Value<'_>) -> Result<()> + 'a;

impl RedbStore {
    /// Merges stored rows with the increments up to a key, both ascending; returns the number of rows
    /// that are new.
    pub(super) fn merge<I: Iterator<Item = Result<Vec<u8>>>>(
        &self,
        stored: &mut Stored<I>,
        more: &mut Ahead<'_>,
        until: Option<&[u8]>,
        put: &mut Put<'_>,
    ) -> Result<u64> {
        let (mut sum, mut bytes, mut added) = (Row::default(), Vec::new(), 0);
        stored.advance(self)?;
        while let Some((key, row)) =
            more.next.as_ref().filter(|(key, _)| until.is_none_or(|until| key[..] <= *until))
        {
            while let Some(old) = stored.key().filter(|old| **old < key[..]) {
                put(old, stored.value(self)?)?;
                stored.advance(self)?;
            }
            if stored.key().is_some_and(|old| *old == key[..]) {
                stored.value(self)?.read_into(&mut sum).ok_or_else(|| self.damaged_row(key))?;
                sum.add(row);
                put(key, Value::of(&sum, &mut bytes))?;
                stored.advance(self)?;
            } else {
                put(key, Value::of(row, &mut bytes))?;
                added += 1;
            }
            more.advance()?;
        }
        while let Some(old) = stored.key() {
            put(old, stored.value(self)?)?;
            stored.advance(self)?;
        }
        Ok(added)
    }
}

/// The rows of blocks that are in the book, one after the other.
pub(super) struct Stored<I> {
    blocks: I,
    block: Vec<u8>,
    cursor: RowCursor,
    over: bool,
}

impl<I: Iterator<Item = Result<Vec<u8>>>> Stored<I> {
    pub(super) fn new(blocks: I, coding: Coding) -> Self {
        Stored { blocks, block: Vec::new(), cursor: RowCursor::new(coding), over: false }
    }

    fn advance(&mut self, store: &RedbStore) -> Result<()> {
        if self.block.is_empty() || self.cursor.is_at_end(&self.block) {
            let Some(block) = self.blocks.next().transpose()? else {
                self.over = true;
                return Ok(());
            };
            self.block = block;
            self.cursor.rewind();
        }
        self.cursor.advance(&self.block).ok_or_else(|| store.damaged_block(self.cursor.key()))
    }

    fn key(&self) -> Option<&[u8]> {
        (!self.over).then(|| self.cursor.key())
    }

    fn value(&self, store: &RedbStore) -> Result<Value<'_>> {
        self.cursor.value(&self.block).ok_or_else(|| store.damaged_row(self.cursor.key()))
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
