//! What a symmetry does to a sector of a bitmap ([`super::sectors`]): groups change their places, and the positions within
//! each group theirs.

use crate::solver::kernel::{BLOCK, GROUP_BITS, Group};
use crate::solver::sectors::Blocks;

/// What a symmetry does within a sector.
pub(crate) struct Image {
    /// For each group of the image the number of the group it comes from.
    sources: Vec<u32>,
    /// Then bits of the index within the group are exchanged.
    exchanges: Vec<Exchange>,
}

/// Two bits of the index within a group, exchanged for all positions of the group.
#[derive(Clone, Copy)]
enum Exchange {
    /// Both number positions within a word: those in the mask change places with those so much further up.
    Inside { shift: u32, mask: u64 },
    /// The first numbers positions within a word, the second pairs of words: those in the mask of the upper word change
    /// places with those so much further up in the lower one.
    Across { pairs: [[usize; 2]; 2], shift: u32, mask: u64 },
    /// Both number words: two of the four change places.
    Words,
}

impl Image {
    /// From where each bit of the index within a sector goes.
    pub(crate) fn new(permutation: &[u32]) -> Image {
        let (low, high) = permutation.split_at(GROUP_BITS as usize);
        let mut sources = vec![0; 1 << high.len()];
        for source in 0..sources.len() {
            sources[permuted(source, high, GROUP_BITS)] = source as u32;
        }
        // Which bit is where, until every one is where it belongs.
        let mut now: Vec<u32> = (0..GROUP_BITS).collect();
        let mut exchanges = Vec::new();
        for (bit, &to) in (0..).zip(low) {
            let at = now.iter().position(|&other| other == bit).unwrap_or(0);
            if at != to as usize {
                exchanges.push(Exchange::new(at as u32, to));
                now.swap(at, to as usize);
            }
        }
        Image { sources, exchanges }
    }

    /// How much work it is, beside the moving.
    pub(crate) fn cost(&self) -> usize {
        self.exchanges.len()
    }

    /// Makes one sector the image of another.
    pub(crate) fn fill(&self, from: &Blocks, to: &mut Blocks) {
        let from = from.as_flattened();
        for (block, sources) in to.iter_mut().zip(self.sources.chunks(BLOCK)) {
            for (group, &source) in block.iter_mut().zip(sources) {
                *group = from[source as usize];
            }
            // One exchange after the other, each for a block that is in the nearest cache.
            for exchange in &self.exchanges {
                exchange.apply(block);
            }
        }
    }
}

impl Exchange {
    fn new(a: u32, b: u32) -> Exchange {
        let (low, high) = (a.min(b), a.max(b));
        let positions = |wanted: &dyn Fn(u32) -> bool| {
            (0..64).filter(|&at| wanted(at)).fold(0u64, |mask, at| mask | 1 << at)
        };
        if low >= 6 {
            Exchange::Words
        } else if high >= 6 {
            let pairs = if high == 6 { [[0, 1], [2, 3]] } else { [[0, 2], [1, 3]] };
            Exchange::Across { pairs, shift: 1 << low, mask: positions(&|at| at >> low & 1 == 0) }
        } else {
            let mask = positions(&|at| at >> low & 1 == 1 && at >> high & 1 == 0);
            Exchange::Inside { shift: (1 << high) - (1 << low), mask }
        }
    }

    fn apply(self, block: &mut [Group; BLOCK]) {
        match self {
            Exchange::Inside { shift, mask } => {
                for word in block.as_flattened_mut() {
                    let change = (*word >> shift ^ *word) & mask;
                    *word ^= change | change << shift;
                }
            }
            Exchange::Across { pairs, shift, mask } => {
                for group in block {
                    for [low, high] in pairs {
                        let change = (group[low] >> shift ^ group[high]) & mask;
                        group[high] ^= change;
                        group[low] ^= change << shift;
                    }
                }
            }
            Exchange::Words => block.iter_mut().for_each(|group| group.swap(1, 2)),
        }
    }
}

/// A number whose bits, counted from `first` on, go where a permutation takes them.
pub(crate) fn permuted(number: usize, permutation: &[u32], first: u32) -> usize {
    let set = permutation.iter().enumerate().filter(|(bit, _)| number >> bit & 1 != 0);
    set.fold(0, |image, (_, to)| image | 1 << (to - first))
}
