//! A move: one number with everything needed to play it, show it and write it.

use crate::bits::Jump;
use crate::types::{Direction, Square};
use std::fmt;

/// A step, or a whole sequence of jumps, in 64 bits.
///
/// ```text
///     63..32             31..28  27..10             9..5  4..0
///     captured squares   zero    nine directions,   to    from
///                                first jump lowest
/// ```
///
/// A step captures nothing and has no directions. The number of jumps is the number of captured
/// pieces, at most nine: the squares a king can reach by jumps are eight, joined by nine squares to
/// jump over, each only once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u64);

const TO: u32 = 5;
const PATH: u32 = 10;
const CAPTURED: u32 = 32;

impl Move {
    /// A move without capture. Indices are below 32.
    #[inline(always)]
    pub(crate) const fn step(from: u32, to: u32) -> Move {
        Move((from | to << TO) as u64)
    }

    /// A sequence of jumps in the given directions, two bits each, the first lowest.
    #[inline]
    pub(crate) const fn jumps(from: u32, to: u32, captured: u32, path: u32) -> Move {
        Move((captured as u64) << CAPTURED | (from | to << TO | path << PATH) as u64)
    }

    /// The capture with one more jump.
    #[inline]
    pub(crate) const fn then(self, direction: u32, jump: Jump) -> Move {
        let path = (self.0 as u32 >> PATH) | direction << (2 * self.captured().count_ones());
        Move::jumps(self.from_index(), jump.land.trailing_zeros(), self.captured() | jump.over, path)
    }

    /// The index of the square moved from.
    #[inline(always)]
    #[allow(clippy::wrong_self_convention, reason = "the word is that of the move's two ends")]
    pub(crate) const fn from_index(self) -> u32 {
        self.0 as u32 & 31
    }

    /// The index of the square moved to.
    #[inline(always)]
    pub(crate) const fn to_index(self) -> u32 {
        (self.0 as u32 >> TO) & 31
    }

    /// The square the piece starts on.
    pub const fn from(self) -> Square {
        Square::from_index(self.from_index())
    }

    /// The square it ends on; a king may end where it began.
    pub const fn to(self) -> Square {
        Square::from_index(self.to_index())
    }

    /// The captured squares: bit `n - 1` for square `n`.
    #[inline(always)]
    pub const fn captured(self) -> u32 {
        (self.0 >> CAPTURED) as u32
    }

    /// Whether anything is captured.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.captured() != 0
    }

    /// The directions of the jumps, two bits each, the first lowest.
    #[inline]
    pub(crate) const fn route(self) -> u32 {
        self.0 as u32 >> PATH
    }

    /// The move without its route: what the `unique` way of counting tells apart.
    #[inline]
    pub(crate) const fn without_route(self) -> u64 {
        self.0 & !(0x3FFFF << PATH)
    }

    /// The number of the move in its position: what is captured follows from the route.
    #[inline]
    pub(crate) const fn number(self) -> u64 {
        self.0 & ((1 << CAPTURED) - 1)
    }

    /// The squares touched in order, the first and the last included.
    pub fn squares(self) -> impl Iterator<Item = Square> + Clone {
        let jumps = self.captured().count_ones();
        let mut at = Some(self.from());
        let landings = (0..jumps).map_while(move |n| {
            let direction = Direction::from_bits(self.0 >> (PATH + 2 * n));
            at = at.and_then(|square| direction.walk(square, 2));
            at
        });
        let step = (jumps == 0).then(|| self.to());
        std::iter::once(self.from()).chain(landings).chain(step)
    }

    /// A step seen after a half turn of the board, which complements square numbers.
    #[inline(always)]
    pub(crate) const fn turned_step(self) -> Move {
        Move(self.0 ^ ((1 << PATH) - 1))
    }

    /// The move seen after a half turn of the board.
    #[must_use]
    pub(crate) const fn turned(self) -> Move {
        let jumps = self.captured().count_ones();
        let path = (self.0 as u32 >> PATH) ^ ((1 << (2 * jumps)) - 1);
        Move::jumps(31 - self.from_index(), 31 - self.to_index(), self.captured().reverse_bits(), path)
    }
}

/// The whole path: `11-15`, `15x22x31`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_capture() { 'x' } else { '-' };
        for (n, square) in self.squares().enumerate() {
            if n > 0 {
                write!(f, "{sign}")?;
            }
            write!(f, "{square}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
