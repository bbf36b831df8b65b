//! A move: from where, to where, and whether the top piece goes alone.

use crate::{CodeError, Square};
use std::fmt;

/// A move, as its 16-bit code `from | to << 7 | unstack << 14`; bit 15 is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// A move of the whole square, or with `unstack` of the top piece alone.
    pub const fn new(from: Square, to: Square, unstack: bool) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 7 | (unstack as u16) << 14)
    }

    /// The move with a code known to be valid.
    #[inline]
    pub(crate) const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The move with this code; squares above 80 and bit 15 are refused.
    pub fn from_code(code: u16) -> Result<Move, CodeError> {
        let (from, to) = (usize::from(code & 127), usize::from(code >> 7 & 127));
        if code >> 15 != 0 || from >= Square::COUNT || to >= Square::COUNT {
            return Err(CodeError::Move { code });
        }
        Ok(Move(code))
    }

    /// The 16-bit code.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// Where it starts.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_bits((self.0 & 127) as u8)
    }

    /// Where it ends.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_bits((self.0 >> 7 & 127) as u8)
    }

    /// Whether the top piece of a stack goes alone.
    #[inline]
    pub const fn unstack(self) -> bool {
        self.0 >> 14 & 1 != 0
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}-{}", if self.unstack() { "^" } else { "" }, self.from(), self.to())
    }
}
