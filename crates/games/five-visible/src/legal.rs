//! The legal moves of a position for those who choose among them: as bits in the order of the actions, or as a
//! list where moves are counted by their hashcodes.

use crate::{Counting, FiveVisible, Move, Place, State, movegen};
use tabia_core::LegalMoves;
use tabia_core::bits::{nth_bit_of_two, ones};

/// The legal moves: bit `a` of the two words for action `a`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Legal([u64; 2]);

/// The moves in the order of their numbers.
static MOVES: [Move; 128] = {
    let mut table = [Move { from: None, to: Place::ALL[0] }; 128];
    let mut action = 0;
    while action < (1 + Place::COUNT) * Place::COUNT {
        table[action].to = Place::ALL[action % Place::COUNT];
        if action >= Place::COUNT {
            table[action].from = Some(Place::ALL[action / Place::COUNT - 1]);
        }
        action += 1;
    }
    table
};

impl Legal {
    /// The moves of a mask of actions.
    #[inline]
    pub(crate) const fn of(mask: u128) -> Legal {
        Legal([mask as u64, (mask >> 64) as u64])
    }
}

impl LegalMoves<FiveVisible> for Legal {
    #[inline]
    fn fill(&mut self, rules: &FiveVisible, state: &State) {
        *self = Legal::of(if rules.counting == Counting::Located {
            movegen::mask(rules, state)
        } else {
            movegen::mask_of_list(rules, state)
        });
    }

    #[inline]
    fn count(&self) -> usize {
        let [low, high] = self.0.map(u64::count_ones);
        (low + high) as usize
    }

    #[inline]
    fn nth(&self, _rules: &FiveVisible, _state: &State, n: usize) -> Option<Move> {
        let bit = nth_bit_of_two(self.0, n as u32) as usize;
        MOVES.get(bit).copied()
    }

    #[inline]
    fn each(&self, _rules: &FiveVisible, _state: &State, mut visit: impl FnMut(Move)) {
        for (half, &word) in self.0.iter().enumerate() {
            ones(word).for_each(|bit| visit(MOVES[(64 * half + bit) % 128]));
        }
    }

    #[inline]
    fn find(&self, _rules: &FiveVisible, _state: &State, action: usize) -> Option<Move> {
        let legal = self.0.get(action / 64).is_some_and(|word| word >> (action % 64) & 1 != 0);
        legal.then(|| MOVES[action % 128])
    }

    #[inline]
    fn mask(&self, _rules: &FiveVisible, _state: &State, bits: &mut [u8]) {
        let bytes = self.0.map(u64::to_le_bytes);
        bits.iter_mut().zip(bytes.as_flattened()).for_each(|(byte, &set)| *byte = set);
    }
}
