//! Squares, sets of squares, pieces, colours and moves.
//!
//! A [`Move`] holds its from and to squares and the piece promoted to. Castling is written as *king
//! takes own rook* (`e1h1`), which is unambiguous in Chess960 too; texts for people are made in
//! [`crate::san`] and [`crate::uci`].

mod bitboard;
mod numbered;
mod piece;
mod square;

pub use crate::board::Board;
pub use crate::builder::BoardBuilder;
pub use bitboard::{BitBoard, Squares};
pub(crate) use piece::LAST_RANKS;
pub use piece::{CastleRights, Color, Move, MoveTextError, Piece, PieceMoves};
pub use square::{File, Rank, Square, SquareError};
use tabia_core::Side;

/// The letters of the pieces in the order of [`Piece::ALL`], as Black's in FEN.
pub const LETTERS: [u8; Piece::NUM] = *b"pnbrqk";

/// The player who has the pieces of this colour: White moves first.
#[inline]
pub const fn side_of(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

/// The colour of a player's pieces.
#[inline]
pub const fn color_of(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

/// `White` or `Black`.
pub const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `pawn`, `knight`, `bishop`, `rook`, `queen` or `king`.
pub const fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

/// The letter of a piece as in FEN: upper case for White.
pub const fn piece_letter(piece: Piece, color: Color) -> char {
    let letter = LETTERS[piece as usize];
    match color {
        Color::White => letter.to_ascii_uppercase() as char,
        Color::Black => letter as char,
    }
}

/// The piece that a FEN letter stands for.
#[inline]
pub fn piece_of_letter(letter: u8) -> Option<(Piece, Color)> {
    PIECE_OF_LETTER.get(usize::from(letter)).copied().flatten()
}

static PIECE_OF_LETTER: [Option<(Piece, Color)>; 128] = {
    let mut table = [None; 128];
    let mut piece = 0;
    while piece < Piece::NUM {
        table[LETTERS[piece] as usize] = Some((Piece::ALL[piece], Color::Black));
        table[LETTERS[piece].to_ascii_uppercase() as usize] = Some((Piece::ALL[piece], Color::White));
        piece += 1;
    }
    table
};

/// The piece that a letter stands for whatever its case, as in moves.
pub(crate) fn piece_of_any_case(letter: u8) -> Option<Piece> {
    piece_of_letter(letter).map(|(piece, _)| piece)
}

/// The file with this letter, `a` to `h`.
pub(crate) fn file_of_letter(letter: u8) -> Option<File> {
    File::try_index(usize::from(letter).checked_sub(usize::from(b'a'))?)
}

/// The rank with this digit, `1` to `8`.
pub(crate) fn rank_of_digit(digit: u8) -> Option<Rank> {
    Rank::try_index(usize::from(digit).checked_sub(usize::from(b'1'))?)
}

/// The letter of a file.
pub(crate) const fn file_letter(file: File) -> char {
    (b'a' + file as u8) as char
}

/// The digit of a rank.
pub(crate) const fn rank_digit(rank: Rank) -> char {
    (b'1' + rank as u8) as char
}

/// The name of a square, as [`Square`] is displayed, but without a formatter: answers have two for every move.
pub(crate) fn square_name(square: Square) -> String {
    let mut name = String::with_capacity(2);
    name.push(file_letter(square.file()));
    name.push(rank_digit(square.rank()));
    name
}
