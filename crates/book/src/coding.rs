//! The two ways in which blocks are written: plain (`block.rs`), as in books of before, and packed (`packed.rs`).

use crate::block::{self, BadBlock, BlockCursor, Found};
use crate::packed::{self, PackedCursor, Value};

/// How the rows of a block are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Plain,
    Packed,
}

/// What a search in a block comes to.
pub(crate) enum Sought<'a> {
    /// The value of the key.
    Value(Value<'a>),
    /// No row has the key.
    Absent,
    /// All rows have smaller keys; packed blocks do not tell.
    Beyond,
}

impl Coding {
    /// The value of a key in a block.
    #[inline]
    pub(crate) fn find<'a>(self, block: &'a [u8], key: &[u8]) -> Result<Sought<'a>, BadBlock> {
        Ok(match self {
            Coding::Packed => packed::find(block, key)?.map_or(Sought::Absent, Sought::Value),
            Coding::Plain => match block::find(block, key)? {
                Found::Value(bytes) => Sought::Value(Value::of_bytes(bytes)),
                Found::Absent => Sought::Absent,
                Found::Beyond => Sought::Beyond,
            },
        })
    }
}

/// A place in a block of either kind, row by row. It starts before the first row.
pub(crate) enum RowCursor {
    Plain(BlockCursor),
    Packed(PackedCursor),
}

impl RowCursor {
    pub(crate) fn new(coding: Coding) -> Self {
        match coding {
            Coding::Plain => RowCursor::Plain(BlockCursor::default()),
            Coding::Packed => RowCursor::Packed(PackedCursor::default()),
        }
    }

    /// Whether all rows have been seen.
    pub(crate) fn is_at_end(&self, block: &[u8]) -> bool {
        match self {
            RowCursor::Plain(cursor) => cursor.is_at_end(block),
            RowCursor::Packed(cursor) => cursor.is_at_end(block),
        }
    }

    /// Goes before the first row of another block.
    pub(crate) fn rewind(&mut self) {
        match self {
            RowCursor::Plain(cursor) => cursor.rewind(),
            RowCursor::Packed(cursor) => cursor.rewind(),
        }
    }

    /// Goes to the next row of a block that is not at its end; `None` when it does not decode, or is not above the row
    /// before it.
    #[inline]
    pub(crate) fn advance(&mut self, block: &[u8]) -> Option<()> {
        match self {
            RowCursor::Plain(cursor) => cursor.advance(block),
            RowCursor::Packed(cursor) => cursor.advance(block),
        }
    }

    /// The key of this row.
    #[inline]
    pub(crate) fn key(&self) -> &[u8] {
        match self {
            RowCursor::Plain(cursor) => cursor.key(),
            RowCursor::Packed(cursor) => cursor.key(),
        }
    }

    /// The value of this row.
    #[inline]
    pub(crate) fn value<'a>(&self, block: &'a [u8]) -> Option<Value<'a>> {
        match self {
            RowCursor::Plain(cursor) => Some(Value::of_bytes(cursor.value(block))),
            RowCursor::Packed(cursor) => cursor.value(block),
        }
    }
}
