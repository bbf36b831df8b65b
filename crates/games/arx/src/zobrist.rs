//! The random numbers behind [`State::key`](crate::State::key).
//!
//! A pile is hashed by the two halves of its square code, each with the colour, from a table of random
//! numbers whose seed spells `arx` in ASCII:
//!
//! ```text
//!     square code  C UUU LLL   ->   PARTS[square][C 0 LLL] ^ PARTS[square][C 1 UUU]
//! ```
//!
//! The parts are 20 kB, which stay in the cache; the sums of all codes, which make any pile one lookup, are four times as
//! much. A program for browsers is downloaded, and makes the parts when the first pile asks.

use crate::{Pile, Square};
#[cfg(target_family = "wasm")]
use std::sync::LazyLock;
use tabia_core::{Key, ZobristTable};

type Parts = ZobristTable<{ Square::COUNT }, 32>;

/// The letters `arx` in ASCII.
const SEED: u64 = 0x61_7278;
const BLACK_TO_MOVE: ZobristTable<1, 1> = ZobristTable::from_seed(0x61_7278_2062);

#[cfg(not(target_family = "wasm"))]
static PARTS: Parts = Parts::from_seed(SEED);
#[cfg(target_family = "wasm")]
static PARTS: LazyLock<Box<Parts>> = LazyLock::new(|| Box::new(Parts::from_seed(SEED)));

/// The key of a pile on a square; 0 for an empty one.
#[inline]
pub(crate) fn pile(square: Square, pile: Pile) -> Key {
    let code = usize::from(pile.code() & 127);
    let colour = code >> 2 & 16;
    let (low, high) = (colour | code & 7, colour | 8 | code >> 3 & 7);
    let key = PARTS.key(square.index(), low) ^ PARTS.key(square.index(), high);
    // Without a branch: which squares are empty cannot be guessed.
    Key(key.0 & u64::from(code != 0).wrapping_neg())
}

/// The key of the side to move, changed with every ply.
#[inline]
pub(crate) const fn turn() -> Key {
    const { BLACK_TO_MOVE.key(0, 0) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_are_good_ones() {
        tabia_testkit::laws::key_table(
            super::Parts::from_seed(super::SEED).all().chain(super::BLACK_TO_MOVE.all()),
        );
    }
}
