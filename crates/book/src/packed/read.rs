//! Looking a key up in a block, and going through its rows.

use super::{ANY, MASKED, TABLE, Value, differing_from, head_of, mask_bytes};
use crate::block::{BadBlock, eight};
use crate::varint;
use std::ops::Range;
use tabia_core::bits::ones;

/// The table at the beginning of a block.
pub(super) struct Table<'a> {
    pub(super) heads: &'a [[u8; 4]],
    ends: &'a [[u8; 2]],
    skip: usize,
    /// Where the groups begin.
    pub(super) start: usize,
    /// Where they end.
    end: usize,
}

impl<'a> Table<'a> {
    #[inline]
    pub(super) fn of(block: &'a [u8]) -> Option<Self> {
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
    pub(super) fn group(&self, n: usize) -> Option<Range<usize>> {
        let end = |n: usize| Some(self.start + usize::from(u16::from_le_bytes(*self.ends.get(n)?)));
        let from = n.checked_sub(1).map_or(Some(self.start), end)?;
        let to = if n + 1 == self.ends.len() { self.end } else { end(n)? };
        (from < to && to <= self.end).then_some(from..to)
    }
}

/// The beginning of a group.
pub(super) struct Head {
    same: usize,
    pub(super) base: Range<usize>,
    pub(super) short: u8,
    /// Where its rows begin.
    rows: usize,
}

impl Head {
    #[inline]
    pub(super) fn of(block: &[u8], group: &Range<usize>) -> Option<Self> {
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
        // A number ends with the first byte whose top bit is not set. How long it is cannot be predicted: eight bytes
        // are looked at together.
        let ends = eight(block, at).map_or(0, |eight| !eight & 0x8080_8080_8080_8080);
        if ends != 0 {
            let last = at + 1 + ends.trailing_zeros() as usize / 8;
            return (last <= end).then_some(at..last);
        }
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

/// The group that a key most likely is in, if it is in the block: where another begins with the same bytes, it may be one before.
#[cfg(any(test, feature = "redb"))]
#[inline]
pub(crate) fn group_of(block: &[u8], key: &[u8]) -> Option<Range<usize>> {
    let table = Table::of(block)?;
    let head = head_of(key, table.skip);
    let up_to = table.heads.partition_point(|first| u32::from_le_bytes(*first) <= head);
    table.group(up_to.checked_sub(1)?)
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
    let columns = head.columns();
    if columns > MASKED || base.len() > u64::BITS as usize {
        return find_long(block, group, key);
    }
    let all = differing_from(base, key);
    let Some(rest) = key.get(head.same..).filter(|_| all.trailing_zeros() as usize >= head.same) else {
        return Ok(None);
    };
    // What the row would look like.
    let differing = all.unbounded_shr(head.same as u32);
    let wanted = u64::from(short != head.short) | differing << 1;
    let (mut bytes, mut count) = ([0; MASKED + 1], 0);
    let first = (short != head.short).then_some(short);
    for byte in first.into_iter().chain(ones(differing).map(|at| rest.get(at).copied().unwrap_or(0))) {
        bytes[count] = byte;
        count += 1;
    }
    // The base is the first key: where another one first differs from it, it is above it.
    let first_column = differing.trailing_zeros();
    let first_byte = if differing == 0 { u8::MAX } else { bytes[usize::from(short != head.short)] };
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
        // Rows ascend: none after one that is above the wanted key has it.
        let column = (differing >> 1).trailing_zeros();
        let byte = block.get(bytes_at + (differing & 1) as usize).copied().unwrap_or(0);
        if column < first_column || column == first_column && byte > first_byte {
            return Ok(None);
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
