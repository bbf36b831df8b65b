//! The random numbers behind [`State::key`](crate::State::key).
//!
//! A pile is hashed by the two halves of its square code, each with the colour:
//!
//! ```text
//!     square code  C UUU LLL   ->   PILES[square][C 0 LLL] ^ PILES[square][C 1 UUU]
//! ```
//!
//! so that a single piece, a stack and the King are all two lookups in 20 KB. Seeds spell `arx` in ASCII.

use crate::{Pile, Square};
use tabia_core::{Key, ZobristTable};

static PILES: ZobristTable<{ Square::COUNT }, 32> = ZobristTable::from_seed(0x61_7278);
static BLACK_TO_MOVE: ZobristTable<1, 1> = ZobristTable::from_seed(0x61_7278_2062);

/// The key of a pile on a square; 0 for an empty one.
#[inline]
pub(crate) fn pile(square: Square, pile: Pile) -> Key {
    if pile.is_empty() {
        return Key(0);
    }
    let code = usize::from(pile.code());
    let colour = code >> 2 & 16;
    PILES.key(square.index(), colour | code & 7) ^ PILES.key(square.index(), colour | 8 | code >> 3 & 7)
}

/// The key of the side to move, changed with every ply.
#[inline]
pub(crate) fn turn() -> Key {
    BLACK_TO_MOVE.key(0, 0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_are_good_ones() {
        tabia_testkit::laws::key_table(super::PILES.all().chain(super::BLACK_TO_MOVE.all()));
    }
}
