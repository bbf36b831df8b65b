//! Keys in order, between which the blocks of a book are: a search for a block looks at eight bytes of each.

/// Neighbours that a search looks at together: their cache lines are fetched at the same time, which halving cannot do.
const NODE: usize = 32;

/// Ascending keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fences {
    /// The first eight bytes of each key, filled up with zeros; the first byte weighs most.
    heads: Vec<u64>,
    /// The last of each full node of the heads; then the last of each full node of those, and so on.
    above: Vec<Vec<u64>>,
    keys: Vec<u8>,
    ends: Vec<usize>,
}

impl Fences {
    /// Adds a key, which is above all keys before it.
    pub(crate) fn push(&mut self, key: &[u8]) {
        let head = head_of(key);
        self.heads.push(head);
        let mut full = self.heads.len().is_multiple_of(NODE);
        for level in 0.. {
            if !full {
                break;
            }
            if level == self.above.len() {
                self.above.push(Vec::new());
            }
            self.above[level].push(head);
            full = self.above[level].len().is_multiple_of(NODE);
        }
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len());
    }

    /// The number of keys.
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    /// A key.
    pub(crate) fn key(&self, n: usize) -> &[u8] {
        let from = n.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.keys[from..self.ends[n]]
    }

    /// How many keys are below this one.
    #[inline]
    pub(crate) fn below(&self, key: &[u8]) -> usize {
        let head = head_of(key);
        let mut n = 0;
        for level in self.above.iter().rev().chain([&self.heads]) {
            n = NODE * n + below_in_node(&level[level.len().min(NODE * n)..], head);
        }
        if self.heads.get(n) == Some(&head) {
            let mut above = n + self.heads[n..].partition_point(|other| *other == head);
            while n < above {
                let middle = n.midpoint(above);
                if self.key(middle) < key {
                    n = middle + 1;
                } else {
                    above = middle;
                }
            }
        }
        n
    }

    /// What lies between a key and the one before it.
    #[inline]
    #[cfg_attr(not(feature = "redb"), allow(dead_code))] // Runs have no cards.
    pub(crate) fn span(&self, n: usize) -> Span {
        let low = n.checked_sub(1).map_or(0, |before| self.heads[before]);
        Span { low, high: self.heads[n] }
    }

    /// How many keys are not above this one.
    #[inline]
    pub(crate) fn up_to(&self, key: &[u8]) -> usize {
        let n = self.below(key);
        n + usize::from(n < self.len() && self.key(n) == key)
    }
}

/// The keys between two others, by their first eight bytes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "redb"), allow(dead_code))] // Runs have no cards.
pub(crate) struct Span {
    low: u64,
    high: u64,
}

impl Span {
    /// How much of the way from the low end to the high one has been gone at a key, of at most 255 parts.
    #[inline]
    #[cfg_attr(not(feature = "redb"), allow(dead_code))] // Runs have no cards.
    pub(crate) fn part(self, head: u64) -> u8 {
        let bits = u64::BITS - self.high.wrapping_sub(self.low).leading_zeros();
        let parts = head.saturating_sub(self.low) >> bits.saturating_sub(8);
        parts.min(255) as u8
    }
}

/// How many of the first heads, of one node, are below this one.
#[inline]
fn below_in_node(heads: &[u64], head: u64) -> usize {
    let count = |node: &[u64]| node.iter().filter(|other| **other < head).count();
    // With a size that is known the compiler makes vectors of it.
    heads.first_chunk::<NODE>().map_or_else(|| count(heads), |node| count(node))
}

/// The first eight bytes of a key, filled up with zeros; the first byte weighs most.
#[inline]
pub(crate) fn head_of(key: &[u8]) -> u64 {
    match key.first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => key.iter().fold(0, |head, &byte| head << 8 | u64::from(byte)) << (8 * (8 - key.len()).min(7)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_number_of_keys_is_searched() {
        let mut fences = Fences::default();
        for n in 0..3000u32 {
            assert_eq!(fences.len(), n as usize);
            for key in [0, n / 3 * 2, n * 2, n * 2 + 1, n.saturating_sub(1) * 2, u32::MAX] {
                let below = key.div_ceil(2).min(n) as usize;
                assert_eq!(fences.below(&key.to_be_bytes()), below, "{key} among {n}");
            }
            fences.push(&(n * 2).to_be_bytes());
        }
    }

    proptest! {
        #[test]
        fn a_search_counts_what_a_look_at_each_counts(
            keys in proptest::collection::btree_set(proptest::collection::vec(0u8..3, 0..11), 0..60),
            wanted in proptest::collection::vec(proptest::collection::vec(0u8..3, 0..11), 30),
        ) {
            let mut fences = Fences::default();
            keys.iter().for_each(|key| fences.push(key));
            for key in wanted.iter().chain(&keys) {
                prop_assert_eq!(fences.below(key), keys.iter().filter(|other| *other < key).count());
                prop_assert_eq!(fences.up_to(key), keys.iter().filter(|other| *other <= key).count());
            }
        }
    }
}
