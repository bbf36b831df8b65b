//! Colours, kinds of pieces, moves and rights.

use super::numbered::numbered;
use super::{BitBoard, File, LETTERS, Rank, Square};
use std::fmt;
use std::ops::Not;
use std::str::FromStr;
use thiserror::Error;

numbered! {
    /// A side's pieces.
    Color {
        /// White, who moves first.
        White,
        /// Black.
        Black,
    }
}

numbered! {
    /// A kind of piece.
    Piece {
        /// The pawn.
        Pawn,
        /// The knight.
        Knight,
        /// The bishop.
        Bishop,
        /// The rook.
        Rook,
        /// The queen.
        Queen,
        /// The king.
        King,
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The files of the rooks that a side may still castle with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastleRights {
    /// The rook on the king's h-side.
    pub short: Option<File>,
    /// The rook on the king's a-side.
    pub long: Option<File>,
}

impl CastleRights {
    /// No right.
    pub const EMPTY: Self = CastleRights { short: None, long: None };
}

/// A move; castling is the king's move to the square of his rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes on the last rank.
    pub promotion: Option<Piece>,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |piece| write!(f, "{}", LETTERS[piece as usize] as char))
    }
}

/// A text that is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a move such as e2e4 or e7e8q")]
pub struct MoveTextError;

impl FromStr for Move {
    type Err = MoveTextError;

    /// Reads what is displayed: `e2e4`, `e7e8q`, castling as `e1h1`.
    fn from_str(text: &str) -> Result<Self, MoveTextError> {
        let square = |range| text.get(range).and_then(|name: &str| name.parse().ok()).ok_or(MoveTextError);
        let promotion = match text.as_bytes().get(4..).unwrap_or_default() {
            [] => None,
            [letter] => Some(super::piece_of_any_case(*letter).ok_or(MoveTextError)?),
            _ => return Err(MoveTextError),
        };
        Ok(Move { from: square(0..2)?, to: square(2..4)?, promotion })
    }
}

/// What a pawn can become, in the order in which its moves are listed.
const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
/// Where pawns promote.
pub(crate) const LAST_RANKS: BitBoard = BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

/// The moves of one piece, as the set of its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceMoves {
    /// Its kind.
    pub piece: Piece,
    /// Where it stands.
    pub from: Square,
    /// Where it can go: each of them is four moves when a pawn promotes.
    pub to: BitBoard,
}

impl PieceMoves {
    /// Whether every target is four moves.
    #[inline]
    pub fn promotes(&self) -> bool {
        self.piece == Piece::Pawn && !self.to.is_disjoint(LAST_RANKS)
    }

    /// How many moves they are.
    #[inline]
    pub fn count(&self) -> u32 {
        self.to.len() << if self.promotes() { 2 } else { 0 }
    }

    /// Visits the moves: by target, and of a promotion knight, bishop, rook, queen.
    #[inline]
    pub fn each(&self, mut visit: impl FnMut(Move)) {
        let from = self.from;
        if self.promotes() {
            for to in self.to {
                PROMOTIONS.iter().for_each(|&piece| visit(Move { from, to, promotion: Some(piece) }));
            }
        } else {
            self.to.iter().for_each(|to| visit(Move { from, to, promotion: None }));
        }
    }

    /// Number `n` of the moves in that order, `n` being below their count.
    #[inline]
    pub fn nth(&self, n: u32) -> Move {
        let promotes = self.promotes();
        let target = tabia_core::bits::nth_bit(self.to.0, if promotes { n / 4 } else { n });
        let promotion = promotes.then(|| PROMOTIONS[n as usize % 4]);
        Move { from: self.from, to: Square::wrapped(target as usize), promotion }
    }
}
