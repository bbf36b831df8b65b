//! Blocks of rows as they are written now: in groups, so that a search looks at a few rows only.
//!
//! ```text
//! block  = groups u16  skip u16  { head u32 }  { end u16 }  { group }
//! groups   how many there are
//! skip     bytes that the first and the last key of the block have in common
//! head     four bytes of the first key of a group, from its byte `skip` on, as a number: the first byte weighs most
//! end      where a group ends, counted from the first one
//!
//! group  = same width base short  { row }        up to 16 rows of ascending keys
//! same     bytes that all its keys begin with
//! width    bytes that come after them in the longest key
//! base     same + width bytes: the first key, filled up with zeros
//! short    u8: how many bytes were filled up
//!
//! row    = mask bytes value
//! mask     its two lowest bits are the kind; the bits above, lowest first, are the columns: how many bytes this key is
//!          shorter than the longest, then the bytes after `same`, filled up with zeros. A bit is set where the column
//!          differs from the base. As few bytes as hold all of it; columns from the 62nd on have no bit and always differ
//! bytes    the columns that differ
//! value  = number           kinds 0, 1, 2: one game, which played this move, and was won by player 0, won by player 1, drawn
//!        | size row         kind 3: any other row, see row.rs
//! ```
//!
//! Numbers without a size are varints. Neighbours share the beginning of their keys, and often the end, which is
//! where a position says what is rare. A group needs nothing but itself to be read.

#[cfg(any(test, feature = "redb"))]
mod card;
mod read;
#[cfg(test)]
mod tests;
mod write;

#[cfg(any(test, feature = "redb"))]
pub(crate) use card::{card_of, guess, table_of};
#[cfg(any(test, feature = "redb"))]
pub(crate) use read::group_of;
pub(crate) use read::{PackedCursor, find};
pub(crate) use write::{Closed, Packer};

use crate::block::eight;
use crate::{Counts, Row, varint};

/// Columns that have a bit in the mask.
const MASKED: usize = 62;
/// Bytes of the table before its parts for each group, and of these.
const TABLE: usize = 4;
const PER_GROUP: usize = 6;
/// The kind of a value that is not one game with one move.
const ANY: u8 = 3;

/// The value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    /// One game met the position and played this move; 0 or 1: that player won it; 2: it was drawn.
    One { number: u64, result: u8 },
    /// Any other row, encoded.
    Row(&'a [u8]),
}

impl<'a> Value<'a> {
    /// The value of a row; the buffer is for its bytes.
    #[inline]
    pub(crate) fn of(row: &Row, buffer: &'a mut Vec<u8>) -> Self {
        if let [(number, counts)] = row.moves[..]
            && counts == row.totals
            && let Some(result) = one_game(counts)
        {
            return Value::One { number, result };
        }
        buffer.clear();
        row.encode(buffer);
        Value::Row(buffer)
    }

    /// The value that an encoded row is.
    pub(crate) fn of_bytes(bytes: &'a [u8]) -> Self {
        let one = || {
            let (3, mut rest) = (*bytes.first()?, bytes.get(1..)?) else { return None };
            let number = varint::take(&mut rest)?;
            let &[result @ 0..=2] = rest else { return None };
            Some(Value::One { number, result })
        };
        one().unwrap_or(Value::Row(bytes))
    }

    /// Fills in the row; `None` when it does not decode, or should have been the other kind of value.
    #[inline]
    pub(crate) fn read_into(self, row: &mut Row) -> Option<()> {
        match self {
            Value::One { number, result } => {
                let n = |which: u8| u64::from(result == which);
                let counts = Counts { wins0: n(0), wins1: n(1), draws: n(2) };
                row.clear();
                row.totals = counts;
                row.moves.push((number, counts));
                Some(())
            }
            Value::Row(bytes) => {
                row.decode_into(bytes)?;
                let [(_, counts)] = row.moves[..] else { return Some(()) };
                (counts != row.totals || one_game(counts).is_none()).then_some(())
            }
        }
    }
}

#[inline]
fn one_game(counts: Counts) -> Option<u8> {
    match counts {
        Counts { wins0: 1, wins1: 0, draws: 0 } => Some(0),
        Counts { wins0: 0, wins1: 1, draws: 0 } => Some(1),
        Counts { wins0: 0, wins1: 0, draws: 1 } => Some(2),
        _ => None,
    }
}

/// The places where a key, filled up with zeros, differs from its base, as bits.
#[inline]
fn differing_from(base: &[u8], key: &[u8]) -> u64 {
    let (mut bits, mut at) = (0, 0);
    while let (Some(x), Some(y)) = (eight(base, at), eight(key, at)) {
        bits |= other_bytes(x, y) << at;
        at += 8;
    }
    for (at, byte) in base.iter().enumerate().skip(at) {
        bits |= u64::from(key.get(at).copied().unwrap_or(0) != *byte) << at;
    }
    bits
}

/// One bit for each of eight bytes: whether they differ.
#[inline]
fn other_bytes(a: u64, b: u64) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let bits = a ^ b;
    // The top bit of each byte that is not zero; they are then moved together.
    let tops = (((bits & LOW) + LOW) | bits) & !LOW;
    (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Bytes of a mask for so many columns.
#[inline]
fn mask_bytes(columns: usize) -> usize {
    (columns.min(MASKED) + 2).div_ceil(8)
}

/// Four bytes of a key as a number, zeros where it is over.
#[inline]
fn head_of(key: &[u8], skip: usize) -> u32 {
    match key.get(skip..skip + 4).and_then(|bytes| bytes.as_array()) {
        Some(bytes) => u32::from_be_bytes(*bytes),
        None => (skip..skip + 4).fold(0, |head, at| head << 8 | u32::from(key.get(at).copied().unwrap_or(0))),
    }
}
