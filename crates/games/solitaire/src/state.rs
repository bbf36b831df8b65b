//! The position: which holes hold a peg.
//!
//! Every subset of the holes is a position. The bits are numbered by hole,
//! in reading order: comparing two positions of a board as numbers is comparing them in any other
//! layout that keeps this order, such as the public `y * 7 + x` of the English board.

use crate::Hole;

/// The pegs of a position; bit `i` stands for hole `i`. It does not know its board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pegs: u64,
}

impl State {
    /// The position with these pegs.
    #[inline]
    pub const fn new(pegs: u64) -> State {
        State { pegs }
    }

    /// The pegs.
    #[inline]
    pub const fn pegs(self) -> u64 {
        self.pegs
    }

    /// The number of pegs.
    #[inline]
    pub const fn count(self) -> u32 {
        self.pegs.count_ones()
    }

    /// Whether a hole holds a peg.
    #[inline]
    pub const fn has(self, hole: Hole) -> bool {
        self.pegs & hole.bit() != 0
    }
}
