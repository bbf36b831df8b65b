//! Five planes of 8 by 8, seen by the side to move; White sees the board after a half turn.
//!
//! ```text
//!     plane 0   own men               row 0 is the own back row, so that the own men
//!           1   own kings             go to larger rows; light squares are always 0
//!           2   the opponent's men
//!           3   the opponent's kings
//!           4   everywhere the plies without a capture or a man's move, at most 255
//! ```

use crate::rules::Draughts;
use crate::state::State;
use crate::types::Color;
use tabia_core::observe::write_boards;
use tabia_core::{Observe, Planes};

const PLANES: Planes = Planes { channels: 5, height: 8, width: 8 };

impl Observe for Draughts {
    fn planes(&self) -> Planes {
        PLANES
    }

    #[inline]
    fn observe(&self, state: &State, quiet: u32, out: &mut [u8]) {
        let (own, other, kings) = match state.turn() {
            Color::Black => (state.black(), state.white(), state.kings()),
            Color::White => {
                (state.white().reverse_bits(), state.black().reverse_bits(), state.kings().reverse_bits())
            }
        };
        let sets = [own & !kings, own & kings, other & !kings, other & kings];
        let Some((boards, clock)) = out.split_at_mut_checked(sets.len() * PLANES.cells()) else { return };
        write_boards(sets.map(dark_squares), boards);
        clock.fill(quiet.min(255) as u8);
    }
}

/// Bit `n - 1` of square `n` to bit `8 * row + column`.
#[inline]
const fn dark_squares(set: u32) -> u64 {
    // Make room for the light squares, halving the distance each time; every bit ends on an even one.
    let mut x = set as u64;
    x = (x | x << 16) & 0x0000_FFFF_0000_FFFF;
    x = (x | x << 8) & 0x00FF_00FF_00FF_00FF;
    x = (x | x << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    x = (x | x << 2) & 0x3333_3333_3333_3333;
    x = (x | x << 1) & 0x5555_5555_5555_5555;
    // The dark squares of even rows are the odd columns.
    let even_rows = x & 0x00FF_00FF_00FF_00FF;
    even_rows << 1 | x & !0x00FF_00FF_00FF_00FF
}

#[cfg(test)]
mod tests {
    use super::dark_squares;
    use crate::types::Square;

    #[test]
    fn squares_go_to_their_rows_and_columns() {
        for square in Square::all() {
            assert_eq!(dark_squares(square.bit()), 1 << square.bit64(), "{square}");
        }
    }
}
