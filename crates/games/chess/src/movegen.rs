//! The legal moves as lists and numbers, what kind of move one is, and the end of the game.

use crate::State;
use crate::generate::Wanted;
use crate::types::{BitBoard, Board, LAST_RANKS, Move, Piece, PieceMoves, Rank, Square, side_of};
use std::ops::ControlFlow::{self, Continue};
use tabia_core::{Outcome, SplitMix64};

const DARK: BitBoard = BitBoard(0xAA55_AA55_AA55_AA55);

/// Whether neither side has the pieces to mate, however badly the other plays: bare kings, one
/// knight or bishop in all, or bishops that all stand on one colour.
///
/// Other dead positions (walls of blocked pawns) are not recognised; such games end by repetition
/// or by the count of moves.
#[inline]
pub fn insufficient_material(board: &Board) -> bool {
    let enough = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    enough.is_empty() && only_few_minor_pieces(board)
}

fn only_few_minor_pieces(board: &Board) -> bool {
    let bishops = board.pieces(Piece::Bishop);
    let one_colour = bishops.is_subset(DARK) || bishops.is_disjoint(DARK);
    board.occupied().len() <= 3 || (board.pieces(Piece::Knight).is_empty() && one_colour)
}

/// Mate or stalemate.
pub(crate) fn outcome(state: &State) -> Option<Outcome> {
    let board = state.board();
    if board.generate_moves(|_| true) {
        None
    } else if state.in_check() {
        Some(Outcome::Win(side_of(!board.side_to_move())))
    } else {
        Some(Outcome::Draw)
    }
}

/// Appends the legal moves.
#[inline]
pub(crate) fn moves(state: &State, out: &mut Vec<Move>) {
    let _ = state.board().visit(Wanted::ALL, |moves| append(moves, out));
}

/// Appends the captures and promotions among the legal moves, in the same order.
pub(crate) fn noisy(state: &State, out: &mut Vec<Move>) {
    let board = state.board();
    let color = board.side_to_move();
    let theirs = board.colors(!color);
    let passed = board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(color)).bitboard());
    let pawns = theirs | LAST_RANKS | passed.unwrap_or(BitBoard::EMPTY);
    let _ = board.visit(Wanted { pawns, others: theirs }, |moves| append(moves, out));
}

/// Appends the moves of one piece.
#[inline]
fn append(moves: PieceMoves, out: &mut Vec<Move>) -> ControlFlow<()> {
    out.reserve(moves.count() as usize);
    moves.each(|mv| out.push(mv));
    Continue(())
}

/// Counts the legal moves without listing them.
#[inline]
pub(crate) fn count(state: &State) -> u64 {
    u64::from(state.board().count_moves())
}

/// The most pieces that a side has, and two captures en passant.
const MOST_VISITS: usize = 18;

/// A legal move chosen uniformly, the same as from a list of them.
#[inline]
pub(crate) fn random(state: &State, rng: &mut SplitMix64) -> Option<Move> {
    let mut found = [PieceMoves { piece: Piece::Pawn, from: Square::A1, to: BitBoard::EMPTY }; MOST_VISITS];
    let (mut visits, mut count) = (0, 0);
    let _ = state.board().visit(Wanted::ALL, |moves| {
        found[visits % MOST_VISITS] = moves;
        visits += 1;
        count += moves.count();
        Continue(())
    });
    let mut left = rng.below(count.into()) as u32;
    for moves in &found[..visits.min(MOST_VISITS)] {
        if left < moves.count() {
            return Some(moves.nth(left));
        }
        left -= moves.count();
    }
    None
}

/// Whether a move takes something (castling, written king takes rook, does not).
#[inline]
pub fn is_capture(board: &Board, mv: Move) -> bool {
    board.colors(!board.side_to_move()).has(mv.to) || is_en_passant(board, mv)
}

#[inline]
fn is_en_passant(board: &Board, mv: Move) -> bool {
    board.en_passant().is_some()
        && mv.from.file() != mv.to.file()
        && board.pieces(Piece::Pawn).has(mv.from)
        && !board.occupied().has(mv.to)
}

/// Whether a legal move of the king is castling.
#[inline]
pub fn is_castling(board: &Board, mv: Move) -> bool {
    board.colors(board.side_to_move()).has(mv.to)
}

/// Whether the 50-move count starts anew: a capture or a pawn move.
pub(crate) fn is_progress(state: &State, mv: Move) -> bool {
    let board = state.board();
    board.pieces(Piece::Pawn).has(mv.from) || is_capture(board, mv)
}
