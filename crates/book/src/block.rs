//! Plain blocks of rows, as books of before have them: they are read, and no longer written (`packed.rs`).
//!
//! ```text
//! block = { shared rest key size value }     rows of ascending keys
//! shared    bytes the key has in common with the key before it (0 for the first)
//! rest, key bytes of the key that follow, and they
//! size, value    bytes of the value, and they: a row, see row.rs
//! ```
//!
//! Neighbours share most of their keys, so a position takes about half of what it would take alone;
//! and a search reads on without building any key.

use crate::varint;
use std::cmp::Ordering;
use std::ops::Range;

/// Gathers the rows of a block.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct BlockWriter {
    bytes: Vec<u8>,
    last_key: Vec<u8>,
}

#[cfg(test)]
impl BlockWriter {
    /// Adds a row; its key is above all keys before it.
    pub(crate) fn push(&mut self, key: &[u8], value: &[u8]) {
        let shared = if self.bytes.is_empty() { 0 } else { common(key, &self.last_key) };
        let rest = &key[shared..];
        varint::put(&mut self.bytes, shared as u64);
        varint::put(&mut self.bytes, rest.len() as u64);
        self.bytes.extend_from_slice(rest);
        varint::put(&mut self.bytes, value.len() as u64);
        self.bytes.extend_from_slice(value);
        self.last_key.truncate(shared);
        self.last_key.extend_from_slice(rest);
    }

    /// The rows so far.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The last key; of no meaning while the block is empty.
    pub(crate) fn last_key(&self) -> &[u8] {
        &self.last_key
    }
}

/// How many bytes two keys have in common: eight are compared at a time where there are as many.
#[inline]
pub(crate) fn common(a: &[u8], b: &[u8]) -> usize {
    let mut same = 0;
    while let (Some(x), Some(y)) = (eight(a, same), eight(b, same)) {
        if x != y {
            return same + (x ^ y).trailing_zeros() as usize / 8;
        }
        same += 8;
    }
    while same < a.len() && same < b.len() && a[same] == b[same] {
        same += 1;
    }
    same
}

#[inline]
pub(crate) fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.as_array().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Where the parts of a row are in its block.
struct Place {
    shared: usize,
    rest: Range<usize>,
    value: Range<usize>,
}

/// The place of the row at an offset; `None` when it does not decode.
#[inline]
fn place(block: &[u8], at: usize) -> Option<Place> {
    short(block, at).or_else(|| long(block, at))
}

/// A row whose three numbers have one byte each, as nearly all rows have.
#[inline]
fn short(block: &[u8], at: usize) -> Option<Place> {
    let &[shared, length] = block.get(at..at + 2)?.as_array()?;
    let rest = at + 2..at + 2 + usize::from(length);
    let size = *block.get(rest.end)?;
    let value = rest.end + 1..rest.end + 1 + usize::from(size);
    let is_short = (shared | length | size) < 0x80 && value.end <= block.len();
    is_short.then_some(Place { shared: shared.into(), rest, value })
}

/// Any row.
#[inline(never)]
fn long(block: &[u8], at: usize) -> Option<Place> {
    let mut after = block.get(at..)?;
    let shared = usize::try_from(varint::take(&mut after)?).ok()?;
    let mut range = || {
        let length = varint::take_sized(&mut after)?.len();
        let end = block.len() - after.len();
        Some(end - length..end)
    };
    Some(Place { shared, rest: range()?, value: range()? })
}

/// A place in a block, row by row. It starts before the first row.
#[derive(Default)]
pub(crate) struct BlockCursor {
    next: usize,
    key: Vec<u8>,
    value: Range<usize>,
}

impl BlockCursor {
    /// Whether all rows have been seen.
    pub(crate) fn is_at_end(&self, block: &[u8]) -> bool {
        self.next >= block.len()
    }

    /// Goes before the first row of another block.
    pub(crate) fn rewind(&mut self) {
        self.next = 0;
        self.key.clear();
    }

    /// Goes to the next row of a block that is not at its end; `None` when it does not decode, is not
    /// above the row before it, or shares more with it than it says.
    pub(crate) fn advance(&mut self, block: &[u8]) -> Option<()> {
        let place = place(block, self.next)?;
        let rest = &block[place.rest];
        let above = self.key.get(place.shared..)?.first() < rest.first();
        if self.next > 0 && !above {
            return None;
        }
        self.key.truncate(place.shared);
        self.key.extend_from_slice(rest);
        self.next = place.value.end;
        self.value = place.value;
        Some(())
    }

    /// The key of this row.
    pub(crate) fn key(&self) -> &[u8] {
        &self.key
    }

    /// The value of this row.
    pub(crate) fn value<'a>(&self, block: &'a [u8]) -> &'a [u8] {
        block.get(self.value.clone()).unwrap_or_default()
    }
}

/// A block that does not decode.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadBlock;

/// What a search in a block comes to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found<'a> {
    /// The value of the key.
    Value(&'a [u8]),
    /// No row has the key, and some have larger ones.
    Absent,
    /// All rows have smaller keys.
    Beyond,
}

/// The value of a key in a block.
pub(crate) fn find<'a>(block: &'a [u8], key: &[u8]) -> Result<Found<'a>, BadBlock> {
    // How much of the wanted key the row before has; that row is below the wanted one.
    let (mut at, mut matched) = (0, 0);
    loop {
        if let Some(&wanted) = key.get(matched) {
            at = skip_below(block, at, matched, wanted);
        }
        if at >= block.len() {
            break;
        }
        let place = place(block, at).ok_or(BadBlock)?;
        at = place.value.end;
        match place.shared.cmp(&matched) {
            // Differs from the wanted key where the row before does, and as that does.
            Ordering::Greater => continue,
            // Above the row before where that has the wanted byte.
            Ordering::Less => return Ok(Found::Absent),
            Ordering::Equal => {}
        }
        let (rest, wanted) = (&block[place.rest], &key[matched..]);
        let same = common(rest, wanted);
        match rest.get(same).cmp(&wanted.get(same)) {
            Ordering::Less => matched += same,
            Ordering::Equal => return Ok(Found::Value(&block[place.value])),
            Ordering::Greater => return Ok(Found::Absent),
        }
    }
    if at == block.len() { Ok(Found::Beyond) } else { Err(BadBlock) }
}

/// Skips the rows that one look tells to be below the wanted key, of which the row before has `matched` bytes:
/// they share more than that with the row before, or go on with a smaller byte than `wanted`. Most rows that a
/// search meets are of this kind, and their numbers have one byte.
#[inline]
fn skip_below(block: &[u8], mut at: usize, matched: usize, wanted: u8) -> usize {
    while let Some(&[shared, length, first]) = block.get(at..at + 3).and_then(|row| row.as_array()) {
        let is_below =
            usize::from(shared) > matched || usize::from(shared) == matched && length > 0 && first < wanted;
        let size_at = at + 2 + usize::from(length);
        match block.get(size_at) {
            Some(&size) if is_below && (shared | length | size) < 0x80 => {
                at = size_at + 1 + usize::from(size);
            }
            _ => break,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

    /// Keys of few letters, so that many share their beginning and some are the beginning of others.
    fn rows() -> impl Strategy<Value = Rows> {
        let key = proptest::collection::vec(0u8..3, 0..6);
        proptest::collection::btree_map(key, proptest::collection::vec(any::<u8>(), 0..4), 0..60)
    }

    fn block(rows: &Rows) -> Vec<u8> {
        let mut writer = BlockWriter::default();
        rows.iter().for_each(|(key, value)| writer.push(key, value));
        if let Some((last, _)) = rows.last_key_value() {
            assert_eq!(writer.last_key(), last);
        }
        writer.bytes().to_vec()
    }

    fn read(block: &[u8]) -> Option<Rows> {
        let (mut cursor, mut rows) = (BlockCursor::default(), Rows::new());
        while !cursor.is_at_end(block) {
            cursor.advance(block)?;
            rows.insert(cursor.key().to_vec(), cursor.value(block).to_vec());
        }
        Some(rows)
    }

    proptest! {
        #[test]
        fn rows_come_back(rows in rows()) {
            prop_assert_eq!(read(&block(&rows)), Some(rows));
        }

        #[test]
        fn a_search_finds_what_a_map_finds(rows in rows(), keys in proptest::collection::vec(
            proptest::collection::vec(0u8..3, 0..6), 20)) {
            let block = block(&rows);
            for key in keys.iter().chain(rows.keys()) {
                let expected = match rows.get(key) {
                    Some(value) => Found::Value(value),
                    None if rows.last_key_value().is_some_and(|(last, _)| key < last) => Found::Absent,
                    None => Found::Beyond,
                };
                prop_assert_eq!(find(&block, key), Ok(expected));
            }
        }

        #[test]
        fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(0u8..6, 0..40), key: Vec<u8>) {
            let _ = find(&bytes, &key);
            if let Some(rows) = read(&bytes) {
                // No bytes but those that would be written.
                prop_assert_eq!(block(&rows), bytes);
            }
        }
    }
}
