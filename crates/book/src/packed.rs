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

use crate::block::{BadBlock, common, eight};
use crate::{Counts, Row, varint};
use std::ops::Range;

/// Rows of a group.
const GROUP: usize = 16;
/// A group with so many bytes of keys and values is closed early.
const LARGE_GROUP: usize = 1 << 10;
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

/// Rows that will be a group.
#[derive(Default)]
struct Group {
    keys: Vec<u8>,
    key_ends: Vec<usize>,
    kinds: Vec<u8>,
    values: Vec<u8>,
    value_ends: Vec<usize>,
}

fn part<'a>(bytes: &'a [u8], ends: &[usize], n: usize) -> &'a [u8] {
    let from = n.checked_sub(1).map_or(0, |before| ends[before]);
    &bytes[from..ends[n]]
}

impl Group {
    fn len(&self) -> usize {
        self.kinds.len()
    }

    fn key(&self, n: usize) -> &[u8] {
        part(&self.keys, &self.key_ends, n)
    }

    fn last(&self) -> &[u8] {
        self.len().checked_sub(1).map_or(&[], |last| self.key(last))
    }

    /// Whether a row has to go into another group.
    fn is_full_for(&self, key: &[u8]) -> bool {
        let fits = |other: usize| other.abs_diff(key.len()) <= usize::from(u8::MAX) / 2;
        self.len() == GROUP
            || self.keys.len() + self.values.len() >= LARGE_GROUP
            || (self.len() > 0 && !fits(self.key_ends[0]))
    }

    fn push(&mut self, key: &[u8], value: Value<'_>) {
        self.keys.extend_from_slice(key);
        self.key_ends.push(self.keys.len());
        match value {
            Value::One { number, result } => {
                self.kinds.push(result);
                varint::put(&mut self.values, number);
            }
            Value::Row(bytes) => {
                self.kinds.push(ANY);
                varint::put(&mut self.values, bytes.len() as u64);
                self.values.extend_from_slice(bytes);
            }
        }
        self.value_ends.push(self.values.len());
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.key_ends.clear();
        self.kinds.clear();
        self.values.clear();
        self.value_ends.clear();
    }

    /// Appends the bytes.
    fn encode(&self, out: &mut Vec<u8>) {
        let first = self.key(0);
        let longest = (0..self.len()).map(|n| self.key(n).len()).max().unwrap_or(0);
        let same = common(first, self.last());
        varint::put(out, same as u64);
        varint::put(out, (longest - same) as u64);
        let base_at = out.len();
        out.extend_from_slice(first);
        out.resize(base_at + longest, 0);
        let base_short = (longest - first.len()) as u8;
        out.push(base_short);
        let columns = longest - same + 1;
        let mask_bytes = mask_bytes(columns);
        let mut base = [0; MASKED];
        let masked = (columns - 1).min(MASKED - 1);
        base[..masked].copy_from_slice(&out[base_at + same..base_at + same + masked]);
        let base = &base[..masked];
        for n in 0..self.len() {
            let key = self.key(n);
            let short = (longest - key.len()) as u8;
            let rest = &key[same..];
            let differing = differing_from(base, rest);
            let mask = u64::from(self.kinds[n]) | u64::from(short != base_short) << 2 | differing << 3;
            out.extend_from_slice(&mask.to_le_bytes()[..mask_bytes]);
            if short != base_short {
                out.push(short);
            }
            out.extend(ones(differing).map(|at| rest.get(at).copied().unwrap_or(0)));
            if columns > MASKED {
                let long = rest.get(masked..).unwrap_or_default();
                out.extend_from_slice(long);
                out.resize(out.len() + columns - 1 - masked - long.len(), 0);
            }
            out.extend_from_slice(part(&self.values, &self.value_ends, n));
        }
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

/// The places of the ones of a number, ascending.
#[inline]
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            at
        })
    })
}

/// Bytes of a mask for so many columns.
#[inline]
fn mask_bytes(columns: usize) -> usize {
    (columns.min(MASKED) + 2).div_ceil(8)
}

/// A block that is complete.
#[cfg_attr(not(feature = "redb"), allow(dead_code))] // Runs do not ask for the last key.
pub(crate) struct Closed<'a> {
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
    /// Its first key.
    pub(crate) first: &'a [u8],
    /// Its last key.
    pub(crate) last: &'a [u8],
    /// Whether no block comes after it.
    pub(crate) is_last: bool,
}

/// Gathers rows and makes blocks of them.
pub(crate) struct Packer {
    limit: usize,
    group: Group,
    encoded: Vec<u8>,
    /// The groups of the block.
    groups: Vec<u8>,
    ends: Vec<usize>,
    last: Vec<u8>,
    /// The first keys of the groups, one after the other.
    firsts: Vec<u8>,
    first_ends: Vec<usize>,
    block: Vec<u8>,
}

/// Takes the blocks as they are closed.
pub(crate) type Close<'a, E> = dyn FnMut(Closed<'_>) -> Result<(), E> + 'a;

impl Packer {
    /// Makes blocks of up to so many bytes, together with their last keys and those of the blocks before them.
    /// A block of one group may be larger.
    pub(crate) fn new(limit: usize) -> Self {
        Packer {
            limit: limit.min(usize::from(u16::MAX)),
            group: Group::default(),
            encoded: Vec::new(),
            groups: Vec::new(),
            ends: Vec::new(),
            last: Vec::new(),
            firsts: Vec::new(),
            first_ends: Vec::new(),
            block: Vec::new(),
        }
    }

    /// Adds a row; its key is above all keys before it.
    pub(crate) fn push<E>(
        &mut self,
        key: &[u8],
        value: Value<'_>,
        close: &mut Close<'_, E>,
    ) -> Result<(), E> {
        if self.group.is_full_for(key) {
            self.end_group(close)?;
        }
        self.group.push(key, value);
        Ok(())
    }

    /// Closes the last block, if there were any rows.
    pub(crate) fn finish<E>(&mut self, close: &mut Close<'_, E>) -> Result<(), E> {
        if self.group.len() > 0 {
            self.end_group(close)?;
        }
        if self.ends.is_empty() { Ok(()) } else { self.close_block(true, close) }
    }

    fn end_group<E>(&mut self, close: &mut Close<'_, E>) -> Result<(), E> {
        self.encoded.clear();
        self.group.encode(&mut self.encoded);
        let size = TABLE + PER_GROUP * (self.ends.len() + 1) + self.groups.len() + self.encoded.len();
        if !self.ends.is_empty() && size + 2 * self.group.last().len() > self.limit {
            self.close_block(false, close)?;
        }
        self.groups.extend_from_slice(&self.encoded);
        self.ends.push(self.groups.len());
        self.firsts.extend_from_slice(self.group.key(0));
        self.first_ends.push(self.firsts.len());
        self.last.clear();
        self.last.extend_from_slice(self.group.last());
        self.group.clear();
        Ok(())
    }

    fn close_block<E>(&mut self, is_last: bool, close: &mut Close<'_, E>) -> Result<(), E> {
        let first = part(&self.firsts, &self.first_ends, 0);
        let skip = common(first, &self.last).min(usize::from(u16::MAX));
        self.block.clear();
        self.block.extend_from_slice(&(self.ends.len() as u16).to_le_bytes());
        self.block.extend_from_slice(&(skip as u16).to_le_bytes());
        for n in 0..self.ends.len() {
            let head = head_of(part(&self.firsts, &self.first_ends, n), skip);
            self.block.extend_from_slice(&head.to_le_bytes());
        }
        for &end in &self.ends {
            // The end of a group that is too large for it is the end of the block.
            let end = u16::try_from(end).unwrap_or(u16::MAX);
            self.block.extend_from_slice(&end.to_le_bytes());
        }
        self.block.extend_from_slice(&self.groups);
        let closed = close(Closed { bytes: &self.block, first, last: &self.last, is_last });
        self.groups.clear();
        self.ends.clear();
        self.firsts.clear();
        self.first_ends.clear();
        closed
    }
}

/// Four bytes of a key as a number, zeros where it is over.
#[inline]
fn head_of(key: &[u8], skip: usize) -> u32 {
    match key.get(skip..skip + 4).and_then(|bytes| bytes.as_array()) {
        Some(bytes) => u32::from_be_bytes(*bytes),
        None => (skip..skip + 4).fold(0, |head, at| head << 8 | u32::from(key.get(at).copied().unwrap_or(0))),
    }
}

/// The table at the beginning of a block.
struct Table<'a> {
    heads: &'a [[u8; 4]],
    ends: &'a [[u8; 2]],
    skip: usize,
    /// Where the groups begin.
    start: usize,
    /// Where they end.
    end: usize,
}

impl<'a> Table<'a> {
    #[inline]
    fn of(block: &'a [u8]) -> Option<Self> {
        let (&[n0, n1, s0, s1], rest) = block.split_first_chunk::<TABLE>()?;
        let groups = usize::from(u16::from_le_bytes([n0, n1]));
        let (heads, rest) = rest.split_at_checked(4 * groups)?;
        let (ends, rest) = rest.split_at_checked(2 * groups)?;
        let skip = usize::from(u16::from_le_bytes([s0, s1]));
        let start = block.len() - rest.len();
        Some(Table { heads: heads.as_chunks().0, ends: ends.as_chunks().0, skip, start, end: block.len() })
    }

    /// Where a group is.
    #[inline]
    fn group(&self, n: usize) -> Option<Range<usize>> {
        let end = |n: usize| Some(self.start + usize::from(u16::from_le_bytes(*self.ends.get(n)?)));
        let from = n.checked_sub(1).map_or(Some(self.start), end)?;
        let to = if n + 1 == self.ends.len() { self.end } else { end(n)? };
        (from < to && to <= self.end).then_some(from..to)
    }
}

/// The beginning of a group.
struct Head {
    same: usize,
    base: Range<usize>,
    short: u8,
    /// Where its rows begin.
    rows: usize,
}

impl Head {
    #[inline]
    fn of(block: &[u8], group: &Range<usize>) -> Option<Self> {
        let mut rest = block.get(group.clone())?;
        let same = usize::try_from(varint::take(&mut rest)?).ok()?;
        let width = usize::try_from(varint::take(&mut rest)?).ok()?;
        let longest = same.checked_add(width)?;
        let at = group.end - rest.len();
        let short = *rest.get(longest)?;
        (usize::from(short) <= longest).then_some(Head {
            same,
            base: at..at + longest,
            short,
            rows: at + longest + 1,
        })
    }

    fn columns(&self) -> usize {
        self.base.len() - self.same + 1
    }
}

/// The mask at an offset.
#[inline]
fn mask_at(block: &[u8], at: usize, bytes: usize) -> Option<u64> {
    if let Some(eight) = block.get(at..at + 8).and_then(|eight| eight.as_array()) {
        return Some(u64::from_le_bytes(*eight) & (u64::MAX >> (64 - 8 * bytes)));
    }
    let bytes = block.get(at..at + bytes)?;
    Some(bytes.iter().rev().fold(0, |mask, &byte| mask << 8 | u64::from(byte)))
}

/// Where the value of a row is that begins here: for one game the bytes of its number, or else those of the row.
#[inline]
fn value_at(block: &[u8], kind: u8, at: usize, end: usize) -> Option<Range<usize>> {
    let mut rest = block.get(at..end)?;
    if kind != ANY {
        // A number ends with the first byte whose top bit is not set.
        return Some(at..at + 1 + rest.iter().position(|byte| *byte < 0x80)?);
    }
    let number = varint::take(&mut rest)?;
    let after = end - rest.len();
    let last = after.checked_add(usize::try_from(number).ok()?)?;
    (last <= end).then_some(after..last)
}

#[inline]
fn value_of(block: &[u8], kind: u8, place: Range<usize>) -> Option<Value<'_>> {
    let mut bytes = block.get(place)?;
    if kind == ANY {
        return Some(Value::Row(bytes));
    }
    Some(Value::One { number: varint::take(&mut bytes)?, result: kind })
}

/// The value of a key in a block; `None` when no row has it.
pub(crate) fn find<'a>(block: &'a [u8], key: &[u8]) -> Result<Option<Value<'a>>, BadBlock> {
    let table = Table::of(block).ok_or(BadBlock)?;
    let head = head_of(key, table.skip);
    // The row can be in the last group whose first key is not above the wanted one, as far as the heads tell; and in
    // those before it, down to the first that is certainly below.
    let mut n = table.heads.partition_point(|first| u32::from_le_bytes(*first) <= head);
    while n > 0 {
        n -= 1;
        let group = table.group(n).ok_or(BadBlock)?;
        if let Some(value) = find_in_group(block, &group, key)? {
            return Ok(Some(value));
        }
        if u32::from_le_bytes(table.heads[n]) < head {
            break;
        }
    }
    Ok(None)
}

fn find_in_group<'a>(
    block: &'a [u8],
    group: &Range<usize>,
    key: &[u8],
) -> Result<Option<Value<'a>>, BadBlock> {
    let head = Head::of(block, group).ok_or(BadBlock)?;
    let base = &block[head.base.clone()];
    let Some(short) = base.len().checked_sub(key.len()).and_then(|short| u8::try_from(short).ok()) else {
        return Ok(None);
    };
    if key.get(..head.same).is_none_or(|same| *same != base[..head.same]) {
        return Ok(None);
    }
    let columns = head.columns();
    if columns > MASKED {
        return find_long(block, group, key);
    }
    // What the row would look like.
    let (base, rest) = (&base[head.same..], &key[head.same..]);
    let differing = differing_from(base, rest);
    let wanted = u64::from(short != head.short) | differing << 1;
    let (mut bytes, mut count) = ([0; MASKED + 1], 0);
    let first = (short != head.short).then_some(short);
    for byte in first.into_iter().chain(ones(differing).map(|at| rest.get(at).copied().unwrap_or(0))) {
        bytes[count] = byte;
        count += 1;
    }
    let (size, mut at) = (mask_bytes(columns), head.rows);
    while at < group.end {
        let mask = mask_at(block, at, size).ok_or(BadBlock)?;
        let (kind, differing) = (mask as u8 & 3, mask >> 2);
        let bytes_at = at + size;
        let bytes_end = bytes_at + differing.count_ones() as usize;
        let value = value_at(block, kind, bytes_end, group.end).ok_or(BadBlock)?;
        if differing == wanted && block[bytes_at..bytes_end] == bytes[..count] {
            return value_of(block, kind, value).ok_or(BadBlock).map(Some);
        }
        at = value.end;
    }
    Ok(None)
}

/// The same for keys with more columns than a mask has bits.
#[cold]
fn find_long<'a>(block: &'a [u8], group: &Range<usize>, key: &[u8]) -> Result<Option<Value<'a>>, BadBlock> {
    let mut cursor = PackedCursor::default();
    cursor.begin(block, group.clone()).ok_or(BadBlock)?;
    while cursor.next < cursor.group_end {
        cursor.read_row(block).ok_or(BadBlock)?;
        if cursor.key == key {
            return cursor.value(block).ok_or(BadBlock).map(Some);
        }
    }
    Ok(None)
}

/// A place in a block, row by row. It starts before the first row.
#[derive(Default)]
pub(crate) struct PackedCursor {
    /// Where the next row begins, or the next group.
    next: usize,
    /// Groups that were begun.
    groups: usize,
    group_end: usize,
    same: usize,
    base: Vec<u8>,
    base_short: u8,
    key: Vec<u8>,
    before: Vec<u8>,
    kind: u8,
    value: Range<usize>,
}

impl PackedCursor {
    /// Whether all rows have been seen.
    pub(crate) fn is_at_end(&self, block: &[u8]) -> bool {
        block.is_empty() || self.groups > 0 && self.next == block.len()
    }

    /// Goes before the first row of another block.
    pub(crate) fn rewind(&mut self) {
        (self.next, self.groups, self.group_end) = (0, 0, 0);
        self.key.clear();
    }

    /// Goes to the next row of a block that is not at its end; `None` when it does not decode, or is not above the row
    /// before it.
    pub(crate) fn advance(&mut self, block: &[u8]) -> Option<()> {
        let is_first = self.groups == 0;
        if self.next == self.group_end {
            let group = Table::of(block)?.group(self.groups)?;
            self.begin(block, group)?;
            self.groups += 1;
        }
        std::mem::swap(&mut self.key, &mut self.before);
        self.read_row(block)?;
        (is_first || self.before < self.key).then_some(())
    }

    fn begin(&mut self, block: &[u8], group: Range<usize>) -> Option<()> {
        let head = Head::of(block, &group)?;
        self.base.clear();
        self.base.extend_from_slice(&block[head.base]);
        (self.same, self.base_short) = (head.same, head.short);
        (self.next, self.group_end) = (head.rows, group.end);
        Some(())
    }

    fn read_row(&mut self, block: &[u8]) -> Option<()> {
        let columns = self.base.len() - self.same + 1;
        let size = mask_bytes(columns);
        let mask = mask_at(block, self.next, size)?;
        let (mut differing, mut at) = (mask >> 2, self.next + size);
        self.kind = mask as u8 & 3;
        self.key.clear();
        self.key.extend_from_slice(&self.base);
        let mut short = self.base_short;
        while differing != 0 {
            let column = differing.trailing_zeros() as usize;
            differing &= differing - 1;
            let byte = *block.get(at)?;
            at += 1;
            match column.checked_sub(1) {
                None => short = byte,
                Some(column) => *self.key.get_mut(self.same + column)? = byte,
            }
        }
        if columns > MASKED {
            let rest = self.key.get_mut(self.same + MASKED - 1..)?;
            rest.copy_from_slice(block.get(at..at + rest.len())?);
            at += rest.len();
        }
        self.key.truncate(self.base.len().checked_sub(usize::from(short))?);
        self.value = value_at(block, self.kind, at, self.group_end)?;
        self.next = self.value.end;
        Some(())
    }

    /// The key of this row.
    pub(crate) fn key(&self) -> &[u8] {
        &self.key
    }

    /// The value of this row.
    pub(crate) fn value<'a>(&self, block: &'a [u8]) -> Option<Value<'a>> {
        value_of(block, self.kind, self.value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

    /// Keys of few letters, so that many share their beginning and some are the beginning of others; some longer than
    /// a mask.
    fn key() -> impl Strategy<Value = Vec<u8>> {
        let short = proptest::collection::vec(0u8..3, 0..6);
        let long = (proptest::collection::vec(0u8..2, 0..3), proptest::collection::vec(0u8..2, 150));
        let long = long.prop_map(|(few, many)| [few, many].concat());
        prop_oneof![9 => short, 1 => long]
    }

    /// Rows that are one game with one move, and others.
    fn rows() -> impl Strategy<Value = Rows> {
        let one = (any::<u32>(), 0u8..3).prop_map(|(number, result)| {
            let n = |which| u64::from(result == which);
            let counts = Counts { wins0: n(0), wins1: n(1), draws: n(2) };
            Row { totals: counts, moves: vec![(number.into(), counts)] }
        });
        let other = proptest::collection::btree_map(any::<u64>(), 2u64..9, 0..4).prop_map(|moves| {
            let counts = |wins0| Counts { wins0, wins1: 1, draws: 0 };
            let moves = moves.into_iter().map(|(number, n)| (number, counts(n))).collect();
            Row { totals: Counts { wins0: 10, wins1: 10, draws: 0 }, moves }
        });
        let bytes = prop_oneof![one, other].prop_map(|row| {
            let mut bytes = Vec::new();
            row.encode(&mut bytes);
            bytes
        });
        proptest::collection::btree_map(key(), bytes, 0..90)
    }

    /// The blocks of rows, with their first and last keys.
    fn blocks(rows: &Rows, limit: usize) -> Vec<(Vec<u8>, Vec<u8>, Vec<u8>)> {
        let (mut packer, mut blocks, mut over) = (Packer::new(limit), Vec::new(), false);
        let close = &mut |closed: Closed<'_>| {
            assert!(!std::mem::replace(&mut over, closed.is_last));
            blocks.push((closed.bytes.to_vec(), closed.first.to_vec(), closed.last.to_vec()));
            Ok::<(), ()>(())
        };
        for (key, value) in rows {
            packer.push(key, Value::of_bytes(value), close).unwrap();
        }
        packer.finish(close).unwrap();
        assert_eq!(over, !rows.is_empty());
        blocks
    }

    fn bytes_of(value: Value<'_>) -> Option<Vec<u8>> {
        let (mut row, mut bytes) = (Row::default(), Vec::new());
        value.read_into(&mut row)?;
        row.encode(&mut bytes);
        Some(bytes)
    }

    fn read(block: &[u8]) -> Option<Rows> {
        let (mut cursor, mut rows) = (PackedCursor::default(), Rows::new());
        while !cursor.is_at_end(block) {
            cursor.advance(block)?;
            rows.insert(cursor.key().to_vec(), bytes_of(cursor.value(block)?)?);
        }
        Some(rows)
    }

    proptest! {
        #[test]
        fn rows_come_back(rows in rows(), limit in 50usize..600) {
            let mut again = Rows::new();
            for (block, first, last) in blocks(&rows, limit) {
                let part = read(&block).unwrap();
                prop_assert_eq!(part.first_key_value().map(|(key, _)| key), Some(&first));
                prop_assert_eq!(part.last_key_value().map(|(key, _)| key), Some(&last));
                again.extend(part);
            }
            prop_assert_eq!(again, rows);
        }

        #[test]
        fn a_search_finds_what_a_map_finds(
            rows in rows(), limit in 50usize..600, keys in proptest::collection::vec(key(), 20),
        ) {
            for (block, first, last) in blocks(&rows, limit) {
                for key in keys.iter().chain(rows.keys()).filter(|key| first <= **key && **key <= last) {
                    let found = find(&block, key).unwrap().map(|value| bytes_of(value).unwrap());
                    prop_assert_eq!(found.as_ref(), rows.get(key));
                }
            }
        }

        #[test]
        fn any_bytes_are_refused_or_read(
            rows in rows(), changes in proptest::collection::vec((any::<u16>(), any::<u8>()), 0..6), key in key(),
        ) {
            for (mut block, ..) in blocks(&rows, 400) {
                for &(at, byte) in &changes {
                    let at = usize::from(at) % block.len();
                    block[at] = byte;
                }
                let _ = find(&block, &key);
                let _ = read(&block);
            }
        }

        #[test]
        fn any_other_bytes_are_refused_or_read(bytes: Vec<u8>, key: Vec<u8>) {
            let _ = find(&bytes, &key);
            let _ = read(&bytes);
        }
    }

    #[test]
    fn the_bytes_are_pinned() {
        let rows = [(&b"aaxz"[..], &[3, 5, 0][..]), (b"abxz", &[3, 5, 2]), (b"abyz", &[6, 0, 0])];
        let rows: Rows = rows.map(|(key, value)| (key.to_vec(), value.to_vec())).into();
        let block = [
            &[1, 0, 1, 0, 0, b'z', b'x', b'a', 19, 0][..],
            &[1, 3],
            b"aaxz\0",
            &[0, 5],
            &[0b1010, b'b', 5],
            &[0b1_1011, b'b', b'y', 3, 6, 0, 0],
        ];
        assert_eq!(blocks(&rows, 4096), [(block.concat(), b"aaxz".to_vec(), b"abyz".to_vec())]);
    }
}
