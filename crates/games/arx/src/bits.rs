//! Sets of squares as 81 bits of a `u128`: square `i` is bit `i`.
//!
//! Two words in registers; measured against a pair of `u64` written out by hand, the compiler's own
//! two-word arithmetic was as fast and half the text.

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
pub(crate) fn squares(set: u128) -> impl Iterator<Item = usize> {
    let (mut low, mut high) = (set as u64, (set >> 64) as u64);
    std::iter::from_fn(move || {
        let (word, base) = if low != 0 { (&mut low, 0) } else { (&mut high, 64) };
        let square = word.trailing_zeros() as usize;
        if *word == 0 {
            return None;
        }
        *word &= *word - 1;
        Some(base + square)
    })
}

/// Calls `each` with every square of a set: two plain loops, which is what the hot paths want.
#[inline]
pub(crate) fn for_each(set: u128, mut each: impl FnMut(usize)) {
    let (mut low, mut high) = (set as u64, (set >> 64) as u64);
    while low != 0 {
        each(low.trailing_zeros() as usize);
        low &= low - 1;
    }
    while high != 0 {
        each(64 + high.trailing_zeros() as usize);
        high &= high - 1;
    }
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
