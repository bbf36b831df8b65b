//! The numbers of moves: 90. A brick from the stash to position `t` (0 to 8) is `t`; the top brick of
//! position `f` to position `t` is `9 + 9 * f + t`. Both players count alike; putting a brick back has a
//! number too, for the option that allows it.

use crate::{Counting, FiveVisible, Move, Place, State, movegen};
use tabia_core::Actions;

impl Actions for FiveVisible {
    fn action_count(&self) -> usize {
        (1 + Place::COUNT) * Place::COUNT
    }

    #[inline]
    fn action_of(&self, _state: &State, mv: Move) -> usize {
        mv.from.map_or(0, |from| (1 + from.index()) * Place::COUNT) + mv.to.index()
    }

    #[inline]
    fn needs_no_list(&self) -> bool {
        self.counting == Counting::Located
    }

    fn mask(&self, state: &State, bits: &mut [u8], buffer: &mut Vec<Move>) {
        if self.counting == Counting::Located {
            let mask = movegen::mask(self, state).to_le_bytes();
            bits.iter_mut().zip(mask).for_each(|(byte, set)| *byte = set);
        } else {
            buffer.clear();
            movegen::moves(self, state, buffer);
            self.mask_of(state, buffer, bits);
        }
    }
}
