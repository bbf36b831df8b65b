//! The random numbers behind [`State::key`](crate::State::key).
//!
//! A pile is hashed by the two halves of its square code, each with the colour, from a table of random
//! numbers whose seed spells `arx` in ASCII:
//!
//! ```text
//!     square code  C UUU LLL   ->   PARTS[square][C 0 LLL] ^ PARTS[square][C 1 UUU]
//! ```
//!
//! The sums for all codes are made at compile time, so that any pile is one lookup, and an empty square
//! is 0 without a branch. A program for browsers is downloaded: it has the parts alone, and makes them when the first pile asks.

use crate::{Pile, Square};
#[cfg(target_family = "wasm")]
use std::sync::LazyLock;
use tabia_core::{Key, ZobristTable};

type Parts = ZobristTable<{ Square::COUNT }, 32>;

/// The letters `arx` in ASCII.
const SEED: u64 = 0x61_7278;
const BLACK_TO_MOVE: ZobristTable<1, 1> = ZobristTable::from_seed(0x61_7278_2062);

#[cfg(not(target_family = "wasm"))]
static PILES: [[u64; 128]; Square::COUNT] = sums();

#[cfg(not(target_family = "wasm"))]
#[allow(clippy::large_stack_arrays)] // only ever runs at compile time
const fn sums() -> [[u64; 128]; Square::COUNT] {
    let parts = Parts::from_seed(SEED);
    let mut sums = [[0; 128]; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let mut code = 1;
        while code < 128 {
            let colour = code >> 2 & 16;
            let (low, high) =
                (parts.key(square, colour | code & 7), parts.key(square, colour | 8 | code >> 3 & 7));
            sums[square][code] = low.0 ^ high.0;
            code += 1;
        }
        square += 1;
    }
    sums
}

/// The key of a pile on a square; 0 for an empty one.
#[cfg(not(target_family = "wasm"))]
#[inline]
pub(crate) fn pile(square: Square, pile: Pile) -> Key {
    Key(PILES[square.index()][usize::from(pile.code() & 127)])
}

/// The same from the parts.
#[cfg(target_family = "wasm")]
#[inline]
pub(crate) fn pile(square: Square, pile: Pile) -> Key {
    static PARTS: LazyLock<Box<Parts>> = LazyLock::new(|| Box::new(Parts::from_seed(SEED)));
    let code = usize::from(pile.code() & 127);
    let colour = code >> 2 & 16;
    let (low, high) = (colour | code & 7, colour | 8 | code >> 3 & 7);
    if code == 0 { Key(0) } else { PARTS.key(square.index(), low) ^ PARTS.key(square.index(), high) }
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
