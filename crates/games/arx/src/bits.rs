//! Sets of squares as 81 bits of a `u128`: square `i` is bit `i`.
//!
//! A set is walked as one number: two loops over its halves have cheaper steps, but one more loop exit to
//! mispredict, and measured slower.

use crate::Square;

/// The 81 squares.
pub(crate) const BOARD: u128 = (1 << Square::COUNT) - 1;
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

/// The `n`-th square of a set, from 0; the set has more than `n`.
#[inline]
pub(crate) fn nth(set: u128, n: u32) -> usize {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let below = low.count_ones();
    let (mut word, skip, base) = if n < below { (low, n, 0) } else { (high, n - below, 64) };
    for _ in 0..skip {
        word &= word.wrapping_sub(1);
    }
    base + word.trailing_zeros() as usize
}
