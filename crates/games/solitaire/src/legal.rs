//! The legal jumps of a position for those who choose among them: bits in the order of the jumps' numbers.

use crate::{Jump, Solitaire, State};
use tabia_core::LegalMoves;
use tabia_core::bits::{nth_bit, ones};

/// Every hole has at most six jumps away.
const WORDS: usize = 6 * crate::MOST_HOLES / 64;

/// The legal jumps: bit `n % 64` of word `n / 64` for jump `n`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Legal {
    words: [u64; WORDS],
    count: u32,
}

impl LegalMoves<Solitaire> for Legal {
    #[inline]
    fn fill(&mut self, rules: &Solitaire, state: &State) {
        self.count = 0;
        for (word, set) in self.words.iter_mut().zip(rules.board().possible_bits(state.pegs())) {
            *word = set;
            self.count += set.count_ones();
        }
    }

    #[inline]
    fn count(&self) -> usize {
        self.count as usize
    }

    #[inline]
    fn nth(&self, rules: &Solitaire, _state: &State, n: usize) -> Option<Jump> {
        let mut left = n as u32;
        for (at, word) in self.words.iter().enumerate() {
            let here = word.count_ones();
            if left < here {
                return rules.board().jumps().get(64 * at + nth_bit(*word, left) as usize).copied();
            }
            left -= here;
        }
        None
    }

    #[inline]
    fn each(&self, rules: &Solitaire, _state: &State, mut visit: impl FnMut(Jump)) {
        for (jumps, &word) in rules.board().jumps().chunks(64).zip(&self.words) {
            ones(word).filter_map(|at| jumps.get(at)).for_each(|&jump| visit(jump));
        }
    }

    #[inline]
    fn find(&self, rules: &Solitaire, _state: &State, action: usize) -> Option<Jump> {
        let jump = rules.board().jumps().get(action).copied();
        let legal = self.words.get(action / 64).is_some_and(|word| word >> (action % 64) & 1 != 0);
        jump.filter(|_| legal)
    }

    #[inline]
    fn mask(&self, _rules: &Solitaire, _state: &State, bits: &mut [u8]) {
        for (bytes, word) in bits.chunks_mut(8).zip(self.words) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }
}
