//! Colours, kinds of piece, squares and directions.
//!
//! Squares carry their PDN numbers; Black starts on 1-12 at the top and moves down the page.
//!
//! ```text
//!      .  1  .  2  .  3  .  4      row 0: Black's back row, where White crowns
//!      5  .  6  .  7  .  8  .      row 1
//!      .  9  . 10  . 11  . 12
//!     13  . 14  . 15  . 16  .
//!      . 17  . 18  . 19  . 20
//!     21  . 22  . 23  . 24  .
//!      . 25  . 26  . 27  . 28
//!     29  . 30  . 31  . 32  .      row 7: White's back row, where Black crowns
//! ```
//!
//! Inside, square `n` is bit `n - 1` of a 32-bit board; in public bitboards it is a bit of 64, where
//! bit `8 * row + column` counts the light squares too.

use serde::{Deserialize, Serialize};
use std::fmt;
use tabia_core::Side;

/// A colour of pieces: Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Color {
    /// Starts on squares 1-12 and moves first.
    Black = 0,
    /// Starts on squares 21-32.
    White = 1,
}

impl Color {
    /// Both colours, the first mover first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// The other colour.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// The player of this colour.
    #[inline]
    pub const fn side(self) -> Side {
        match self {
            Color::Black => Side::First,
            Color::White => Side::Second,
        }
    }

    /// `B` or `W`, as in FEN.
    pub const fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::First => Color::Black,
            Side::Second => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "Black",
            Color::White => "White",
        })
    }
}

/// What a piece can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Moves and captures forward.
    Man,
    /// Moves and captures in all four directions.
    King,
}

/// A playable (dark) square: PDN number 1 to 32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// How many there are.
    pub const COUNT: usize = 32;

    /// The square with this PDN number; `None` unless it is 1 to 32.
    pub const fn new(number: u8) -> Option<Square> {
        if number >= 1 && number <= 32 { Some(Square(number - 1)) } else { None }
    }

    /// The square of a bit of a 32-bit board; only the low five bits count.
    #[inline]
    pub(crate) const fn from_index(index: u32) -> Square {
        Square((index & 31) as u8)
    }

    /// All squares, in ascending order.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..32).map(Square)
    }

    /// The PDN number, 1 to 32.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The bit of 32-bit boards, 0 to 31.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row from the top, 0 to 7.
    pub const fn row(self) -> usize {
        self.index() / 4
    }

    /// The column from the left, 0 to 7.
    pub const fn column(self) -> usize {
        2 * (self.index() % 4) + 1 - self.row() % 2
    }

    /// The dark square in a row and column; `None` for light squares and outside the board.
    pub const fn at(row: usize, column: usize) -> Option<Square> {
        if row < 8 && column < 8 && (row + column) % 2 == 1 {
            Some(Square((4 * row + column / 2) as u8))
        } else {
            None
        }
    }

    /// The bit of 64-bit boards, where bit 0 is the light square top left.
    pub const fn bit64(self) -> u32 {
        (8 * self.row() + self.column()) as u32
    }

    /// The square of a bit of 64-bit boards; `None` for light squares.
    pub const fn from_bit64(bit: u32) -> Option<Square> {
        Square::at(bit as usize / 8, bit as usize % 8)
    }

    /// The 32-bit board with this square alone.
    #[inline]
    pub(crate) const fn bit(self) -> u32 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// A diagonal direction, as the page is drawn. A half turn of the board maps `d` to `3 - d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Direction {
    DownLeft = 0,
    DownRight = 1,
    UpLeft = 2,
    UpRight = 3,
}

impl Direction {
    pub(crate) const ALL: [Direction; 4] =
        [Direction::DownLeft, Direction::DownRight, Direction::UpLeft, Direction::UpRight];

    /// The direction of the low two bits of a number.
    pub(crate) const fn from_bits(bits: u64) -> Direction {
        Self::ALL[(bits & 3) as usize]
    }

    /// (rows, columns) of one step.
    pub(crate) const fn step(self) -> (isize, isize) {
        match self {
            Direction::DownLeft => (1, -1),
            Direction::DownRight => (1, 1),
            Direction::UpLeft => (-1, -1),
            Direction::UpRight => (-1, 1),
        }
    }

    /// The square `steps` away; `None` beyond the edge.
    pub(crate) const fn walk(self, square: Square, steps: isize) -> Option<Square> {
        let (rows, columns) = self.step();
        let row = square.row() as isize + rows * steps;
        let column = square.column() as isize + columns * steps;
        if row < 0 || column < 0 { None } else { Square::at(row as usize, column as usize) }
    }
}
