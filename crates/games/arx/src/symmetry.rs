//! The group of four: mirror left and right, turn by 180 degrees with the colours exchanged, both.
//!
//! ```text
//!     mirror          (row, column) -> (row, 8 - column)
//!     turn            (row, column) -> (8 - row, 8 - column), colours and turn exchanged
//!     flip            (row, column) -> (8 - row, column),     colours and turn exchanged
//! ```
//!
//! The mirror does not keep the start position, but it keeps the rules.

use crate::{Move, Square, State};
use tabia_core::{Canonical, Symmetry};

/// A symmetry of the game: the number is a sum, 1 mirrors, 2 turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ArxSymmetry {
    /// Changes nothing.
    Identity = 0,
    /// Left for right.
    Mirror = 1,
    /// By 180 degrees, with the colours exchanged.
    Turn = 2,
    /// Top for bottom, with the colours exchanged: mirror and turn.
    Flip = 3,
}

impl ArxSymmetry {
    /// All four, the identity first.
    pub const ALL: [ArxSymmetry; 4] =
        [ArxSymmetry::Identity, ArxSymmetry::Mirror, ArxSymmetry::Turn, ArxSymmetry::Flip];

    /// Where a square goes.
    pub const fn square(self, square: Square) -> Square {
        let (row, column) = (square.row(), square.column());
        let last = Square::SIDE - 1;
        let row = if self as u8 & 2 != 0 { last - row } else { row };
        // Turning also exchanges left and right.
        let column =
            if matches!(self, ArxSymmetry::Mirror | ArxSymmetry::Turn) { last - column } else { column };
        Square::from_bits((row * Square::SIDE + column) as u8)
    }

    /// Where a set of squares goes.
    fn set(self, set: u128) -> u128 {
        match self {
            ArxSymmetry::Identity => set,
            ArxSymmetry::Mirror => turned(flipped(set)),
            ArxSymmetry::Turn => turned(set),
            ArxSymmetry::Flip => flipped(set),
        }
    }
}

/// Square `i` goes to `80 - i`.
const fn turned(set: u128) -> u128 {
    set.reverse_bits() >> (128 - Square::COUNT)
}

/// The rows in the opposite order.
fn flipped(set: u128) -> u128 {
    const ROW: u128 = 0b1_1111_1111;
    (0..Square::SIDE).fold(0, |rows, row| rows << Square::SIDE | set >> (row * Square::SIDE) & ROW)
}

impl Symmetry for ArxSymmetry {
    const IDENTITY: Self = ArxSymmetry::Identity;

    fn then(self, next: Self) -> Self {
        Self::ALL[usize::from(self as u8 ^ next as u8)]
    }

    fn inverse(self) -> Self {
        self
    }

    fn swaps_sides(self) -> bool {
        self as u8 & 2 != 0
    }

    fn name(self) -> String {
        ["identity", "mirror", "turn", "flip"][self as usize].to_owned()
    }
}

/// The position seen through a symmetry.
pub(crate) fn map_state(state: &State, symmetry: ArxSymmetry) -> State {
    state.mapped(|set| symmetry.set(set), symmetry.swaps_sides())
}

/// The move seen through a symmetry.
pub(crate) fn map_move(mv: Move, symmetry: ArxSymmetry) -> Move {
    Move::new(symmetry.square(mv.from()), symmetry.square(mv.to()), mv.unstack())
}

/// The image that comes first in the order of [`State::rank`].
pub(crate) fn canonicalise(state: &State) -> Canonical<State, ArxSymmetry> {
    let mut best = Canonical { state: *state, symmetry: ArxSymmetry::Identity };
    for symmetry in [ArxSymmetry::Mirror, ArxSymmetry::Turn, ArxSymmetry::Flip] {
        let image = map_state(state, symmetry);
        if image.rank() < best.state.rank() {
            best = Canonical { state: image, symmetry };
        }
    }
    best
}
