//! The hash of a position: random numbers XORed over what stands on the board.
//!
//! There is one number per square for each of the three boards of a [`crate::State`] (black, white,
//! kings), so that a black king counts twice: as black, and as a king. The table is filled by
//! `SplitMix64` from [`SEED`]; White to move adds [`WHITE_TO_MOVE`]. Keys are part of the contract:
//! tests pin them.

use tabia_core::{Key, ZobristTable};

/// The letters `draughts` in ASCII.
pub const SEED: u64 = 0x6472_6175_6768_7473;

/// What White to move adds to the key: the mixed seed.
pub const WHITE_TO_MOVE: Key = Key(tabia_core::rng::mix(SEED));

/// The row of the table for kings; 0 and 1 are the rows for black and white.
pub(crate) const KING: usize = 2;

/// Board by board (black, white, kings), square by square.
pub(crate) static KEYS: ZobristTable<3, 32> = TABLE;
const TABLE: ZobristTable<3, 32> = ZobristTable::from_seed(SEED);

/// The key of the start position: black on 1-12, white on 21-32.
pub(crate) const START: Key = {
    let (mut key, mut cell) = (0, 0);
    while cell < 12 {
        key ^= TABLE.key(0, cell).0 ^ TABLE.key(1, 20 + cell).0;
        cell += 1;
    }
    Key(key)
};

/// The same by pairs of rows, eight squares, for hashing a board from scratch. A program for browsers is downloaded: it does without.
#[cfg(not(target_family = "wasm"))]
static ROWS: [[[Key; 256]; 4]; 3] = rows();

#[cfg(not(target_family = "wasm"))]
#[allow(clippy::large_stack_arrays)] // only ever runs at compile time
const fn rows() -> [[[Key; 256]; 4]; 3] {
    let mut rows = [[[Key(0); 256]; 4]; 3];
    let mut board = 0;
    while board < 3 {
        let mut pair = 0;
        while pair < 4 {
            let mut set = 1;
            while set < 256 {
                // A set is a smaller set and its lowest square.
                let lowest = 8 * pair + (set as u32).trailing_zeros() as usize;
                rows[board][pair][set] =
                    Key(rows[board][pair][set & (set - 1)].0 ^ TABLE.key(board, lowest).0);
                set += 1;
            }
            pair += 1;
        }
        board += 1;
    }
    rows
}

/// The key of a whole position.
#[inline]
pub(crate) fn key_of(black: u32, white: u32, kings: u32, white_to_move: bool) -> Key {
    let mut key = if white_to_move { WHITE_TO_MOVE } else { Key(0) };
    for (board, set) in [black, white, kings].into_iter().enumerate() {
        key ^= key_of_board(board, set);
    }
    key
}

#[cfg(not(target_family = "wasm"))]
#[inline]
fn key_of_board(board: usize, set: u32) -> Key {
    let pairs = ROWS[board].iter().zip(set.to_le_bytes());
    pairs.fold(Key(0), |key, (keys, byte)| key ^ keys[usize::from(byte)])
}

#[cfg(target_family = "wasm")]
fn key_of_board(board: usize, set: u32) -> Key {
    tabia_core::bits::ones(u64::from(set)).fold(Key(0), |key, square| key ^ KEYS.key(board, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;

    #[test]
    fn the_keys_are_good_and_the_start_has_its_own() {
        tabia_testkit::laws::key_table(KEYS.all().chain([WHITE_TO_MOVE]));
        let start = State::START;
        assert_eq!(start.key(), key_of(start.black(), start.white(), start.kings(), false));
    }
}
