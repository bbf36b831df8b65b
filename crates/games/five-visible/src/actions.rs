//! The numbers of moves: 90. A brick from the stash to position `t` (0 to 8) is `t`; the top brick of
//! position `f` to position `t` is `9 + 9 * f + t`. Both players count alike; putting a brick back has a
//! number too, for the option that allows it.

use crate::legal::Legal;
use crate::{FiveVisible, Move, Place, State};
use tabia_core::Actions;

impl Actions for FiveVisible {
    type Legal = Legal;

    fn action_count(&self) -> usize {
        (1 + Place::COUNT) * Place::COUNT
    }

    #[inline]
    fn action_of(&self, _state: &State, mv: Move) -> usize {
        mv.from.map_or(0, |from| (1 + from.index()) * Place::COUNT) + mv.to.index()
    }
}
