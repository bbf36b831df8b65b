//! The numbers of jumps: their places in [`crate::Board::jumps`], which is sorted by the holes a jump comes from, goes
//! over and lands on. The English board has 76.

use crate::legal::Legal;
use crate::{Jump, Solitaire, State};
use tabia_core::Actions;

impl Actions for Solitaire {
    type Legal = Legal;

    fn action_count(&self) -> usize {
        self.board().jumps().len()
    }

    #[inline]
    fn action_of(&self, _state: &State, jump: Jump) -> usize {
        self.board().jump_number(jump)
    }
}
