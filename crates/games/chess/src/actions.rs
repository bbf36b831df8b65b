//! The numbers of moves: 1,858, seen by the side to move (Black sees the ranks turned over).
//!
//! ```text
//!     0..1792      from and to, where a queen or a knight could go: ascending by from (a1 = 0), then by to.
//!                  Promotion to a queen is among them; castling is king takes rook.
//!     1792..1858   promotion to a knight (22), bishop (22), rook (22): file by file of the pawn, each
//!                  to the left, straight on, to the right (the first and the last file have two ways)
//! ```

use crate::legal::Legal;
use crate::types::{Color, Move, Piece, Square};
use crate::{Chess, State};
use tabia_core::Actions;

const PAIRS: usize = 1792;
/// Ways of a pawn onto the last rank.
const LAST_STEPS: usize = 22;

/// The number of the first move from each square, and how many later each of its moves is.
pub(crate) struct Numbers {
    pub(crate) first: [u16; Square::NUM],
    pub(crate) later: [[u8; Square::NUM]; Square::NUM],
}

pub(crate) static NUMBERS: Numbers = numbers();

const fn numbers() -> Numbers {
    let mut numbers = Numbers { first: [0; Square::NUM], later: [[0; Square::NUM]; Square::NUM] };
    let (mut next, mut pair) = (0, 0);
    while pair < Square::NUM * Square::NUM {
        let (from, to) = (pair / Square::NUM, pair % Square::NUM);
        let files = (from % 8).abs_diff(to % 8);
        let ranks = (from / 8).abs_diff(to / 8);
        if to == 0 {
            numbers.first[from] = next;
        }
        if from != to && (files == 0 || ranks == 0 || files == ranks || files + ranks == 3) {
            numbers.later[from][to] = (next - numbers.first[from]) as u8;
            next += 1;
        }
        pair += 1;
    }
    assert!(next as usize == PAIRS);
    numbers
}

/// What turns a square into the one that the side to move sees.
#[inline]
pub(crate) fn flip(state: &State) -> usize {
    if state.board().side_to_move() == Color::White { 0 } else { 0b111_000 }
}

impl Actions for Chess {
    type Legal = Legal;

    fn action_count(&self) -> usize {
        PAIRS + 3 * LAST_STEPS
    }

    #[inline]
    fn action_of(&self, state: &State, mv: Move) -> usize {
        let flip = flip(state);
        let (from, to) = (mv.from as usize ^ flip, mv.to as usize ^ flip);
        let smaller = match mv.promotion {
            Some(Piece::Knight) => 0,
            Some(Piece::Bishop) => 1,
            Some(Piece::Rook) => 2,
            _ => return usize::from(NUMBERS.first[from]) + usize::from(NUMBERS.later[from][to]),
        };
        // Three ways for each file, less the one to the left of the first.
        let way = 2 * (from % 8) + to % 8;
        PAIRS + smaller * LAST_STEPS + way
    }
}
