//! The two sides as types, so that everything that differs between them is settled when the code is compiled.

use crate::types::{BitBoard, Color, Rank, Square};

/// A side that moves.
pub(crate) trait Mover {
    /// Its colour.
    const COLOR: Color;
    /// The other side.
    type Other: Mover<Other = Self>;

    /// A set one rank forward.
    fn forward(set: BitBoard) -> BitBoard;

    /// The squares of a rank as this side counts.
    #[inline]
    fn rank(rank: Rank) -> BitBoard {
        rank.relative_to(Self::COLOR).bitboard()
    }

    /// The square that a pawn of the other side passed by its double step on a file.
    #[inline]
    fn passed(file: crate::types::File) -> Square {
        Square::new(file, Rank::Sixth.relative_to(Self::COLOR))
    }
}

/// White, as a type.
pub(crate) struct White;
/// Black, as a type.
pub(crate) struct Black;

impl Mover for White {
    const COLOR: Color = Color::White;
    type Other = Black;

    #[inline]
    fn forward(set: BitBoard) -> BitBoard {
        BitBoard(set.0 << 8)
    }
}

impl Mover for Black {
    const COLOR: Color = Color::Black;
    type Other = White;

    #[inline]
    fn forward(set: BitBoard) -> BitBoard {
        BitBoard(set.0 >> 8)
    }
}
