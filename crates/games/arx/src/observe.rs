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

use crate::symmetry::ArxSymmetry;
use crate::{Arx, Kind, Pile, Square, State};
use tabia_core::bits::ones;
use tabia_core::{Observe, Planes, Side};

const PLANES: Planes = Planes { channels: 2 * Kind::COUNT + 1, height: Square::SIDE, width: Square::SIDE };

const PIECES: usize = 2 * Kind::COUNT * Square::COUNT;
/// The bit of White in the codes of piles.
const WHITE: u8 =
    Pile::single(Side::First, Kind::Soldier).code() ^ Pile::single(Side::Second, Kind::Soldier).code();

/// For each code of a pile, its own in White's colour: where the planes of bottom and top begin, and what is written
/// there. A single piece is written twice, so that nothing depends on what it is.
static SHOWN: [[(u16, u8); 2]; 128] = {
    let mut table = [[(0, 0); 2]; 128];
    let mut code = 0;
    while code < 128 {
        let own = code & WHITE as usize != 0;
        let (bottom, top) = (code & 7, code >> 3 & 7);
        // The codes of kinds are their planes, counted from 1; the King has a code of its own.
        table[code] = match (bottom, top) {
            (0, _) => [(plane(own, Kind::King as usize), 1); 2],
            (bottom, 0) => [(plane(own, bottom), 1); 2],
            (bottom, top) if bottom == top => [(plane(own, bottom), 3); 2],
            (bottom, top) => [(plane(own, bottom), 1), (plane(own, top), 2)],
        };
        code += 1;
    }
    table
};

const fn plane(own: bool, kind: usize) -> u16 {
    let first = if own { 0 } else { Kind::COUNT };
    ((first + kind - 1) * Square::COUNT) as u16
}

impl Observe for Arx {
    fn planes(&self) -> Planes {
        PLANES
    }

    #[inline]
    fn observe(&self, state: &State, quiet: u32, out: &mut [u8]) {
        let Some((pieces, clock)) = out.split_first_chunk_mut::<PIECES>() else { return };
        pieces.fill(0);
        clock.fill(quiet.min(255) as u8);
        // Colour and side to move together tell whose a pile is, without a branch.
        let black = if state.side() == Side::First { 0 } else { WHITE };
        let mut show = |at: usize| {
            let cell = if black == 0 { at } else { Square::COUNT - 1 - at };
            let code = state.piles()[at].code() ^ black;
            for (first, value) in SHOWN[usize::from(code % 128)] {
                if let Some(byte) = pieces.get_mut(usize::from(first) + cell) {
                    *byte = value;
                }
            }
        };
        ones(state.occupied() as u64).for_each(&mut show);
        ones((state.occupied() >> 64) as u64).for_each(|at| show(64 + at));
    }

    fn map_cell(&self, cell: usize, symmetry: ArxSymmetry) -> usize {
        // Turning the board and exchanging the colours changes nothing for the side to move.
        let mirrors = symmetry.mirrors();
        let (row, column) = (cell / Square::SIDE, cell % Square::SIDE);
        row * Square::SIDE + if mirrors { Square::SIDE - 1 - column } else { column }
    }
}
