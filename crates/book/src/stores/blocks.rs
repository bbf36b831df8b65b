//! Blocks of a redb file by themselves, for whoever throws bytes at them (`tabia-fuzz-targets`). No part of the interface: it may
//! change at any time.
//!
//! A format is the number in a book: 2, 3 or 4.

use super::redb_block::{Bounds, open, seal, sum_of};
use super::redb_file::Layout;
use crate::Row;
use crate::coding::{RowCursor, Sought};
use crate::packed::{Closed, Packer, Value};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// A block as it stands in the file, and the key that it is filed under.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its last key.
    pub last: Vec<u8>,
}

/// Rows as blocks of so many bytes, in the format that is written.
pub fn pack(rows: &BTreeMap<Vec<u8>, Row>, limit: usize) -> Vec<Sealed> {
    let (mut packer, mut blocks, mut low) = (Packer::new(limit), Vec::new(), Vec::new());
    let mut close = |block: Closed<'_>| -> Result<(), Infallible> {
        let (mut bytes, bounds) = (Vec::new(), Bounds { low: &low, is_last: block.is_last });
        seal(&mut bytes, bounds, block.bytes, block.last);
        low = block.last.to_vec();
        blocks.push(Sealed { bytes, last: low.clone() });
        Ok(())
    };
    let mut buffer = Vec::new();
    for (key, row) in rows {
        let Ok(()) = packer.push(key, Value::of(row, &mut buffer), &mut close);
    }
    let Ok(()) = packer.finish(&mut close);
    blocks
}

impl Sealed {
    /// Gives it a right checksum, whatever it has inside.
    pub fn sum(&mut self, format: u32) {
        let last = if Layout::of(format) == Some(Layout::Packed) { &self.last[..] } else { &[] };
        if let Some((sum, body)) = self.bytes.split_first_chunk_mut::<4>() {
            *sum = sum_of(body, last).to_le_bytes();
        }
    }

    /// All its rows; `None` when it is damaged.
    pub fn rows(&self, format: u32) -> Option<Vec<(Vec<u8>, Row)>> {
        let layout = Layout::of(format)?;
        let block = open(&self.bytes, &self.last, layout)?.rows;
        let (mut cursor, mut rows) = (RowCursor::new(layout.coding()), Vec::new());
        while !cursor.is_at_end(block) {
            cursor.advance(block)?;
            let mut row = Row::default();
            cursor.value(block)?.read_into(&mut row)?;
            rows.push((cursor.key().to_vec(), row));
        }
        (cursor.key() == self.last).then_some(rows)
    }

    /// The row of a key, if there is one; `None` when the block is damaged.
    pub fn find(&self, format: u32, key: &[u8]) -> Option<Option<Row>> {
        let layout = Layout::of(format)?;
        let block = open(&self.bytes, &self.last, layout)?;
        match layout.coding().find(block.rows, key).ok()? {
            Sought::Value(value) => {
                let mut row = Row::default();
                value.read_into(&mut row).map(|()| Some(row))
            }
            Sought::Absent => Some(None),
            Sought::Beyond => None,
        }
    }
}
