//! cozy-chess, a chess program of other people, and our positions as its own.

use cozy_chess as cozy;
use tabia_chess::State;
use tabia_chess::types::{BoardBuilder, CastleRights, Color, File, Move, Piece, Square};

/// The position as cozy-chess has it, if it takes it; its clock stops at 100.
pub(crate) fn board(builder: &BoardBuilder) -> Option<cozy::Board> {
    let mut theirs = cozy::BoardBuilder::empty();
    for square in Square::ALL {
        let piece = builder.square(square).map(|(piece, color)| (kind(piece), colour(color)));
        *theirs.square_mut(cozy::Square::index(square as usize)) = piece;
    }
    for color in Color::ALL {
        let CastleRights { short, long } = builder.castle_rights(color);
        let file = |file: Option<File>| file.map(|file| cozy::File::index(file as usize));
        let rights = cozy::CastleRights { short: file(short), long: file(long) };
        *theirs.castle_rights_mut(colour(color)) = rights;
    }
    theirs.side_to_move = colour(builder.side_to_move);
    theirs.en_passant = builder.en_passant.map(|square| cozy::Square::index(square as usize));
    theirs.halfmove_clock = builder.halfmove_clock.min(100);
    theirs.fullmove_number = builder.fullmove_number;
    theirs.build().ok()
}

/// A valid position.
pub(crate) fn position(state: &State) -> cozy::Board {
    let text = || tabia_chess::fen::format(state);
    board(&state.to_builder()).unwrap_or_else(|| panic!("cozy-chess refuses {}", text()))
}

/// A move as it writes it.
pub(crate) fn theirs(mv: Move) -> cozy::Move {
    cozy::Move {
        from: cozy::Square::index(mv.from as usize),
        to: cozy::Square::index(mv.to as usize),
        promotion: mv.promotion.map(kind),
    }
}

fn kind(piece: Piece) -> cozy::Piece {
    cozy::Piece::index(piece as usize)
}

fn colour(color: Color) -> cozy::Color {
    cozy::Color::index(color as usize)
}
