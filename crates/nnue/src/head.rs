//! Which moves look good: a second, small head beside the value. Not every network has one.
//!
//! ```text
//!   sums of both sides  --clip, square-->  mix  -->  mood (16 numbers)
//!   a move: the inputs that come and go by it, as the side to move sees them; what it is worth: the sum of (row . mood)
//! ```
//!
//! A move is known by what it changes, as everywhere here: so no game has to number its moves, a capture is seen as one, and
//! a move and its image with the sides exchanged are the same. The share of a move is the softmax over all that are legal.

use crate::net::{FIRST_ONE, GROUP, squared};
use crate::wiring::Seen;

/// Numbers of a mood, and weights of a row.
pub const WIDTH: usize = GROUP;
/// 1 in the weights of the head.
pub const HEAD_ONE: i32 = 32;
/// The largest weight: it fits into eight bits.
pub const MOST_HEAD_WEIGHT: f32 = 127.0 / HEAD_ONE as f32;

/// A head in whole numbers of eight bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// For each number of the mood a weight for every sum of the side to move, then of the other.
    mix: Vec<i16>,
    bias: Vec<i16>,
    /// For each input a row for going, and one for coming.
    rows: Vec<[i8; WIDTH]>,
}

/// What the moves of a position are judged by.
pub(crate) type Mood = [f32; WIDTH];

impl Head {
    /// The number of weights of the head of a network.
    pub(crate) fn len(inputs: usize, hidden: usize) -> usize {
        WIDTH * (2 * hidden + 1 + 2 * inputs)
    }

    /// The head with these weights, in the order of [`Head::weights`]; there must be as many as [`Head::len`] says.
    pub(crate) fn of(weights: &[i8], hidden: usize) -> Self {
        let (mix, rest) = weights.split_at(WIDTH * 2 * hidden);
        let (bias, rows) = rest.split_at(WIDTH);
        let wide = |weights: &[i8]| weights.iter().map(|&weight| i16::from(weight)).collect();
        Head { mix: wide(mix), bias: wide(bias), rows: rows.as_chunks().0.to_vec() }
    }

    /// All weights: mix, bias, rows.
    pub(crate) fn weights(&self) -> impl Iterator<Item = i8> {
        let narrow = self.mix.iter().chain(&self.bias).map(|&weight| weight as i8);
        narrow.chain(self.rows.iter().flatten().copied())
    }

    /// The mood of a position, from the sums of both sides.
    pub(crate) fn mood(&self, own: &[i16], other: &[i16]) -> Mood {
        let unit = 1.0 / (FIRST_ONE * FIRST_ONE * HEAD_ONE) as f32;
        let mut mood = [0.0; WIDTH];
        let weights = self.mix.chunks_exact(2 * own.len()).zip(&self.bias);
        for (mood, (weights, &bias)) in mood.iter_mut().zip(weights) {
            let (for_own, for_other) = weights.split_at(own.len());
            let sum = i64::from(squared(own, for_own)) + i64::from(squared(other, for_other));
            *mood = f32::from(bias) / HEAD_ONE as f32 + sum as f32 * unit;
        }
        mood
    }

    /// What a move is worth, of which these are the [`changes`]: the logarithm of its odds, but for a number that all moves share.
    pub(crate) fn worth(&self, mood: &Mood, changes: impl Iterator<Item = usize>) -> f32 {
        let mut total = [0.0; WIDTH];
        for row in changes.filter_map(|change| self.rows.get(change)) {
            (0..WIDTH).for_each(|i| total[i] += f32::from(row[i]) * mood[i]);
        }
        total.iter().sum::<f32>() / HEAD_ONE as f32
    }
}

/// The rows of what a move changes: of the features that come and go by it.
pub(crate) fn changes<'a>(
    seen: Seen<'a>,
    came: &'a [usize],
    went: &'a [usize],
) -> impl Iterator<Item = usize> + 'a {
    let row = move |feature: &usize, came: usize| seen.input(*feature).map(|input| 2 * input + came);
    let came = came.iter().filter_map(move |feature| row(feature, 1));
    came.chain(went.iter().filter_map(move |feature| row(feature, 0)))
}
