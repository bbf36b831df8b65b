//! Files, ranks and squares: a1 is 0, b1 is 1, h8 is 63.

use super::numbered::numbered;
use super::{BitBoard, Color};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

numbered! {
    /// A file, from White's left to right.
    #[allow(missing_docs)]
    File { A, B, C, D, E, F, G, H }
}

numbered! {
    /// A rank, White's first rank first.
    #[allow(missing_docs)]
    Rank { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }
}

numbered! {
    /// A square.
    #[rustfmt::skip]
    #[allow(missing_docs)]
    Square {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

impl File {
    /// The squares of this file.
    #[inline]
    pub const fn bitboard(self) -> BitBoard {
        BitBoard(0x0101_0101_0101_0101 << self as u32)
    }

    /// The squares of the files beside it.
    #[inline]
    pub const fn adjacent(self) -> BitBoard {
        self.bitboard().sideways()
    }

    /// The file in the mirror: a for h.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Self {
        Self::wrapped(7 - self as usize)
    }
}

impl Rank {
    /// The squares of this rank.
    #[inline]
    pub const fn bitboard(self) -> BitBoard {
        BitBoard(0xFF << (8 * self as u32))
    }

    /// The rank as this colour counts: Black's first is White's eighth.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::wrapped(7 - self as usize),
        }
    }
}

impl Square {
    /// The square of a file and a rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::wrapped(8 * rank as usize + file as usize)
    }

    /// Its file.
    #[inline]
    pub const fn file(self) -> File {
        File::wrapped(self as usize)
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::wrapped(self as usize / 8)
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bitboard(self) -> BitBoard {
        BitBoard(1 << self as u32)
    }

    /// The square in the mirror of the files: a1 for h1.
    #[inline]
    #[must_use]
    pub const fn flip_file(self) -> Self {
        Self::wrapped(self as usize ^ 0b000_111)
    }

    /// The square with the ranks turned over: a1 for a8.
    #[inline]
    #[must_use]
    pub const fn flip_rank(self) -> Self {
        Self::wrapped(self as usize ^ 0b111_000)
    }

    /// The square so many files and ranks away, if it is on the board.
    pub const fn try_offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self as i8 % 8) + files;
        let rank = (self as i8 / 8) + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Self::try_index(8 * rank as usize + file as usize)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", super::file_letter(*self))
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", super::rank_digit(*self))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

/// A text that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a square, a1 to h8")]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let &[file, rank] = text.as_bytes() else { return Err(SquareError) };
        let square = super::file_of_letter(file).zip(super::rank_of_digit(rank));
        square.map(|(file, rank)| Square::new(file, rank)).ok_or(SquareError)
    }
}
