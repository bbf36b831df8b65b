//! Blocks as they stand in the redb file: sealed, so that damage is noticed when they are read.
//!
//! ```text
//! sealed block = crc32 u32  bounds  low  rows
//! crc32    of all that follows, and of the key that the block is filed under
//! bounds   varint: the length of low, doubled, and 1 more for the last block of the table
//! low      the last key of the block before this one; nothing for the first
//! rows     see packed.rs
//! ```
//!
//! In the layout before this one the sum was without the key, and the rows stood as block.rs says.
//!
//! redb does not look at the checksums of its pages when it reads them. The one here finds damage inside a
//! block. The bounds find damage to the tree of pages that leads past a block: the keys of a block are above
//! its low and up to the key it is filed under, and all blocks join without a gap.

use super::redb_file::Layout;
use crate::varint;
use std::cmp::Ordering;

/// A block that was read.
pub(super) struct Opened<'a> {
    /// Its rows.
    pub(super) rows: &'a [u8],
    /// What it says about its place; blocks of the layout before this one say nothing.
    pub(super) bounds: Option<Bounds<'a>>,
}

/// The place of a block among the others.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    /// The last key of the block before.
    pub(super) low: &'a [u8],
    /// Whether no block comes after it.
    pub(super) is_last: bool,
}

/// Writes a block as it will stand in the file under a key.
pub(super) fn seal(out: &mut Vec<u8>, bounds: Bounds<'_>, rows: &[u8], last: &[u8]) {
    out.clear();
    out.extend_from_slice(&[0; 4]);
    varint::put(out, 2 * bounds.low.len() as u64 + u64::from(bounds.is_last));
    out.extend_from_slice(bounds.low);
    out.extend_from_slice(rows);
    let (sum, body) = out.split_at_mut(4);
    sum.copy_from_slice(&sum_of(body, last).to_le_bytes());
}

pub(super) fn sum_of(body: &[u8], last: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(body);
    hasher.update(last);
    hasher.finalize()
}

/// Reads the block that is filed under a key; `None` when it is not what was written.
#[inline]
pub(super) fn open<'a>(bytes: &'a [u8], last: &[u8], layout: Layout) -> Option<Opened<'a>> {
    if layout == Layout::Unsealed {
        return Some(Opened { rows: bytes, bounds: None });
    }
    let (sum, body) = bytes.split_first_chunk::<4>()?;
    let last = if layout == Layout::Packed { last } else { &[] };
    if sum_of(body, last) != u32::from_le_bytes(*sum) {
        return None;
    }
    open_checked(bytes)
}

/// Reads a block with a seal that was found to be right before.
#[inline]
pub(super) fn open_checked(bytes: &[u8]) -> Option<Opened<'_>> {
    let (_, mut rows) = bytes.split_first_chunk::<4>()?;
    let bounds = varint::take(&mut rows)?;
    let low = varint::take_slice(&mut rows, usize::try_from(bounds / 2).ok()?)?;
    Some(Opened { rows, bounds: Some(Bounds { low, is_last: bounds % 2 == 1 }) })
}

impl Opened<'_> {
    /// Whether a key is above the block before this one.
    pub(super) fn begins_below(&self, key: &[u8]) -> bool {
        self.bounds.is_none_or(|bounds| bounds.low < key)
    }

    /// Whether this block, filed under `last`, is the last one, and a key is above it.
    pub(super) fn ends_below(&self, key: &[u8], last: &[u8]) -> bool {
        last < key && self.bounds.is_none_or(|bounds| bounds.is_last)
    }
}

/// Follows the blocks in the order of their keys, and notices when one is missing.
pub(super) struct Chain {
    /// The key that the next low has to be below, or equal to.
    before: Vec<u8>,
    wanted: Ordering,
    is_over: bool,
}

impl Chain {
    /// All blocks, from the first on.
    pub(super) fn whole() -> Self {
        Chain { before: Vec::new(), wanted: Ordering::Equal, is_over: false }
    }

    /// The blocks that can have keys from this one on.
    pub(super) fn from(key: &[u8]) -> Self {
        Chain { before: key.to_vec(), wanted: Ordering::Less, is_over: false }
    }

    /// Takes the next block, filed under `last`; `None` when it does not join.
    pub(super) fn take(&mut self, block: &Opened<'_>, last: &[u8]) -> Option<()> {
        if let Some(bounds) = block.bounds {
            if self.is_over || bounds.low.cmp(&self.before) != self.wanted {
                return None;
            }
            self.is_over = bounds.is_last;
        } else {
            self.is_over = true;
        }
        self.before.clear();
        self.before.extend_from_slice(last);
        self.wanted = Ordering::Equal;
        Some(())
    }

    /// Whether the last block has been taken.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(low: &[u8], is_last: bool, rows: &[u8], last: &[u8]) -> Vec<u8> {
        let mut out = vec![7];
        seal(&mut out, Bounds { low, is_last }, rows, last);
        out
    }

    fn open_it<'a>(bytes: &'a [u8], last: &[u8]) -> Option<Opened<'a>> {
        open(bytes, last, Layout::Packed)
    }

    #[test]
    fn blocks_come_back_and_any_damage_is_found() {
        let bytes = sealed(b"low", true, b"some rows", b"last");
        let block = open_it(&bytes, b"last").expect("a block");
        assert!(open_it(&bytes, b"lase").is_none());
        assert_eq!(block.rows, b"some rows");
        assert!(block.bounds.is_some_and(|bounds| bounds.low == b"low" && bounds.is_last));
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut bad = bytes.clone();
                bad[at] ^= 1 << bit;
                assert!(open_it(&bad, b"last").is_none(), "byte {at}");
            }
            assert!(open_it(&bytes[..at], b"last").is_none());
        }
    }

    #[test]
    fn a_chain_misses_what_is_missing() {
        let blocks = [(&b""[..], &b"c"[..]), (b"c", b"f"), (b"f", b"k")];
        let follow = |mut chain: Chain, taken: &[usize]| {
            let all_join = taken.iter().all(|&n| {
                let (low, last) = blocks[n];
                let bytes = sealed(low, n == 2, b"", last);
                chain.take(&open_it(&bytes, last).expect("a block"), last).is_some()
            });
            all_join && chain.is_over()
        };
        assert!(follow(Chain::whole(), &[0, 1, 2]));
        assert!(follow(Chain::from(b"d"), &[1, 2]));
        for gap in [&[1, 2][..], &[0, 2], &[0, 1], &[]] {
            assert!(!follow(Chain::whole(), gap), "{gap:?}");
        }
        assert!(!follow(Chain::from(b"d"), &[2]));
        let bytes = sealed(b"c", false, b"", b"f");
        let block = open_it(&bytes, b"f").expect("a block");
        assert!(block.begins_below(b"d") && !block.begins_below(b"c") && !block.ends_below(b"g", b"f"));
    }
}
