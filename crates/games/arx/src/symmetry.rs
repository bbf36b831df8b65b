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
use tabia_core::{Canonical, MirrorSwap, MirrorSwapNames};

/// A symmetry of the game.
pub type ArxSymmetry = MirrorSwap<Names>;

/// What the symmetries of Arx are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Names;

impl MirrorSwapNames for Names {
    const NAMES: [&'static str; 4] = ["identity", "turn", "mirror", "flip"];
}

/// Where a square goes.
pub(crate) const fn map_square(square: Square, symmetry: ArxSymmetry) -> Square {
    let (row, column) = (square.row(), square.column());
    let last = Square::SIDE - 1;
    let row = if symmetry.swaps() { last - row } else { row };
    // Turning also exchanges left and right.
    let column = if symmetry.swaps() ^ symmetry.mirrors() { last - column } else { column };
    Square::from_bits((row * Square::SIDE + column) as u8)
}

/// The position seen through a symmetry.
pub(crate) fn map_state(state: &State, symmetry: ArxSymmetry) -> State {
    state.mapped(|square| map_square(square, symmetry), symmetry.swaps())
}

/// The move seen through a symmetry.
pub(crate) fn map_move(mv: Move, symmetry: ArxSymmetry) -> Move {
    Move::new(map_square(mv.from(), symmetry), map_square(mv.to(), symmetry), mv.unstack())
}

/// The first image in the order of the side to move and the square codes from A9.
pub(crate) fn canonicalise(state: &State) -> Canonical<State, ArxSymmetry> {
    // Compared square by square: nearly always decided after a few, before any image is made.
    let image = |symmetry: ArxSymmetry| {
        let swap = symmetry.swaps();
        let side = if swap { state.side().other() } else { state.side() };
        let pile = move |square| {
            let pile = state.pile(map_square(square, symmetry));
            if swap { pile.recoloured() } else { pile }
        };
        (side, Square::all().map(pile))
    };
    let [mut best, turn, mirror, flip] = ArxSymmetry::ALL;
    for symmetry in [mirror, turn, flip] {
        let (side, piles) = image(symmetry);
        let (best_side, best_piles) = image(best);
        if side.cmp(&best_side).then_with(|| piles.cmp(best_piles)).is_lt() {
            best = symmetry;
        }
    }
    Canonical { state: map_state(state, best), symmetry: best }
}
