//! Keys in order, between which the blocks of a book are: a search for a block looks at eight bytes of each.

/// Ascending keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fences {
    /// The first eight bytes of each key, filled up with zeros; the first byte weighs most.
    heads: Vec<u64>,
    keys: Vec<u8>,
    ends: Vec<usize>,
}

impl Fences {
    /// Adds a key, which is above all keys before it.
    pub(crate) fn push(&mut self, key: &[u8]) {
        self.heads.push(head_of(key));
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
        let mut n = self.heads.partition_point(|other| *other < head);
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

    /// How many keys are not above this one.
    #[inline]
    pub(crate) fn up_to(&self, key: &[u8]) -> usize {
        let n = self.below(key);
        n + usize::from(n < self.len() && self.key(n) == key)
    }
}

#[inline]
fn head_of(key: &[u8]) -> u64 {
    match key.first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => key.iter().fold(0, |head, &byte| head << 8 | u64::from(byte)) << (8 * (8 - key.len()).min(7)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
