//! Seventeen planes of 9 by 9, seen by the side to move (Black sees the board after a half turn).
//!
//! ```text
//!     plane 0..8    own Soldiers, Jesters, Commanders, Paladins, Guards, Dragons, Ballistas, King:
//!                   1 a piece by itself or the bottom of a stack, 2 the top of a stack, 3 both are of the kind
//!           8..16   the opponent's, in the same order
//!          16       everywhere the plies without a capture or a Soldier's move, at most 255
//! ```
//!
//! Row 8 is the own home row, so that the own Soldiers go to smaller rows.

use crate::bits::squares;
use crate::symmetry::ArxSymmetry;
use crate::{Arx, Kind, Square, State};
use tabia_core::{Observe, Planes, Side};

const PLANES: Planes = Planes { channels: 2 * Kind::COUNT + 1, height: Square::SIDE, width: Square::SIDE };

impl Observe for Arx {
    fn planes(&self) -> Planes {
        PLANES
    }

    #[inline]
    fn observe(&self, state: &State, quiet: u32, out: &mut [u8]) {
        let (pieces, clock) = out.split_at_mut((PLANES.bytes() - PLANES.cells()).min(out.len()));
        pieces.fill(0);
        clock.fill(quiet.min(255) as u8);
        for at in squares(state.occupied()) {
            let pile = state.piles()[at];
            let cell = if state.side() == Side::First { at } else { Square::COUNT - 1 - at };
            let first = if pile.side() == Some(state.side()) { 0 } else { Kind::COUNT };
            let mut add = |kind: usize, value| {
                if let Some(byte) = pieces.get_mut((first + kind - 1) * Square::COUNT + cell) {
                    *byte += value;
                }
            };
            // The codes of kinds are their planes, counted from 1; the King has a code of its own.
            let (bottom, top) = (usize::from(pile.code() & 7), usize::from(pile.code() >> 3 & 7));
            if bottom == 0 {
                add(Kind::King as usize, 1);
            } else {
                add(bottom, 1);
                if top != 0 {
                    add(top, 2);
                }
            }
        }
    }

    fn map_cell(&self, cell: usize, symmetry: ArxSymmetry) -> usize {
        // Turning the board and exchanging the colours changes nothing for the side to move.
        let mirrors = symmetry.mirrors();
        let (row, column) = (cell / Square::SIDE, cell % Square::SIDE);
        row * Square::SIDE + if mirrors { Square::SIDE - 1 - column } else { column }
    }
}
