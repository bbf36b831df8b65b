//! The numbers of moves: room for 128 steps, then 1,328 sequences of jumps, seen by the side to move.
//!
//! White sees the board after a half turn, so that both sides move down the page. A step is a way and the square it
//! ends on, so that the four sets of steps are the mask (30 of its bits would come from beside the board, and are never
//! set). A capture is a square and the directions of its jumps, a path in this tree; what is captured follows from it. No
//! path jumps over the same square twice, and none has more than nine jumps.
//!
//! ```text
//!     0..32     forward by 4, to square 1 + action      32..64    forward by 3 or 5
//!     64..96    back by 4                               96..128   back by 3 or 5
//!
//!     nodes 0..32        the squares a capture begins on
//!     nodes 32..1360     the routes, depth first; a node has up to four next ones, by direction
//!     action             128 + node - 32
//! ```

use crate::bits::JUMPS;
use crate::legal::Legal;
use crate::moves::Move;
use crate::rules::Draughts;
use crate::state::State;
use crate::types::{Color, Square};
use tabia_core::Actions;

const SQUARES: usize = Square::COUNT;
/// Numbers below this are steps.
pub(crate) const STEPS: usize = 4 * SQUARES;
const ROUTES: usize = 1328;

/// The tree of all routes; 0 where there is none.
struct Numbers {
    next: [[u16; 4]; SQUARES + ROUTES],
    nodes: usize,
}

static NUMBERS: Numbers = Numbers::new();

impl Numbers {
    const fn new() -> Numbers {
        let mut numbers = Numbers { next: [[0; 4]; SQUARES + ROUTES], nodes: SQUARES };
        let mut from = 0;
        while from < SQUARES {
            numbers.grow(from, from, 0);
            from += 1;
        }
        assert!(numbers.nodes == SQUARES + ROUTES);
        numbers
    }

    /// Adds everything that can follow a node, given the square it ends on and the squares jumped over.
    const fn grow(&mut self, node: usize, square: usize, jumped: u32) {
        let mut d = 0;
        while d < 4 {
            let jump = JUMPS[square][d];
            if jump.land != 0 && jump.over & jumped == 0 {
                let next = self.nodes;
                self.nodes += 1;
                self.next[node][d] = next as u16;
                self.grow(next, jump.land.trailing_zeros() as usize, jumped | jump.over);
            }
            d += 1;
        }
    }
}

impl Actions for Draughts {
    type Legal = Legal;

    fn action_count(&self) -> usize {
        STEPS + ROUTES
    }

    #[inline]
    fn action_of(&self, state: &State, mv: Move) -> usize {
        // A half turn complements square numbers and directions alike.
        let turn = if state.turn() == Color::Black { 0 } else { 31 };
        let (from, to) = ((mv.from_index() ^ turn) as usize, (mv.to_index() ^ turn) as usize);
        if !mv.is_capture() {
            let way = 2 * usize::from(to < from) + usize::from(from.abs_diff(to) != 4);
            return way * SQUARES + to;
        }
        let mut route = mv.route();
        let mut node = from;
        for _ in 0..mv.captured().count_ones() {
            node = NUMBERS.next[node][((route ^ turn) & 3) as usize].into();
            route >>= 2;
        }
        node + STEPS - SQUARES
    }
}
