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

const PLANES: Planes = Planes { channels: 5, height: 3, width: Place::COUNT };

impl Observe for FiveVisible {
    fn planes(&self) -> Planes {
        PLANES
    }

    #[inline]
    fn observe(&self, state: &State, _quiet: u32, out: &mut [u8]) {
        let (own, cells) = (state.player(), PLANES.cells());
        let Some((bricks, stashes)) = out.split_at_mut_checked(3 * cells) else { return };
        bricks.fill(0);
        for place in Place::ALL {
            for (level, brick) in state.stack(place).bricks().enumerate() {
                let plane = usize::from(brick != own);
                bricks[plane * cells + level * Place::COUNT + place.index()] = 1;
            }
        }
        if let Some(place) = state.blocked() {
            bricks[2 * cells + place.index()..].iter_mut().step_by(Place::COUNT).for_each(|cell| *cell = 1);
        }
        for (side, plane) in [own, own.other()].into_iter().zip(stashes.chunks_exact_mut(cells)) {
            plane.fill(state.stash(side) as u8);
        }
    }

    fn map_cell(&self, cell: usize, relocation: Relocation) -> usize {
        let (level, place) = (cell / Place::COUNT, cell % Place::COUNT);
        level * Place::COUNT
            + Place::from_index(place).map_or(place, |place| relocation.target(place).index())
    }
}
