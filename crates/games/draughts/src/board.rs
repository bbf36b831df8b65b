//! The public board: sets of squares over 64 bits, and ways to select pieces.

use crate::bits;
use crate::types::{Color, Square};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

/// A set of squares of the whole board: bit `8 * row + column`, bit 0 top left.
///
/// In JSON it is a string in hexadecimal, since numbers of 64 bits do not survive everywhere.
///
/// ```
/// use tabia_draughts::PieceSet;
///
/// let corner = PieceSet(1 << 7);
/// assert!(corner.contains(7) && !corner.contains(8));
/// assert_eq!(corner.to_string(), "0x0000000000000080");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceSet(pub u64);

impl PieceSet {
    /// No square.
    pub const EMPTY: PieceSet = PieceSet(0);
    /// The 32 dark squares.
    pub const PLAYABLE: PieceSet = PieceSet(0x55AA55AA55AA55AA);

    /// The number of squares in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the square of this bit is in the set.
    pub const fn contains(self, bit: u32) -> bool {
        bit < 64 && self.0 >> bit & 1 != 0
    }

    /// The bits of the squares in the set, ascending.
    pub fn bits(self) -> impl Iterator<Item = u32> {
        (0..64).filter(move |&bit| self.contains(bit))
    }

    /// The dark squares in the set, ascending.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        bits::squares(self.packed())
    }

    /// The set of a 32-bit board.
    pub(crate) const fn unpacked(board: u32) -> PieceSet {
        // Spread the bits to every other place: square index i goes to bit 2i.
        let x = board as u64;
        let x = (x | x << 16) & 0x0000FFFF0000FFFF;
        let x = (x | x << 8) & 0x00FF00FF00FF00FF;
        let x = (x | x << 4) & 0x0F0F0F0F0F0F0F0F;
        let x = (x | x << 2) & 0x3333333333333333;
        let x = (x | x << 1) & 0x5555555555555555;
        // Even rows begin with a light square.
        PieceSet((x & EVEN_ROWS) << 1 | x & !EVEN_ROWS)
    }

    /// The dark squares as a 32-bit board.
    pub(crate) const fn packed(self) -> u32 {
        let x = (self.0 >> 1 & EVEN_ROWS | self.0 & !EVEN_ROWS) & 0x5555555555555555;
        let x = (x | x >> 1) & 0x3333333333333333;
        let x = (x | x >> 2) & 0x0F0F0F0F0F0F0F0F;
        let x = (x | x >> 4) & 0x00FF00FF00FF00FF;
        let x = (x | x >> 8) & 0x0000FFFF0000FFFF;
        (x | x >> 16) as u32
    }
}

/// Rows 0, 2, 4 and 6 of a 64-bit board.
const EVEN_ROWS: u64 = 0x00FF00FF00FF00FF;

impl BitOr for PieceSet {
    type Output = PieceSet;
    fn bitor(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 | other.0)
    }
}

impl BitAnd for PieceSet {
    type Output = PieceSet;
    fn bitand(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & other.0)
    }
}

impl Not for PieceSet {
    type Output = PieceSet;
    fn not(self) -> PieceSet {
        PieceSet(!self.0)
    }
}

impl fmt::Display for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

impl Serialize for PieceSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PieceSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        let set = text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        set.map(PieceSet)
            .ok_or_else(|| de::Error::custom(format!("{text:?} is not a set of squares like \"0x0f\"")))
    }
}

/// The four sets of pieces. Anything can be in them: [`crate::Setup::violations`] judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Black's men.
    pub black_men: PieceSet,
    /// Black's kings.
    pub black_kings: PieceSet,
    /// White's men.
    pub white_men: PieceSet,
    /// White's kings.
    pub white_kings: PieceSet,
}

/// A choice of squares by what stands on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// All pieces.
    All,
    /// The playable squares with nothing on them.
    Empty,
    /// The pieces of a colour.
    Color(Color),
    /// The men of both colours.
    Men,
    /// The kings of both colours.
    Kings,
    /// The men of a colour.
    MenOf(Color),
    /// The kings of a colour.
    KingsOf(Color),
}

impl Board {
    /// The selected squares.
    pub fn select(&self, selector: Selector) -> PieceSet {
        match selector {
            Selector::All => self.select(Selector::Men) | self.select(Selector::Kings),
            Selector::Empty => PieceSet::PLAYABLE & !self.select(Selector::All),
            Selector::Color(color) => {
                self.select(Selector::MenOf(color)) | self.select(Selector::KingsOf(color))
            }
            Selector::Men => self.black_men | self.white_men,
            Selector::Kings => self.black_kings | self.white_kings,
            Selector::MenOf(Color::Black) => self.black_men,
            Selector::MenOf(Color::White) => self.white_men,
            Selector::KingsOf(Color::Black) => self.black_kings,
            Selector::KingsOf(Color::White) => self.white_kings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_square() {
        for square in Square::all() {
            assert_eq!(PieceSet::unpacked(square.bit()), PieceSet(1 << square.bit64()), "{square}");
            assert_eq!(PieceSet(1 << square.bit64()).packed(), square.bit(), "{square}");
            assert_eq!(Square::from_bit64(square.bit64()), Some(square));
        }
        assert_eq!(PieceSet::unpacked(u32::MAX), PieceSet::PLAYABLE);
        assert_eq!((!PieceSet::PLAYABLE).packed(), 0);
    }

    #[test]
    fn square_bits_are_those_of_the_contract() {
        for square in Square::all() {
            let n = u32::from(square.number());
            let expected = 2 * (n - 1) + u32::from(square.row() % 2 == 0);
            assert_eq!(square.bit64(), expected);
        }
    }
}
