//! The numbers of moves: 5,120, seen by the side to move (Black sees the board after a half turn).
//!
//! ```text
//!     0..2560      from and to of a whole square: ascending by from (A9 = 0), then by to, where the two
//!                  are on one line, row or column or diagonal, or a knight's leap apart
//!     2560..5120   the same for the top of a stack that goes alone
//! ```

use crate::legal::Legal;
use crate::{Arx, Move, Square, State};
use tabia_core::Actions;

pub(crate) const PAIRS: usize = 2560;

/// The numbers of moves by side and square: that of the first move from it, and how many later each of its moves is. Rows
/// have room to spare, so that seven bits are always within them.
pub(crate) struct Numbers {
    pub(crate) first: [[u16; Square::COUNT]; 2],
    pub(crate) later: [[[u8; 128]; Square::COUNT]; 2],
}

pub(crate) static NUMBERS: Numbers = numbers();

#[allow(clippy::large_stack_arrays)] // only ever runs at compile time
const fn numbers() -> Numbers {
    const LAST: usize = Square::COUNT - 1;
    let mut numbers = Numbers { first: [[0; Square::COUNT]; 2], later: [[[0; 128]; Square::COUNT]; 2] };
    let (mut next, mut pair) = (0, 0);
    while pair < Square::COUNT * Square::COUNT {
        let (from, to) = (pair / Square::COUNT, pair % Square::COUNT);
        let columns = (from % Square::SIDE).abs_diff(to % Square::SIDE);
        let rows = (from / Square::SIDE).abs_diff(to / Square::SIDE);
        if to == 0 {
            numbers.first[0][from] = next;
            numbers.first[1][LAST - from] = next;
        }
        if from != to && (columns == 0 || rows == 0 || columns == rows || columns + rows == 3) {
            let later = (next - numbers.first[0][from]) as u8;
            numbers.later[0][from][to] = later;
            numbers.later[1][LAST - from][LAST - to] = later;
            next += 1;
        }
        pair += 1;
    }
    assert!(next as usize == PAIRS);
    numbers
}

impl Actions for Arx {
    type Legal = Legal;

    fn action_count(&self) -> usize {
        2 * PAIRS
    }

    #[inline]
    fn action_of(&self, state: &State, mv: Move) -> usize {
        let (side, from, to) = (state.side().index(), mv.from().index(), mv.to().index());
        let pair = usize::from(NUMBERS.first[side][from]) + usize::from(NUMBERS.later[side][from][to]);
        pair + if mv.unstack() { PAIRS } else { 0 }
    }
}
