//! Moves as engines write them: `e2e4`, `e7e8q`.
//!
//! Castling is written `e1g1` when king and rook stand where they do in ordinary chess, and king
//! takes rook (`f1h1`) otherwise, as UCI does for Chess960. Both forms are read.

use crate::board::castling_files;
use crate::movegen::is_castling;
use crate::types::{
    Board, File, Move, Piece, Rank, Square, file_of_letter, piece_of_any_case, rank_of_digit,
};

/// Writes a legal move.
pub fn format(board: &Board, mv: Move) -> String {
    let ordinary = mv.from.file() == File::E && matches!(mv.to.file(), File::A | File::H);
    if is_castling(board, mv) && ordinary {
        return format!("{}{}", mv.from, castling_target(board, mv));
    }
    mv.to_string()
}

/// The square where the king stands after castling.
pub(crate) fn castling_target(board: &Board, mv: Move) -> Square {
    Square::new(castling_files(mv).0, Rank::First.relative_to(board.side_to_move()))
}

/// Reads a move by its form alone; `None` when the text is not of this form.
pub(crate) fn read(board: &Board, text: &[u8]) -> Option<Move> {
    let (&[a, b, c, d], rest) = text.split_first_chunk::<4>()?;
    let promotion = match rest {
        [] => None,
        [letter] | [b'=', letter] => Some(piece_of_any_case(*letter)?),
        _ => return None,
    };
    let from = Square::new(file_of_letter(a)?, rank_of_digit(b)?);
    let to = Square::new(file_of_letter(c)?, rank_of_digit(d)?);
    Some(king_takes_rook(board, Move { from, to, promotion }))
}

/// Turns `e1g1` into `e1h1` where that is castling.
pub(crate) fn king_takes_rook(board: &Board, mv: Move) -> Move {
    let color = board.side_to_move();
    let back = Rank::First.relative_to(color);
    let home = Square::new(File::E, back);
    if mv.from != home || !board.colored_pieces(color, Piece::King).has(home) || mv.to.rank() != back {
        return mv;
    }
    let rights = board.castle_rights(color);
    let rook = match mv.to.file() {
        File::G => rights.short,
        File::C => rights.long,
        _ => None,
    };
    rook.map_or(mv, |rook| Move { to: Square::new(rook, back), ..mv })
}
