//! What a match says about the difference in strength, and when it has said enough.
//!
//! The unit is a pair of games from the same opening with sides changed: its two results are not
//! independent, so the variance is taken over pairs.

use serde::Serialize;

/// The points of pairs of games: 0 to 4 half points each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    counts: [u64; 5],
}

impl Pairs {
    pub(super) fn add(&mut self, half_points: u8) {
        self.counts[usize::from(half_points.min(4))] += 1;
    }

    fn number(&self) -> f64 {
        self.counts.iter().sum::<u64>() as f64
    }

    /// The mean score of a game and the variance of a pair's mean, each between 0 and 1.
    fn moments(&self) -> (f64, f64) {
        let n = self.number().max(1.0);
        let each =
            || self.counts.iter().zip(0u8..).map(|(&count, half)| (count as f64, f64::from(half) / 4.0));
        let mean = each().map(|(count, score)| count * score).sum::<f64>() / n;
        let variance = each().map(|(count, score)| count * (score - mean).powi(2)).sum::<f64>() / n;
        (mean, variance)
    }

    /// The difference in Elo and the half-width of its 95 % interval. A score of 0 or 1 is taken as
    /// half a pair short of it, because no finite difference explains it.
    pub(super) fn elo(&self) -> (f64, f64) {
        let n = self.number().max(1.0);
        let (mean, variance) = self.moments();
        let least = 1.0 / (2.0 * n + 2.0);
        let elo_of = |score: f64| elo(score.clamp(least, 1.0 - least));
        // Pairs that all went alike do not make the next one certain.
        let error = 1.96 * (variance.max(0.25 / n) / n).sqrt();
        let width = (elo_of(mean + error) - elo_of(mean - error)) / 2.0;
        (elo_of(mean), width)
    }
}

/// The difference in Elo that gives an expected score.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score of a difference in Elo.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential test between two differences in Elo, with 5 % error either way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference that should be refuted.
    pub elo0: f64,
    /// The difference hoped for.
    pub elo1: f64,
}

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SprtVerdict {
    /// `elo1` it is.
    Accepted,
    /// `elo0` it is.
    Rejected,
    /// Play on.
    Open,
}

impl Sprt {
    /// The logarithm of the likelihood ratio, by the normal approximation over pairs.
    pub(super) fn log_likelihood(&self, pairs: &Pairs) -> f64 {
        let (mean, variance) = pairs.moments();
        let (low, high) = (expected(self.elo0), expected(self.elo1));
        // A prior worth of one pair keeps the first results from deciding everything.
        let variance = variance.max(0.25 / pairs.number().max(1.0));
        pairs.number() * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    pub(super) fn verdict(&self, pairs: &Pairs) -> SprtVerdict {
        let bound = (0.95f64 / 0.05).ln();
        match self.log_likelihood(pairs) {
            ratio if ratio >= bound => SprtVerdict::Accepted,
            ratio if ratio <= -bound => SprtVerdict::Rejected,
            _ => SprtVerdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(counts: [u64; 5]) -> Pairs {
        Pairs { counts }
    }

    #[test]
    fn elo_is_the_textbook_formula() {
        let (difference, error) = pairs([0, 0, 100, 0, 0]).elo();
        assert!(difference.abs() < 1e-9 && error > 0.0 && error < 10.0);
        // Three points of four: 190.8 Elo.
        let (difference, _) = pairs([0, 0, 50, 0, 50]).elo();
        assert!((difference - 190.85).abs() < 0.1, "{difference}");
        let (better, _) = pairs([0, 0, 0, 0, 50]).elo();
        assert!(better.is_finite() && better > 600.0);
        let (wide, narrow) = (pairs([5, 0, 0, 0, 5]).elo().1, pairs([50, 0, 0, 0, 50]).elo().1);
        assert!(wide > 2.0 * narrow);
    }

    #[test]
    fn a_sequential_test_ends_either_way() {
        let test = Sprt { elo0: 0.0, elo1: 20.0 };
        assert_eq!(test.verdict(&Pairs::default()), SprtVerdict::Open);
        assert_eq!(test.verdict(&pairs([10, 20, 200, 200, 170])), SprtVerdict::Accepted);
        assert_eq!(test.verdict(&pairs([170, 200, 200, 20, 10])), SprtVerdict::Rejected);
    }
}
