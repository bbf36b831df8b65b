//! The numbers of moves: 5,120, seen by the side to move (Black sees the board after a half turn).
//!
//! ```text
//!     0..2560      from and to of a whole square: ascending by from (A9 = 0), then by to, where the two
//!                  are on one line, row or column or diagonal, or a knight's leap apart
//!     2560..5120   the same for the top of a stack that goes alone
//! ```

use crate::{Arx, Move, Square, State};
use tabia_core::{Actions, Side};

const PAIRS: usize = 2560;

static NUMBERS: [[u16; Square::COUNT]; Square::COUNT] = numbers();

const fn numbers() -> [[u16; Square::COUNT]; Square::COUNT] {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut next = 0;
    let mut pair = 0;
    while pair < Square::COUNT * Square::COUNT {
        let (from, to) = (pair / Square::COUNT, pair % Square::COUNT);
        let columns = (from % Square::SIDE).abs_diff(to % Square::SIDE);
        let rows = (from / Square::SIDE).abs_diff(to / Square::SIDE);
        if from != to && (columns == 0 || rows == 0 || columns == rows || columns + rows == 3) {
            table[from][to] = next;
            next += 1;
        }
        pair += 1;
    }
    assert!(next as usize == PAIRS);
    table
}

impl Actions for Arx {
    fn action_count(&self) -> usize {
        2 * PAIRS
    }

    #[inline]
    fn action_of(&self, state: &State, mv: Move) -> usize {
        let (from, to) = match state.side() {
            Side::First => (mv.from().index(), mv.to().index()),
            Side::Second => (Square::COUNT - 1 - mv.from().index(), Square::COUNT - 1 - mv.to().index()),
        };
        usize::from(NUMBERS[from][to]) + if mv.unstack() { PAIRS } else { 0 }
    }
}
