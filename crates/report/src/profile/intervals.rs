//! Intervals: how far a measured number may be from the true one.
//!
//! All are 95 % intervals: Wilson's for shares, Student's for means, the exact score interval for counts of a sample.

use super::figures::{Reading, Unit};
use serde::{Deserialize, Serialize};

/// The quantile of the normal distribution that leaves 2.5 % above it.
const Z: f64 = 1.959_964;

/// Sums from which a mean and its interval follow. Whole numbers, so that parts add up exactly in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Moments {
    pub(super) n: u64,
    sum: i64,
    squares: u64,
}

/// Shares and values between -1 and 1 are kept in ten-thousandths.
const FINE: f64 = 10_000.0;

impl Moments {
    pub(super) fn add(&mut self, value: u64) {
        self.n += 1;
        self.sum += value as i64;
        self.squares += value * value;
    }

    /// Adds a number that is not whole, in ten-thousandths.
    pub(super) fn add_fine(&mut self, value: f64) {
        let fine = (value * FINE).round() as i64;
        self.n += 1;
        self.sum += fine;
        self.squares += (fine * fine) as u64;
    }

    pub(super) fn plus(&mut self, other: &Moments) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean of whole numbers.
    pub(super) fn reading(&self) -> Reading {
        self.scaled(1.0, Unit::Number)
    }

    /// The mean of numbers that were added in ten-thousandths.
    pub(super) fn fine(&self, unit: Unit) -> Reading {
        self.scaled(FINE, unit)
    }

    fn scaled(&self, scale: f64, unit: Unit) -> Reading {
        let n = self.n as f64;
        let mean = self.sum as f64 / n.max(1.0);
        let variance = ((self.squares as f64 - n * mean * mean) / (n - 1.0).max(1.0)).max(0.0);
        let half = student(self.n.saturating_sub(1)) * (variance / n.max(1.0)).sqrt();
        let known = self.n > 1;
        // No share is below nothing or above all.
        let bound = |value: f64| if unit == Unit::Share { value.clamp(0.0, 1.0) } else { value };
        Reading {
            value: mean / scale,
            low: known.then_some(bound((mean - half) / scale)),
            high: known.then_some(bound((mean + half) / scale)),
            n: self.n,
            unit,
        }
    }
}

/// The quantile of Student's distribution that leaves 2.5 % above it, by the expansion of Cornish and Fisher.
fn student(freedom: u64) -> f64 {
    let v = freedom.max(1) as f64;
    let (z3, z5, z7) = (Z.powi(3), Z.powi(5), Z.powi(7));
    Z + (z3 + Z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * v * v)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * Z) / (384.0 * v.powi(3))
}

impl Reading {
    /// A number that is known.
    pub fn exact(value: f64, unit: Unit) -> Self {
        Reading { value, low: None, high: None, n: 0, unit }
    }

    /// The share of hits among so many; half hits count too.
    pub fn share(hits: f64, n: u64) -> Self {
        let (low, high) = wilson(hits, n);
        let value = if n == 0 { 0.0 } else { hits / n as f64 };
        Reading { value, low: Some(low), high: Some(high), n, unit: Unit::Share }
    }

    /// How many there are in all, when one in `part` was picked by chance and `seen` were found.
    pub fn sampled(seen: u64, part: u64) -> Self {
        let (x, scale) = (seen as f64, part as f64);
        let spread = 1.0 - 1.0 / scale;
        let middle = x + Z * Z * spread / 2.0;
        let half = Z * (spread * (x + Z * Z * spread / 4.0)).sqrt();
        let low = ((middle - half) * scale).max(x);
        Reading {
            value: x * scale,
            low: Some(low),
            high: Some((middle + half) * scale),
            n: seen,
            unit: Unit::Count,
        }
    }

    /// Whether a number lies in the interval.
    pub fn covers(&self, truth: f64) -> bool {
        self.low.unwrap_or(self.value) <= truth && truth <= self.high.unwrap_or(self.value)
    }
}

/// Wilson's interval for a share.
pub(super) fn wilson(hits: f64, n: u64) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let n = n as f64;
    let (p, z2) = (hits / n, Z * Z);
    let middle = p + z2 / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    let scale = 1.0 + z2 / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::SplitMix64;

    #[test]
    fn wilson_is_the_published_interval() {
        // Newcombe 1998, table I: 81 of 263 and 15 of 148, score method without correction.
        for (hits, n, low, high) in
            [(81.0, 263, 0.2553, 0.3662), (15.0, 148, 0.0624, 0.1605), (0.0, 20, 0.0, 0.1611)]
        {
            let found = wilson(hits, n);
            assert!((found.0 - low).abs() < 5e-5 && (found.1 - high).abs() < 5e-5, "{found:?}");
        }
    }

    #[test]
    fn student_is_the_table() {
        for (freedom, quantile) in [(4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)] {
            assert!((student(freedom) - quantile).abs() < 0.02, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn a_share_is_never_below_nothing() {
        let mut moments = Moments::default();
        (0..99).for_each(|_| moments.add_fine(0.0));
        moments.add_fine(0.01);
        let (share, number) = (moments.fine(Unit::Share), moments.fine(Unit::Number));
        assert_eq!(share.low, Some(0.0));
        assert!(number.low < Some(0.0) && share.high == number.high);
    }

    #[test]
    fn intervals_cover_as_often_as_they_say() {
        let mut rng = SplitMix64::new(5);
        let (mut mean, mut share, mut sample) = (0, 0, 0);
        for _ in 0..1000 {
            let mut moments = Moments::default();
            let mut hits = 0;
            for _ in 0..50 {
                moments.add(rng.below(11));
                hits += u64::from(rng.below(10) < 3);
            }
            mean += u32::from(moments.reading().covers(5.0));
            share += u32::from(Reading::share(hits as f64, 50).covers(0.3));
            let seen = (0..2000).filter(|_| rng.below(16) == 0).count() as u64;
            sample += u32::from(Reading::sampled(seen, 16).covers(2000.0));
        }
        for covered in [mean, share, sample] {
            assert!((925..=975).contains(&covered), "{covered} of 1000");
        }
    }
}
