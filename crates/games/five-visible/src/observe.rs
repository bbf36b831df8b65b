//! Five planes of 3 by 9, seen by the side to move: a row for each level (0 on the table), a column for each
//! position.
//!
//! ```text
//!     plane 0   own bricks
//!           1   the opponent's bricks
//!           2   1 in the whole column of the stack that received the last brick
//!           3   everywhere the bricks in the own stash
//!           4   everywhere the bricks in the opponent's stash
//! ```
//!
//! The draw after 200 plies is not shown.

use crate::{FiveVisible, Place, Relocation, State};
use tabia_core::{Observe, Planes};

const PLANES: Planes = Planes { channels: 5, height: LEVELS, width: Place::COUNT };
const LEVELS: usize = 3;

/// For each stack code, the bricks of player 0 and of player 1 on each level.
static BRICKS: [[[u8; LEVELS]; 2]; 32] = {
    let mut table = [[[0; LEVELS]; 2]; 32];
    let mut code = 0;
    while code < 32 {
        let height = code & 3;
        let mut level = 0;
        while level < height {
            // Bit 2 is the top.
            let player = code >> (2 + height - 1 - level) & 1;
            table[code][player][level] = 1;
            level += 1;
        }
        code += 1;
    }
    table
};

impl Observe for FiveVisible {
    fn planes(&self) -> Planes {
        PLANES
    }

    #[inline]
    fn observe(&self, state: &State, _quiet: u32, out: &mut [u8]) {
        const CELLS: usize = PLANES.cells();
        let ([own, other, blocked, stash, other_stash], []) = out.as_chunks_mut::<CELLS>() else { return };
        let player = state.player().index();
        for place in Place::ALL {
            let bricks = &BRICKS[usize::from(state.stack(place).code() & 31)];
            for level in 0..LEVELS {
                own[level * Place::COUNT + place.index()] = bricks[player][level];
                other[level * Place::COUNT + place.index()] = bricks[1 - player][level];
            }
        }
        blocked.fill(0);
        if let Some(place) = state.blocked() {
            blocked.iter_mut().skip(place.index()).step_by(Place::COUNT).for_each(|cell| *cell = 1);
        }
        stash.fill(state.stash(state.player()) as u8);
        other_stash.fill(state.stash(state.player().other()) as u8);
    }

    fn map_cell(&self, cell: usize, relocation: Relocation) -> usize {
        let (level, place) = (cell / Place::COUNT, cell % Place::COUNT);
        level * Place::COUNT
            + Place::from_index(place).map_or(place, |place| relocation.target(place).index())
    }
}
