//! The legal jumps of a position for those who choose among them: bits in the order of the jumps' numbers.

use crate::movegen::Pair;
use crate::{Jump, Solitaire, State};
use tabia_core::LegalMoves;
use tabia_core::bits::{nth_bit_of_two, ones};

/// Every hole has at most six jumps away.
const PAIRS: usize = 6 * crate::MOST_HOLES / 128;

/// The legal jumps, 128 in a pair of words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Legal {
    pairs: [Pair; PAIRS],
    count: u32,
}

impl LegalMoves<Solitaire> for Legal {
    #[inline]
    fn fill(&mut self, rules: &Solitaire, state: &State) {
        self.count = 0;
        for (pair, set) in self.pairs.iter_mut().zip(rules.board().patterns().matching(state.pegs())) {
            *pair = set;
            self.count += count_ones(set);
        }
    }

    #[inline]
    fn count(&self) -> usize {
        self.count as usize
    }

    #[inline]
    fn nth(&self, rules: &Solitaire, _state: &State, n: usize) -> Option<Jump> {
        let mut left = n as u32;
        for (jumps, &pair) in rules.board().jumps().chunks(128).zip(&self.pairs) {
            let here = count_ones(pair);
            if left < here {
                return jumps.get(nth_bit_of_two(pair, left) as usize).copied();
            }
            left -= here;
        }
        None
    }

    #[inline]
    fn each(&self, rules: &Solitaire, _state: &State, mut visit: impl FnMut(Jump)) {
        for (jumps, &word) in rules.board().jumps().chunks(64).zip(self.pairs.as_flattened()) {
            ones(word).filter_map(|at| jumps.get(at)).for_each(|&jump| visit(jump));
        }
    }

    #[inline]
    fn find(&self, rules: &Solitaire, _state: &State, action: usize) -> Option<Jump> {
        let jump = rules.board().jumps().get(action).copied();
        let legal =
            self.pairs.as_flattened().get(action / 64).is_some_and(|word| word >> (action % 64) & 1 != 0);
        jump.filter(|_| legal)
    }

    #[inline]
    fn mask(&self, _rules: &Solitaire, _state: &State, bits: &mut [u8]) {
        for (bytes, word) in bits.chunks_mut(8).zip(self.pairs.as_flattened()) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }
}

#[inline]
fn count_ones([low, high]: Pair) -> u32 {
    low.count_ones() + high.count_ones()
}
