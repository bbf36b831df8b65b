//! Sets of squares, one bit each: bit 0 is a1, bit 63 is h8.

use super::Square;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// A set of squares.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitBoard(pub u64);

impl BitBoard {
    /// No square.
    pub const EMPTY: Self = BitBoard(0);
    /// All squares.
    pub const FULL: Self = BitBoard(u64::MAX);

    /// How many squares it has.
    #[inline]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it has none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has a square.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 != 0
    }

    /// Whether the two have no square in common.
    #[inline]
    pub const fn is_disjoint(self, other: BitBoard) -> bool {
        self.0 & other.0 == 0
    }

    /// Whether all its squares are the other's too.
    #[inline]
    pub const fn is_subset(self, other: BitBoard) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether it has two squares or more.
    #[inline]
    pub(crate) const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Its first square, from a1 on.
    #[inline]
    pub const fn next_square(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.first()) }
    }

    /// Its first square; a1 when it has none.
    #[inline]
    pub(crate) const fn first(self) -> Square {
        Square::wrapped(self.0.trailing_zeros() as usize)
    }

    /// The ranks turned over.
    #[inline]
    #[must_use]
    pub const fn flip_ranks(self) -> Self {
        BitBoard(self.0.swap_bytes())
    }

    /// The files mirrored.
    #[inline]
    #[must_use]
    pub const fn flip_files(self) -> Self {
        BitBoard(self.0.reverse_bits().swap_bytes())
    }

    /// One file to the left, what leaves the board left out.
    #[inline]
    #[must_use]
    pub(crate) const fn left(self) -> Self {
        BitBoard((self.0 & NOT_A) >> 1)
    }

    /// One file to the right.
    #[inline]
    #[must_use]
    pub(crate) const fn right(self) -> Self {
        BitBoard((self.0 & NOT_H) << 1)
    }

    /// The squares to the left and right.
    #[inline]
    #[must_use]
    pub(crate) const fn sideways(self) -> Self {
        BitBoard(self.left().0 | self.right().0)
    }

    /// Its squares, from a1 on.
    #[inline]
    pub const fn iter(self) -> Squares {
        Squares(self.0)
    }
}

/// The squares of a set, one after the other.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = BitBoard(self.0).first();
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for BitBoard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for BitBoard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(BitBoard::EMPTY, |set, square| set | square.bitboard())
    }
}

/// Operators of two sets, and those that change the first.
macro_rules! operators {
    ($($operator:ident $function:ident, $assign:ident $change:ident;)*) => {$(
        impl $operator for BitBoard {
            type Output = BitBoard;
            #[inline]
            fn $function(self, other: BitBoard) -> BitBoard {
                BitBoard(self.0.$function(other.0))
            }
        }

        impl $assign for BitBoard {
            #[inline]
            fn $change(&mut self, other: BitBoard) {
                self.0.$change(other.0);
            }
        }
    )*};
}

operators! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

impl Not for BitBoard {
    type Output = BitBoard;
    #[inline]
    fn not(self) -> BitBoard {
        BitBoard(!self.0)
    }
}

impl fmt::Debug for BitBoard {
    /// The names of the squares.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
