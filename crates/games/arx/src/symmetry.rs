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
    state.mapped(|square| symmetry.square(square), symmetry.swaps_sides())
}

/// The move seen through a symmetry.
pub(crate) fn map_move(mv: Move, symmetry: ArxSymmetry) -> Move {
    Move::new(symmetry.square(mv.from()), symmetry.square(mv.to()), mv.unstack())
}

/// The first image in the order of the side to move and the square codes from A9.
pub(crate) fn canonicalise(state: &State) -> Canonical<State, ArxSymmetry> {
    // Compared square by square: nearly always decided after a few, before any image is made.
    let image = |symmetry: ArxSymmetry| {
        let swap = symmetry.swaps_sides();
        let side = if swap { state.side().other() } else { state.side() };
        let pile = move |square| {
            let pile = state.pile(symmetry.square(square));
            if swap { pile.recoloured() } else { pile }
        };
        (side, Square::all().map(pile))
    };
    let mut best = ArxSymmetry::Identity;
    for symmetry in [ArxSymmetry::Mirror, ArxSymmetry::Turn, ArxSymmetry::Flip] {
        let (side, piles) = image(symmetry);
        let (best_side, best_piles) = image(best);
        if side.cmp(&best_side).then_with(|| piles.cmp(best_piles)).is_lt() {
            best = symmetry;
        }
    }
    Canonical { state: map_state(state, best), symmetry: best }
}
