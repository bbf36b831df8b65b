//! The numbers of moves: 98 steps, then 1,328 sequences of jumps, seen by the side to move.
//!
//! White sees the board after a half turn, so that both sides move down the page. A step is a square and a
//! neighbour. A capture is a square and the directions of its jumps, a path in this tree; what is captured
//! follows from it. No path jumps over the same square twice, and none has more than nine jumps.
//!
//! ```text
//!     nodes 0..32        the squares a capture begins on
//!     nodes 32..1360     the routes, depth first; a node has up to four next ones, by direction
//!     action             98 + node - 32
//! ```

use crate::bits::JUMPS;
use crate::moves::Move;
use crate::rules::Draughts;
use crate::state::State;
use crate::types::{Color, Direction, Square};
use tabia_core::Actions;

const SQUARES: usize = Square::COUNT;
const STEPS: usize = 98;
const ROUTES: usize = 1328;

/// The numbers of all steps and the tree of all routes; 0 where there is none.
struct Numbers {
    steps: [[u16; SQUARES]; SQUARES],
    next: [[u16; 4]; SQUARES + ROUTES],
    nodes: usize,
}

static NUMBERS: Numbers = Numbers::new();

impl Numbers {
    const fn new() -> Numbers {
        let steps = [[0; SQUARES]; SQUARES];
        let mut numbers = Numbers { steps, next: [[0; 4]; SQUARES + ROUTES], nodes: SQUARES };
        let mut steps = 0;
        let mut from = 0;
        while from < SQUARES {
            let mut d = 0;
            while d < 4 {
                if let Some(to) = Direction::ALL[d].walk(Square::from_index(from as u32), 1) {
                    numbers.steps[from][to.index()] = steps;
                    steps += 1;
                }
                d += 1;
            }
            numbers.grow(from, from, 0);
            from += 1;
        }
        assert!(steps as usize == STEPS && numbers.nodes == SQUARES + ROUTES);
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
    fn action_count(&self) -> usize {
        STEPS + ROUTES
    }

    #[inline]
    fn action_of(&self, state: &State, mv: Move) -> usize {
        // A half turn complements square numbers and directions alike.
        let turn = if state.turn() == Color::Black { 0 } else { 31 };
        let (from, to) = ((mv.from_index() ^ turn) as usize, (mv.to_index() ^ turn) as usize);
        if !mv.is_capture() {
            return NUMBERS.steps[from & 31][to & 31].into();
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
