//! Why a move is not legal, in words.

use crate::State;
use crate::board::for_side;
use crate::movegen::outcome;
use crate::types::{BitBoard, Board, Move, Piece, Rank, Square, color_name, piece_name};
use tabia_core::RuleError;

/// Says why a move is not legal, if it is not.
pub(crate) fn check(state: &State, mv: Move) -> Result<(), RuleError> {
    let board = state.board();
    if board.is_legal(mv) { Ok(()) } else { Err(RuleError::new(reason(state, mv))) }
}

/// Why an illegal move is not legal.
fn reason(state: &State, mv: Move) -> String {
    let board = state.board();
    let color = board.side_to_move();
    let Move { from, to, promotion } = mv;
    if outcome(state).is_some() {
        let how = if state.in_check() { "checkmate" } else { "stalemate" };
        return format!("the game is over: {how}");
    }
    let Some((piece, owner)) = state.piece_on(from) else { return format!("no piece on {from}") };
    let name = piece_name(piece);
    if owner != color {
        return format!(
            "the {name} on {from} is {}'s, but {} is to move",
            color_name(owner),
            color_name(color)
        );
    }
    let last_rank = to.rank() == Rank::Eighth.relative_to(color);
    match promotion {
        None if piece == Piece::Pawn && last_rank => return format!("a pawn that reaches {to} must promote"),
        Some(_) if piece != Piece::Pawn => return format!("a {name} does not promote"),
        Some(_) if !last_rank => return format!("a pawn does not promote on {to}"),
        Some(Piece::Pawn | Piece::King) => {
            return "a pawn promotes to a knight, bishop, rook or queen".to_owned();
        }
        _ => {}
    }
    if !pseudo_targets(board, piece, from).has(to) {
        return format!("the {name} on {from} cannot go to {to}");
    }
    if state.in_check() && piece != Piece::King {
        return format!("{} is in check, and this move does not end it", color_name(color));
    }
    format!("the move of the {name} from {from} to {to} would leave the king in check")
}

/// Why the piece on a square has no move.
pub(crate) fn stuck(state: &State, from: Square) -> Option<String> {
    let (piece, owner) = state.piece_on(from)?;
    let color = state.board().side_to_move();
    Some(if owner != color {
        format!("{} is to move", color_name(color))
    } else if pseudo_targets(state.board(), piece, from).is_empty() {
        "its ways are blocked".to_owned()
    } else if piece == Piece::King {
        "every square beside the king is attacked".to_owned()
    } else if state.in_check() {
        format!("{} is in check", color_name(color))
    } else {
        "pinned: the king would stand in check".to_owned()
    })
}

/// Where a piece could go if its king were safe anywhere.
fn pseudo_targets(board: &Board, piece: Piece, from: Square) -> BitBoard {
    let color = board.side_to_move();
    if piece == Piece::Pawn {
        let passing =
            board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(color)).bitboard());
        let takes = board.sees(piece, from, color) & passing.unwrap_or(BitBoard::EMPTY);
        return for_side!(board, pawn_targets(from)) | takes;
    }
    board.sees(piece, from, color) & !board.colors(color)
}
