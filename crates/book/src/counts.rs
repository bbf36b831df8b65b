//! Counters of game results, and what can be said from them.

use serde::Serialize;
use std::ops::AddAssign;
use tabia_core::{Outcome, Side};

/// How many games ended which way, as seen from outside (player 0 is the first mover of the game).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Counts {
    /// Games won by player 0.
    pub wins0: u64,
    /// Games won by player 1.
    pub wins1: u64,
    /// Drawn games.
    pub draws: u64,
}

impl Counts {
    /// One game with this outcome.
    pub const fn one(outcome: Outcome) -> Counts {
        match outcome {
            Outcome::Win(Side::First) => Counts { wins0: 1, wins1: 0, draws: 0 },
            Outcome::Win(Side::Second) => Counts { wins0: 0, wins1: 1, draws: 0 },
            Outcome::Draw => Counts { wins0: 0, wins1: 0, draws: 1 },
        }
    }

    /// All games.
    pub const fn total(self) -> u64 {
        self.wins0.saturating_add(self.wins1).saturating_add(self.draws)
    }

    /// Games won by a side.
    pub const fn wins(self, side: Side) -> u64 {
        match side {
            Side::First => self.wins0,
            Side::Second => self.wins1,
        }
    }

    /// The same games with the players exchanged when `swap` is set.
    #[must_use]
    pub const fn swapped(self, swap: bool) -> Counts {
        if swap { Counts { wins0: self.wins1, wins1: self.wins0, draws: self.draws } } else { self }
    }

    /// Whether no counter is larger than the one of `other`.
    pub const fn within(self, other: Counts) -> bool {
        self.wins0 <= other.wins0 && self.wins1 <= other.wins1 && self.draws <= other.draws
    }

    /// The share of games a side won; 0 without games.
    pub fn win_rate(self, side: Side) -> f64 {
        ratio(self.wins(side) as f64, self.total())
    }

    /// Points per game for a side, a draw being half a point; 0 without games.
    pub fn score(self, side: Side) -> f64 {
        ratio(self.wins(side) as f64 + self.draws as f64 / 2.0, self.total())
    }

    /// The 95 % Wilson interval of [`Counts::win_rate`]: what the rate may be, given so few games.
    pub fn wilson(self, side: Side) -> [f64; 2] {
        wilson(self.wins(side), self.total())
    }
}

impl AddAssign for Counts {
    /// Saturates: damaged input must not make a counter wrap.
    fn add_assign(&mut self, other: Counts) {
        self.wins0 = self.wins0.saturating_add(other.wins0);
        self.wins1 = self.wins1.saturating_add(other.wins1);
        self.draws = self.draws.saturating_add(other.draws);
    }
}

fn ratio(part: f64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}

/// Wilson's score interval for `hits` of `n`, two-sided 95 %; all of `0..1` without observations.
pub fn wilson(hits: u64, n: u64) -> [f64; 2] {
    const Z: f64 = 1.959_963_984_540_054;
    if n == 0 {
        return [0.0, 1.0];
    }
    let n = n as f64;
    let p = hits as f64 / n;
    let centre = p + Z * Z / (2.0 * n);
    let margin = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    [((centre - margin) / scale).max(0.0), ((centre + margin) / scale).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_gives_the_textbook_interval() {
        // Newcombe 1998 (Statistics in Medicine 17:857), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (hits, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let [l, h] = wilson(hits, n);
            assert!((l - low).abs() < 5e-5 && (h - high).abs() < 5e-5, "{hits}/{n}: {l} {h}");
        }
        let [low, high] = wilson(0, 0);
        assert!(low.abs() < 1e-12 && (high - 1.0).abs() < 1e-12);
    }

    #[test]
    fn swapping_exchanges_the_players() {
        let counts = Counts { wins0: 3, wins1: 1, draws: 2 };
        assert_eq!(counts.swapped(true), Counts { wins0: 1, wins1: 3, draws: 2 });
        assert!((counts.swapped(true).score(Side::First) - counts.score(Side::Second)).abs() < 1e-12);
        assert!((counts.score(Side::First) - 4.0 / 6.0).abs() < 1e-12);
    }
}
