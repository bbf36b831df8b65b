//! Pawns: where they take, and which are passed, doubled or isolated.
//!
//! All of it by shifting whole bitboards; ranks up for White, down for Black.

use super::tables::{DOUBLED, ISOLATED, PASSED, Score};
use super::{Term, placed_by};
use crate::types::{BitBoard, Board, Color, Piece};

const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// The squares that a side's pawns attack.
pub(super) fn attacks(board: &Board, color: Color) -> BitBoard {
    BitBoard(sideways(forward(board.colored_pieces(color, Piece::Pawn).0, color)))
}

/// Material, places and structure of a side's pawns.
#[inline]
pub(super) fn score(board: &Board, color: Color, weigh: impl Fn(Term, Score) -> Score) -> Score {
    let ours = board.colored_pieces(color, Piece::Pawn);
    let theirs = board.colored_pieces(!color, Piece::Pawn).0;
    // Whatever stands before one of their pawns, or beside that, is stopped by it.
    let span = ahead(theirs, !color);
    let stopped = span | sideways(span) | ahead(ours.0, !color);
    let files = fill(ours.0);
    let isolated = BitBoard(ours.0 & !sideways(files));
    let doubled = BitBoard(ours.0 & ahead(ours.0, color));
    let structure = DOUBLED * doubled.len() as i32 + ISOLATED * isolated.len() as i32;
    let mut score = weigh(Term::Structure, structure);
    for square in ours {
        score = score + placed_by(Piece::Pawn, color, square, &weigh);
    }
    for square in BitBoard(ours.0 & !stopped) {
        score = score + weigh(Term::Passed, PASSED[square.rank().relative_to(color) as usize]);
    }
    score
}

const fn forward(set: u64, color: Color) -> u64 {
    match color {
        Color::White => set << 8,
        Color::Black => set >> 8,
    }
}

/// The squares to the left and right of a set.
const fn sideways(set: u64) -> u64 {
    (set & NOT_A) >> 1 | (set & NOT_H) << 1
}

/// All squares in front of a set.
const fn ahead(set: u64, color: Color) -> u64 {
    let set = forward(set, color);
    match color {
        Color::White => {
            let set = set | set << 8;
            let set = set | set << 16;
            set | set << 32
        }
        Color::Black => {
            let set = set | set >> 8;
            let set = set | set >> 16;
            set | set >> 32
        }
    }
}

/// The whole files of a set.
const fn fill(set: u64) -> u64 {
    set | ahead(set, Color::White) | ahead(set, Color::Black)
}
