//! The size of the tree of games, by Knuth's random descents.
//!
//! A descent plays at random and multiplies the numbers of legal moves it meets: the product is the inverse of the
//! chance to come there, so that its mean over descents is the number of lines of that length, and at the end of the
//! game the number of games (Knuth, "Estimating the efficiency of backtrack programs", 1975).

use super::Subject;
use super::figures::{Reading, Unit};
use super::play::LONGEST;
use serde::{Deserialize, Serialize};
use tabia_core::{Position, Present, Record, SplitMix64, sort_many};

/// Descents in a piece of work.
const DESCENTS: usize = 500;
/// Plies by which lines are told.
pub(super) const PLIES: usize = 60;
/// Resamples of the bootstrap.
const RESAMPLES: usize = 400;

/// What a number of descents found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Descents {
    /// The decimal logarithms of the estimates of the number of games, in millionths.
    games: Vec<i64>,
    /// Descents that were cut off.
    pub(super) cut: u64,
    /// The estimates of the number of lines at each ply: sum and sum of squares, as bits of floating-point numbers.
    lines: Vec<[u64; 2]>,
}

/// Descends a number of times.
pub(super) fn descend<G: Present>(subject: &Subject<'_, G>, seed: u64) -> Descents {
    let mut rng = SplitMix64::new(seed);
    let mut found = Descents::default();
    let (mut moves, mut sums) = (Vec::new(), vec![[0.0f64; 2]; PLIES]);
    for _ in 0..DESCENTS {
        let mut record = Record::new(Position { rules: subject.rules.clone(), state: subject.start.clone() });
        let mut log = 0.0f64;
        loop {
            let ply = record.moves().len();
            if let Some(sums) = sums.get_mut(ply) {
                let lines = 10f64.powf(log);
                sums[0] += lines;
                sums[1] += lines * lines;
            }
            if record.outcome().is_some() {
                break;
            }
            moves.clear();
            subject.rules.moves(record.state(), &mut moves);
            let pick = moves.get(rng.below(moves.len() as u64) as usize);
            let Some(&mv) = pick.filter(|_| ply < LONGEST) else {
                found.cut += 1;
                break;
            };
            log += (moves.len() as f64).log10();
            record.play_unchecked(mv);
        }
        found.games.push((log * 1e6).round() as i64);
    }
    found.lines = sums.into_iter().map(|sums| sums.map(f64::to_bits)).collect();
    found
}

impl Descents {
    /// All of them together, in their order.
    pub(super) fn sum(parts: &[Descents]) -> Descents {
        let mut all = Descents { lines: vec![[0; 2]; PLIES], ..Descents::default() };
        for part in parts {
            all.games.extend(&part.games);
            all.cut += part.cut;
            for (mine, theirs) in all.lines.iter_mut().zip(&part.lines) {
                *mine = [0, 1].map(|i| (f64::from_bits(mine[i]) + f64::from_bits(theirs[i])).to_bits());
            }
        }
        all
    }

    /// The lines of a length; `None` where no descent came.
    pub(super) fn lines(&self, ply: usize) -> Option<Reading> {
        let n = self.games.len() as f64;
        let [sum, squares] = self.lines.get(ply)?.map(f64::from_bits);
        let mean = sum / n;
        let half = 1.96 * ((squares / n - mean * mean).max(0.0) / n).sqrt();
        let reading = Reading {
            value: mean,
            low: Some((mean - half).max(0.0)),
            high: Some(mean + half),
            n: self.games.len() as u64,
            unit: Unit::Count,
        };
        (sum > 0.0).then_some(reading)
    }

    /// The decimal logarithm of the number of games. A few descents weigh more than all others, so that a plain
    /// bootstrap would be too narrow and too low: it is studentised.
    pub(super) fn size(&self, seed: u64) -> Option<Reading> {
        let n = self.games.len();
        let top = *self.games.iter().max()? as f64 / 1e6;
        let scaled: Vec<f64> = self.games.iter().map(|&log| 10f64.powf(log as f64 / 1e6 - top)).collect();
        let (size, error) = log_mean(scaled.iter().copied());
        let mut rng = SplitMix64::new(seed);
        let mut deviations: Vec<f64> = (0..RESAMPLES)
            .map(|_| log_mean((0..n).map(|_| scaled[rng.below(n as u64) as usize])))
            .filter(|&(_, error)| error > 0.0)
            .map(|(resampled, error)| (resampled - size) / error)
            .collect();
        sort_many(&mut deviations, f64::total_cmp);
        let bound = |share: f64| {
            let place = (share * deviations.len().saturating_sub(1) as f64).round() as usize;
            top + size - error * deviations.get(place).copied().unwrap_or(0.0)
        };
        Some(Reading {
            value: top + size,
            low: Some(bound(0.975)),
            high: Some(bound(0.025)),
            n: n as u64,
            unit: Unit::Log10,
        })
    }
}

/// The decimal logarithm of a mean, and its standard error.
fn log_mean(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        (n, sum, squares) = (n + 1.0, sum + value, squares + value * value);
    }
    let mean: f64 = sum / n;
    let spread = (squares / n - mean * mean).max(0.0).sqrt();
    (mean.log10(), spread / n.sqrt() / mean / std::f64::consts::LN_10)
}
