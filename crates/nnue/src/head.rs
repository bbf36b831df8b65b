//! Which moves look good: a second, small head beside the value. Not every network has one.
//!
//! ```text
//!   sums of both sides  --clip, square-->  mix  -->  mood (16 numbers)
//!   a move: the inputs that come and go by it, as the side to move sees them; what it is worth: the sum of (row . mood)
//! ```
//!
//! A move is known by what it changes, as everywhere here: so no game has to number its moves, a capture is seen as one, and
//! a move and its image with the sides exchanged are the same. The share of a move is the softmax over all that are legal.

use crate::net::{FIRST_ONE, GROUP};
use crate::wiring::Seen;

/// Numbers of a mood, and weights of a row.
pub const WIDTH: usize = GROUP;
/// 1 in the weights of the head.
pub const HEAD_ONE: i32 = 32;
/// The largest weight: it fits into eight bits.
pub const MOST_HEAD_WEIGHT: f32 = 127.0 / HEAD_ONE as f32;

/// A head in whole numbers of eight bits: rows of sixteen weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// What every sum of the side to move, then of the other, adds to the mood, and what it is without them.
    mix: Vec<Row>,
    /// For each input a row for going, and one for coming.
    rows: Vec<Row>,
}

/// Weights for each number of a mood.
type Row = [i8; WIDTH];
/// What the moves of a position are judged by.
pub(crate) type Mood = [f32; WIDTH];

impl Head {
    /// The number of rows of the head of a network.
    pub(crate) fn len(inputs: usize, hidden: usize) -> usize {
        2 * hidden + 1 + 2 * inputs
    }

    /// The head with these weights, in the order of [`Head::weights`]: as many rows as [`Head::len`] says.
    pub(crate) fn of(weights: &[i8], hidden: usize) -> Self {
        let rows = weights.as_chunks().0;
        let (mix, rows) = rows.split_at((2 * hidden + 1).min(rows.len()));
        Head { mix: mix.to_vec(), rows: rows.to_vec() }
    }

    /// All weights, row by row.
    pub(crate) fn weights(&self) -> impl Iterator<Item = i8> {
        self.mix.iter().chain(&self.rows).flatten().copied()
    }

    /// The mood of a position, from the sums of both sides.
    pub(crate) fn mood(&self, own: &[i16], other: &[i16]) -> Mood {
        let (mut mood, mut mix) = ([0.0; WIDTH], self.mix.iter());
        // Many sums are clipped to nothing.
        for (&sum, row) in own.iter().chain(other).zip(&mut mix).filter(|(sum, _)| **sum > 0) {
            let clipped = f32::from(sum.min(FIRST_ONE as i16)) / FIRST_ONE as f32;
            (0..WIDTH).for_each(|i| mood[i] += clipped * clipped * f32::from(row[i]));
        }
        if let Some(bias) = mix.next() {
            (0..WIDTH).for_each(|i| mood[i] += f32::from(bias[i]));
        }
        mood.map(|number| number / HEAD_ONE as f32)
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
