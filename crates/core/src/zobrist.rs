//! Zobrist keys: a random number per (cell, piece), summed by XOR over the board.

use crate::SplitMix64;
use serde::{Deserialize, Serialize};

/// A 64-bit hash of a position. Two positions may share one: only for tables in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key(pub u64);

impl std::ops::BitXor for Key {
    type Output = Key;
    #[inline]
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl std::ops::BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

/// The random numbers of Zobrist hashing: one for each piece on each cell.
///
/// Built at compile time from a documented seed, or at run time from any generator:
///
/// ```
/// use tabia_core::{Key, ZobristTable};
///
/// static TABLE: ZobristTable<9, 2> = ZobristTable::from_seed(0x7461_6269_61);
/// let cross_in_the_middle = TABLE.key(4, 0);
///
/// let mut n = 0;
/// let counted: ZobristTable<9, 2> = ZobristTable::from_generator(|| { n += 1; n });
/// assert_eq!(counted.key(0, 1), Key(2));
/// # assert_ne!(cross_in_the_middle, Key(0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZobristTable<const CELLS: usize, const PIECES: usize> {
    keys: [[Key; PIECES]; CELLS],
}

impl<const CELLS: usize, const PIECES: usize> ZobristTable<CELLS, PIECES> {
    /// The table filled by [`SplitMix64`] from `seed`: cell by cell, piece by piece.
    pub const fn from_seed(seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let mut keys = [[Key(0); PIECES]; CELLS];
        let mut cell = 0;
        while cell < CELLS {
            let mut piece = 0;
            while piece < PIECES {
                keys[cell][piece] = Key(rng.next());
                piece += 1;
            }
            cell += 1;
        }
        ZobristTable { keys }
    }

    /// The table filled from any generator, in the same order.
    pub fn from_generator(mut next: impl FnMut() -> u64) -> Self {
        let mut keys = [[Key(0); PIECES]; CELLS];
        for key in keys.iter_mut().flatten() {
            *key = Key(next());
        }
        ZobristTable { keys }
    }

    /// The key of `piece` on `cell`.
    #[inline]
    pub const fn key(&self, cell: usize, piece: usize) -> Key {
        self.keys[cell][piece]
    }

    /// The hash of a whole board, given as (cell, piece) pairs.
    pub fn hash(&self, occupied: impl IntoIterator<Item = (usize, usize)>) -> Key {
        occupied.into_iter().fold(Key(0), |hash, (cell, piece)| hash ^ self.key(cell, piece))
    }

    /// All keys in the order of filling, for tests of their quality.
    pub fn all(&self) -> impl Iterator<Item = Key> + '_ {
        self.keys.iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example printed in the seed document on Zobrist hashing: an mt19937 seeded with octal
    /// 01234567; of each 64-bit number the first output is the high half.
    #[test]
    fn the_printed_example_comes_out_bit_for_bit() {
        let mut mt = rand_mt::Mt::new(0o1234567);
        let table: ZobristTable<64, 12> = ZobristTable::from_generator(|| {
            let high = u64::from(mt.next_u32());
            high << 32 | u64::from(mt.next_u32())
        });
        let board =
            ["---K----", "-R----Q-", "--------", "-P----p-", "-----p--", "--------", "p---b--q", "----n--k"];
        let piece = |c| "PNBRQKpnbrqk".find(c);
        let cells = board.iter().flat_map(|row| row.chars());
        let hash = table.hash(cells.enumerate().filter_map(|(cell, c)| Some((cell, piece(c)?))));
        assert_eq!(hash, Key(14226429382419125366));
        let king = 5;
        let moved = hash ^ table.key(3, king) ^ table.key(2, king);
        assert_eq!(moved, Key(15124945578233295113));
        assert_eq!(moved ^ table.key(2, king) ^ table.key(3, king), hash);
    }
}
