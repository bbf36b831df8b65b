//! The numbers of moves: 1,858, seen by the side to move (Black sees the ranks turned over).
//!
//! ```text
//!     0..1792      from and to, where a queen or a knight could go: ascending by from (a1 = 0), then by to.
//!                  Promotion to a queen is among them; castling is king takes rook.
//!     1792..1858   promotion to a knight (22), bishop (22), rook (22): file by file of the pawn, each
//!                  to the left, straight on, to the right (the first and the last file have two ways)
//! ```

use crate::types::{Color, Move, Piece, Square};
use crate::{Chess, State};
use tabia_core::Actions;

const PAIRS: usize = 1792;
/// Ways of a pawn onto the last rank.
const LAST_STEPS: usize = 22;

static NUMBERS: [[u16; Square::NUM]; Square::NUM] = numbers();

const fn numbers() -> [[u16; Square::NUM]; Square::NUM] {
    let mut table = [[0; Square::NUM]; Square::NUM];
    let mut next = 0;
    let mut pair = 0;
    while pair < Square::NUM * Square::NUM {
        let (from, to) = (pair / Square::NUM, pair % Square::NUM);
        let files = (from % 8).abs_diff(to % 8);
        let ranks = (from / 8).abs_diff(to / 8);
        if from != to && (files == 0 || ranks == 0 || files == ranks || files + ranks == 3) {
            table[from][to] = next;
            next += 1;
        }
        pair += 1;
    }
    assert!(next as usize == PAIRS);
    table
}

impl Actions for Chess {
    fn action_count(&self) -> usize {
        PAIRS + 3 * LAST_STEPS
    }

    #[inline]
    fn action_of(&self, state: &State, mv: Move) -> usize {
        let flip = if state.board().side_to_move() == Color::White { 0 } else { 0b111_000 };
        let (from, to) = (mv.from as usize ^ flip, mv.to as usize ^ flip);
        let smaller = match mv.promotion {
            Some(Piece::Knight) => 0,
            Some(Piece::Bishop) => 1,
            Some(Piece::Rook) => 2,
            _ => return NUMBERS[from][to].into(),
        };
        // Three ways for each file, less the one to the left of the first.
        let way = 2 * (from % 8) + to % 8;
        PAIRS + smaller * LAST_STEPS + way
    }
}
