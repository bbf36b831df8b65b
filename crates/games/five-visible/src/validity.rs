//! The one definition of validity: no more bricks than there are, and a block only where a brick stands.

use crate::state::BRICKS;
use crate::{Place, Stack, State};
use tabia_core::Side;
use thiserror::Error;

/// A rule of the board that a set-up breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Violation {
    /// More bricks of one player than there are.
    #[error("{count} bricks of player {side} on the board: there are only {BRICKS}")]
    TooManyBricks {
        /// Whose bricks.
        side: Side,
        /// How many are on the board.
        count: u32,
    },
    /// The blocked position must hold the brick that was put there.
    #[error("position {0} is empty and cannot be blocked")]
    BlockedIsEmpty(Place),
}

/// The rules that a position with this blocked stack violates.
pub(crate) fn violations(state: &State, blocked: Option<Place>) -> Vec<Violation> {
    let too_many = |side: Side| {
        let count = state.bricks(side);
        (count > BRICKS).then_some(Violation::TooManyBricks { side, count })
    };
    let empty = blocked.filter(|&place| state.stack(place) == Stack::EMPTY);
    Side::ALL.into_iter().filter_map(too_many).chain(empty.map(Violation::BlockedIsEmpty)).collect()
}
