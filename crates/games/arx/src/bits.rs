//! Sets of squares as 81 bits of a `u128`: square `i` is bit `i`.
//!
//! A set is walked as one number: two loops over its halves have cheaper steps, but one more loop exit to
//! mispredict, and measured slower.

use crate::Square;
use tabia_core::bits::nth_bit_of_two;

/// The 81 squares.
pub(crate) const BOARD: u128 = (1 << Square::COUNT) - 1;
/// An index for "no square": tables have an empty row for it.
pub(crate) const NOWHERE: usize = Square::COUNT;
/// Column A.
pub(crate) const COLUMN_A: u128 = BOARD / 0b1_1111_1111;
/// Column I.
pub(crate) const COLUMN_I: u128 = COLUMN_A << (Square::SIDE - 1);

/// The set of one square.
#[inline]
pub(crate) const fn bit(square: usize) -> u128 {
    1 << square
}

/// The squares of a set, in the order of their indices.
#[inline]
pub(crate) fn squares(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}

/// The first squares of a set, [`NOWHERE`] where it has fewer.
#[inline]
pub(crate) fn first<const N: usize>(mut set: u128) -> [usize; N] {
    let mut squares = [NOWHERE; N];
    for square in &mut squares {
        *square = (set | bit(NOWHERE)).trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
    }
    squares
}

/// A set moved down so that its first square is bit 0, as two words, and that first square: nearly all sets of moves
/// then fit into the first word.
#[inline]
pub(crate) fn from_first(set: u128) -> ([u64; 2], usize) {
    let first = set.trailing_zeros() & 127;
    let moved = set >> first;
    ([moved as u64, (moved >> 64) as u64], first as usize)
}

/// The squares of a set and whether they are in it: four at a time, the last ones perhaps not. Where a loop over
/// so few squares ends is hard to predict.
#[inline]
pub(crate) fn squares_by_fours(set: u128, mut visit: impl FnMut(usize, bool)) {
    let (mut low, mut high) = (set as u64, (set >> 64) as u64);
    while low | high != 0 {
        for _ in 0..4 {
            let (word, base) = if low != 0 { (low, 0) } else { (high, 64) };
            visit(base + (word.trailing_zeros() as usize & 63), word != 0);
            high = if low != 0 { high } else { high & high.wrapping_sub(1) };
            low &= low.wrapping_sub(1);
        }
    }
}

/// The `n`-th square of a set, from 0; the set has more than `n`.
#[inline]
pub(crate) fn nth(set: u128, n: u32) -> usize {
    nth_bit_of_two([set as u64, (set >> 64) as u64], n) as usize
}
