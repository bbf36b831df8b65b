//! Squares, pieces, what stands on a square, and moves.
//!
//! ```text
//!        A  B  C  D  E  F  G  H  I
//!     9  0  1  2  3  4  5  6  7  8    Black's home; White's "forward" is up, to smaller indices
//!     8  9 10 11 12 13 14 15 16 17
//!     .  .
//!     1 72 73 74 75 76 77 78 79 80    White's home
//! ```

use std::fmt;
use tabia_core::Side;

/// One of the 81 squares; the index is `row * 9 + column` from A9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 81;
    /// The length of a side of the board.
    pub const SIDE: usize = 9;

    /// The square with this index; `None` from 81 on.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// The square in this row (0 is rank 9) and column (0 is A).
    pub const fn at(row: usize, column: usize) -> Option<Square> {
        if row < Self::SIDE && column < Self::SIDE {
            Some(Square((row * Self::SIDE + column) as u8))
        } else {
            None
        }
    }

    /// The square with an index known to be below 81.
    #[inline]
    pub(crate) const fn from_bits(index: u8) -> Square {
        debug_assert!(index < Self::COUNT as u8);
        Square(index)
    }

    /// All squares from A9, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Square)
    }

    /// The index, 0 to 80.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row: 0 is rank 9.
    pub const fn row(self) -> usize {
        self.index() / Self::SIDE
    }

    /// The column: 0 is A.
    pub const fn column(self) -> usize {
        self.index() % Self::SIDE
    }

    /// The square named like this, `a1` to `i9`, in either case.
    pub fn from_name(name: &str) -> Option<Square> {
        let &[column, rank] = name.as_bytes() else { return None };
        let column = column.to_ascii_lowercase().checked_sub(b'a')?;
        let row = b'9'.checked_sub(rank)?;
        Self::at(usize::from(row), usize::from(column))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), Self::SIDE - self.row())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The eight kinds of piece. The numbers 1 to 7 are those of the codes; the King has its own code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// One step diagonally forward.
    Soldier = 1,
    /// Any distance diagonally.
    Jester = 2,
    /// Any distance orthogonally.
    Commander = 3,
    /// One or two steps orthogonally.
    Paladin = 4,
    /// One or two steps diagonally.
    Guard = 5,
    /// A knight's leap.
    Dragon = 6,
    /// Any distance straight forward.
    Ballista = 7,
    /// One step in any direction; never in a stack.
    King = 8,
}

impl Kind {
    /// The number of kinds.
    pub const COUNT: usize = 8;
    /// All kinds, in the order of their codes, the King last.
    pub const ALL: [Kind; Self::COUNT] = [
        Kind::Soldier,
        Kind::Jester,
        Kind::Commander,
        Kind::Paladin,
        Kind::Guard,
        Kind::Dragon,
        Kind::Ballista,
        Kind::King,
    ];

    /// The kind with this three-bit code; `None` for 0 and above 7 (the King has no such code).
    pub const fn from_bits(bits: u8) -> Option<Kind> {
        if bits >= 1 && bits <= 7 { Some(Self::ALL[bits as usize - 1]) } else { None }
    }

    /// The upper-case letter.
    pub const fn letter(self) -> char {
        ['S', 'J', 'C', 'P', 'G', 'D', 'B', 'K'][self as usize - 1]
    }

    /// The kind with this letter, in either case.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// The name, lower case.
    pub const fn name(self) -> &'static str {
        ["soldier", "jester", "commander", "paladin", "guard", "dragon", "ballista", "king"]
            [self as usize - 1]
    }
}

/// `White` or `Black`.
pub(crate) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}

/// What stands on a square: nothing, a piece, or a stack of two. The number is the square code.
///
/// ```text
///     bit   6   5 4 3   2 1 0
///           C    UUU     LLL      C: 1 White; UUU: top of a stack; LLL: bottom, or the single piece
///           .    111     000      the King
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pile(u8);

/// The payload of a King.
const KING: u8 = 0b111_000;
/// The colour bit.
const WHITE: u8 = 0b100_0000;

impl Pile {
    /// Nothing.
    pub const EMPTY: Pile = Pile(0);

    /// A single piece.
    pub const fn single(side: Side, kind: Kind) -> Pile {
        Pile(colour(side) | if matches!(kind, Kind::King) { KING } else { kind as u8 })
    }

    /// A stack; `None` when a King is to be part of it.
    pub const fn stack(side: Side, top: Kind, bottom: Kind) -> Option<Pile> {
        if matches!(top, Kind::King) || matches!(bottom, Kind::King) {
            return None;
        }
        Some(Pile(colour(side) | (top as u8) << 3 | bottom as u8))
    }

    /// The pile with this code; `None` for the codes that mean nothing.
    pub const fn from_code(code: u8) -> Option<Pile> {
        if code == 0 || code < 128 && (code & 7 != 0 || code & 63 == KING) { Some(Pile(code)) } else { None }
    }

    /// The seven-bit square code.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Whether nothing stands there.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whose it is; `None` when empty.
    pub const fn side(self) -> Option<Side> {
        match self.0 {
            0 => None,
            WHITE.. => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// Whether both are not empty, and of one colour; `other` is not empty.
    #[inline]
    pub(crate) const fn has_colour_of(self, other: Pile) -> bool {
        !self.is_empty() && (self.0 ^ other.0) & WHITE == 0
    }

    /// Whether both are not empty, and of different colours; `other` is not empty.
    #[inline]
    #[allow(clippy::needless_bitwise_bool)] // captures are hard to predict
    pub(crate) const fn is_other_than(self, other: Pile) -> bool {
        !self.is_empty() & ((self.0 ^ other.0) & WHITE != 0)
    }

    /// Whether it is a King.
    #[inline]
    pub const fn is_king(self) -> bool {
        self.0 & 63 == KING
    }

    /// Whether there are two pieces.
    #[inline]
    pub const fn is_stack(self) -> bool {
        self.0 & 7 != 0 && self.0 & 0b111_000 != 0
    }

    /// The upper piece of a stack.
    pub const fn top(self) -> Option<Kind> {
        if self.is_stack() { Kind::from_bits(self.0 >> 3 & 7) } else { None }
    }

    /// The single piece, or the lower piece of a stack.
    pub const fn bottom(self) -> Option<Kind> {
        if self.is_king() { Some(Kind::King) } else { Kind::from_bits(self.0 & 7) }
    }

    /// The pieces, from the bottom up.
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        self.bottom().into_iter().chain(self.top())
    }

    /// The bottom and the top of a stack, each as a single piece.
    #[inline]
    pub(crate) const fn split(self) -> (Pile, Pile) {
        (Pile(self.0 & (WHITE | 7)), Pile(self.0 & WHITE | self.0 >> 3 & 7))
    }

    /// The stack of this single piece on another single piece of its colour.
    #[inline]
    pub(crate) const fn onto(self, below: Pile) -> Pile {
        Pile((self.0 & 7) << 3 | below.0)
    }

    /// The same pieces in the other colour.
    #[must_use]
    pub const fn recoloured(self) -> Pile {
        if self.is_empty() { self } else { Pile(self.0 ^ WHITE) }
    }
}

const fn colour(side: Side) -> u8 {
    match side {
        Side::First => WHITE,
        Side::Second => 0,
    }
}
