//! A set of positions of one class and parity: one bit per index.

use crate::solver::kernel::{BLOCK, GROUP_BITS, Group};
use std::ops::Range;

/// A set of indices.
#[derive(Clone, Debug)]
pub(crate) struct Bitmap {
    bits: u32,
    groups: Vec<Group>,
}

impl Bitmap {
    /// The empty set of indices of so many bits. Memory that is never touched is never used.
    pub(crate) fn new(bits: u32) -> Bitmap {
        let groups = 1usize << bits.saturating_sub(GROUP_BITS);
        Bitmap { bits, groups: vec![[0; 4]; groups] }
    }

    /// All its groups.
    pub(crate) fn all(&self) -> Range<usize> {
        0..self.groups.len()
    }

    /// Bytes taken.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(self.groups.as_slice()) as u64
    }

    #[inline]
    fn place(index: u32) -> (usize, usize, u64) {
        ((index >> 8) as usize, (index >> 6) as usize & 3, 1 << (index & 63))
    }

    /// Whether an index is in the set.
    #[inline]
    pub(crate) fn has(&self, index: u32) -> bool {
        let (group, lane, bit) = Bitmap::place(index);
        self.groups[group][lane] & bit != 0
    }

    /// Adds an index; whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, index: u32) -> bool {
        let (group, lane, bit) = Bitmap::place(index);
        let word = &mut self.groups[group][lane];
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Takes an index out.
    #[inline]
    pub(crate) fn remove(&mut self, index: u32) {
        let (group, lane, bit) = Bitmap::place(index);
        self.groups[group][lane] &= !bit;
    }

    /// Adds indices and appends those that are new to `fresh`, without a branch on memory.
    pub(crate) fn insert_all(&mut self, indices: &[u32], fresh: &mut Vec<u32>) {
        let mut count = fresh.len();
        fresh.resize(count + indices.len(), 0);
        for &index in indices {
            fresh[count] = index;
            count += usize::from(self.insert(index));
        }
        fresh.truncate(count);
    }

    /// Takes indices out and appends the names of those that were there to `taken`, without a branch on memory.
    pub(crate) fn remove_all(&mut self, indices: &[u32], names: &[u32], taken: &mut Vec<u32>) {
        let mut count = taken.len();
        taken.resize(count + indices.len(), 0);
        for (&index, &name) in indices.iter().zip(names) {
            let (group, lane, bit) = Bitmap::place(index);
            let word = &mut self.groups[group][lane];
            taken[count] = name;
            count += usize::from(*word & bit != 0);
            *word &= !bit;
        }
        taken.truncate(count);
    }

    /// The blocks; none when the set is smaller than one.
    pub(crate) fn blocks(&self) -> &[[Group; BLOCK]] {
        self.groups.as_chunks().0
    }

    /// The blocks, to be changed.
    pub(crate) fn blocks_mut(&mut self) -> &mut [[Group; BLOCK]] {
        self.groups.as_chunks_mut().0
    }

    /// Calls back with every index of some groups.
    pub(crate) fn for_each(&self, groups: Range<usize>, mut found: impl FnMut(u32)) {
        let first = 4 * groups.start;
        let words = (first..).zip(self.groups[groups].iter().flatten());
        for (at, word) in words.filter(|(_, word)| **word != 0) {
            each_bit(*word, |bit| found((at as u32) << 6 | bit));
        }
    }

    /// Calls back with every index whose complement is in `other`.
    pub(crate) fn for_each_complement(&self, other: &Bitmap, mut found: impl FnMut(u32)) {
        if self.bits < GROUP_BITS {
            let mask = (1 << self.bits) - 1;
            return self.for_each(self.all(), |index| {
                if other.has(index ^ mask) {
                    found(index);
                }
            });
        }
        self.for_each_opposite(self.all(), &other.groups, found);
    }

    /// Calls back with every index of some groups whose complement is in the groups opposite.
    pub(crate) fn for_each_opposite(
        &self,
        groups: Range<usize>,
        opposite: &[Group],
        mut found: impl FnMut(u32),
    ) {
        let first = groups.start;
        let words = self.groups[groups].iter().flatten();
        let words = words.zip(opposite.iter().flatten().rev());
        for (at, (word, other)) in words.enumerate() {
            let both = word & other.reverse_bits();
            if both != 0 {
                each_bit(both, |bit| found(((4 * first + at) as u32) << 6 | bit));
            }
        }
    }
}

#[inline]
fn each_bit(mut word: u64, mut found: impl FnMut(u32)) {
    while word != 0 {
        found(word.trailing_zeros());
        word &= word - 1;
    }
}
