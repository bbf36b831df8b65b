//! The skill ladder: how much more search it takes to win clearly.
//!
//! From a budget of nodes, twice, four times, eight times as much are tried until one takes 60 % of the points; that is
//! the next rung. Every match is a piece of work, and the matches so far tell the next one.

use super::Subject;
use super::figures::{Reading, Unit};
use super::play::{Terms, play};
use super::players::Play;
use super::tally::Tension;
use serde::{Deserialize, Serialize};
use tabia_core::rng::mix;
use tabia_core::{Outcome, Present, Side, SplitMix64};

/// Nodes of the lowest rung.
const LOWEST: u64 = 16;
/// The share of the points that makes a rung.
const CLEAR: f64 = 0.6;
/// Pairs of games in a match.
pub(super) const PAIRS: u64 = 20;

/// A match between two budgets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Match {
    pub(super) low: u64,
    pub(super) high: u64,
    /// Wins, draws and losses of the higher budget.
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
}

impl Match {
    /// Adds the games of another part of it.
    pub(super) fn add(&mut self, part: &Match) {
        self.wins += part.wins;
        self.draws += part.draws;
        self.losses += part.losses;
    }

    pub(super) fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub(super) fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Whether the higher budget is a rung above the lower one.
    pub(super) fn is_clear(&self) -> bool {
        self.points() >= CLEAR * self.games() as f64
    }
}

/// The budgets of the next match; `None` when the top is reached.
pub(super) fn next(matches: &[Match], most: u64) -> Option<(u64, u64)> {
    let (low, high) = match matches.last() {
        None => (LOWEST, 2 * LOWEST),
        Some(last) if last.is_clear() => (last.high, 2 * last.high),
        Some(last) => (last.low, 2 * last.high),
    };
    (high <= most).then_some((low, high))
}

/// Two games of a match, with sides changed.
pub(super) fn pair<G: Present>(
    subject: &Subject<'_, G>,
    (low, high): (u64, u64),
    players: &mut [Box<dyn Play<G> + '_>],
    seed: u64,
) -> Match {
    let mut found = Match { low, high, ..Match::default() };
    for swapped in 0..2 {
        // Both games of a pair begin alike.
        let mut rng = SplitMix64::new(mix(seed));
        let nodes = if swapped == 0 { [high, low] } else { [low, high] };
        let terms = Terms { nodes, opening: 2, also: None, detail: false };
        players.iter_mut().for_each(|player| player.new_game());
        let mut seats: Vec<&mut dyn Play<G>> = players.iter_mut().map(|player| &mut **player as _).collect();
        let (record, _) = play(subject, [0, 1], &mut seats, &terms, &mut rng, &mut Tension::default());
        let high_side = if swapped == 0 { Side::First } else { Side::Second };
        match record.outcome() {
            Some(Outcome::Win(side)) if side == high_side => found.wins += 1,
            Some(Outcome::Win(_)) => found.losses += 1,
            _ => found.draws += 1,
        }
    }
    found
}

/// Elo points for each doubling of the budget, over all matches, weighed by how sure each is.
pub(super) fn slope(matches: &[Match]) -> Option<Reading> {
    let (mut weights, mut sum, mut games) = (0.0, 0.0, 0);
    for game in matches {
        let n = game.games() as f64;
        // Half a game short of everything: no finite difference explains a clean sweep.
        let p = (game.points() / n).clamp(0.5 / n, 1.0 - 0.5 / n);
        let doublings = (game.high as f64 / game.low as f64).log2();
        let elo = -400.0 * (1.0 / p - 1.0).log10() / doublings;
        let error = 400.0 / (std::f64::consts::LN_10 * (p * (1.0 - p) * n).sqrt()) / doublings;
        weights += 1.0 / (error * error);
        sum += elo / (error * error);
        games += game.games();
    }
    let (value, half) = (sum / weights, 1.96 / weights.sqrt());
    let reading =
        Reading { value, low: Some(value - half), high: Some(value + half), n: games, unit: Unit::Number };
    (weights > 0.0).then_some(reading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_are_climbed_and_steps_grow_until_one_is_clear() {
        let played = |low, high, wins| Match { low, high, wins, draws: 0, losses: 40 - wins };
        assert_eq!(next(&[], 1000), Some((16, 32)));
        assert_eq!(next(&[played(16, 32, 24)], 1000), Some((32, 64)));
        assert_eq!(next(&[played(16, 32, 23)], 1000), Some((16, 64)));
        assert_eq!(next(&[played(16, 32, 40)], 63), None);
    }

    #[test]
    fn slope_is_elo_per_doubling() {
        let three_quarters = Match { low: 16, high: 64, wins: 30, draws: 0, losses: 10 };
        let slope = slope(&[three_quarters; 5]).unwrap();
        assert!((slope.value - 190.85 / 2.0).abs() < 0.1, "{slope:?}");
    }
}
