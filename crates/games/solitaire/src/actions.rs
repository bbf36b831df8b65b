//! The numbers of jumps: their places in [`crate::Board::jumps`], which is sorted by the holes a jump comes from, goes
//! over and lands on. The English board has 76.

use crate::{Jump, Solitaire, State};
use tabia_core::Actions;

impl Actions for Solitaire {
    fn action_count(&self) -> usize {
        self.board().jumps().len()
    }

    #[inline]
    fn action_of(&self, _state: &State, jump: Jump) -> usize {
        self.board().jump_number(jump)
    }

    #[inline]
    fn needs_no_list(&self) -> bool {
        true
    }

    fn mask(&self, state: &State, bits: &mut [u8], _buffer: &mut Vec<Jump>) {
        let words = self.board().possible_bits(state.pegs()).flat_map(u64::to_le_bytes);
        bits.iter_mut().zip(words).for_each(|(byte, set)| *byte = set);
    }
}
