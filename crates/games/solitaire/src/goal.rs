//! What counts as solved.

use crate::{Board, Hole, State};

/// What counts as solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// One peg is left, anywhere.
    #[default]
    OnePeg,
    /// One peg is left, in this hole.
    Hole(Hole),
    /// Exactly this position stands on the board.
    Position(State),
}

impl Goal {
    /// Whether these pegs are the goal.
    #[inline]
    pub fn is_met(self, pegs: u64) -> bool {
        match self {
            Goal::OnePeg => pegs.is_power_of_two(),
            Goal::Hole(hole) => pegs == hole.bit(),
            Goal::Position(state) => pegs == state.pegs(),
        }
    }

    /// The number of pegs left when it is met.
    pub fn pegs(self) -> u32 {
        match self {
            Goal::OnePeg | Goal::Hole(_) => 1,
            Goal::Position(state) => state.count(),
        }
    }

    /// All positions that meet it.
    pub fn targets(self, board: &Board) -> Vec<u64> {
        match self {
            Goal::OnePeg => board.holes().map(Hole::bit).collect(),
            Goal::Hole(hole) => vec![hole.bit()],
            Goal::Position(state) => vec![state.pegs()],
        }
    }

    /// Whether it can be asked of a board.
    pub fn fits(self, board: &Board) -> bool {
        self.targets(board).iter().all(|target| target & !board.full() == 0)
    }
}
