//! What games came to, in whole numbers that add up.

use super::figures::{Reading, Unit};
use super::intervals::Moments;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Plies by which branching is told.
pub(super) const PLIES: usize = 150;

/// What a number of games came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) games: u64,
    /// Hashes of the games, where there are few: how many are different.
    pub(super) distinct: BTreeSet<u64>,
    pub(super) wins: [u64; 2],
    pub(super) draws: u64,
    /// How they ended, in words.
    pub(super) ends: BTreeMap<String, u64>,
    pub(super) lengths: BTreeMap<u32, u64>,
    /// Legal moves of the positions at each ply.
    pub(super) by_ply: Vec<Moments>,
    /// The mean number of legal moves of each game.
    pub(super) choices: Moments,
    /// The share of positions with one legal move, of each game.
    pub(super) forced: Moments,
    /// Games in which a position came back.
    pub(super) repeated: u64,
    /// Wins, draws and losses of player 0 by the class of the first move.
    pub(super) first: BTreeMap<String, [u64; 3]>,
    /// Moves that ended on a cell, and those among them by the winner of the game.
    pub(super) cells: BTreeMap<String, [u64; 2]>,
    /// Moves by the piece that made them.
    pub(super) pieces: BTreeMap<String, u64>,
    /// Moves by what they were like.
    pub(super) kinds: BTreeMap<String, u64>,
    pub(super) tension: Tension,
}

/// How exciting games were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tension {
    pub(super) lead_changes: Moments,
    pub(super) drama: Moments,
    pub(super) left_when_decided: Moments,
    /// Positions in which a weak player was asked too, and those in which it chose the same move.
    pub(super) asked: u64,
    pub(super) agreed: u64,
}

impl Tally {
    /// Adds what other games came to.
    pub(super) fn plus(&mut self, other: &Tally) {
        self.games += other.games;
        self.distinct.extend(&other.distinct);
        self.draws += other.draws;
        self.repeated += other.repeated;
        for side in 0..2 {
            self.wins[side] += other.wins[side];
        }
        add(&mut self.ends, &other.ends);
        add(&mut self.lengths, &other.lengths);
        add(&mut self.pieces, &other.pieces);
        add(&mut self.kinds, &other.kinds);
        add_all(&mut self.first, &other.first);
        add_all(&mut self.cells, &other.cells);
        if self.by_ply.len() < other.by_ply.len() {
            self.by_ply.resize(other.by_ply.len(), Moments::default());
        }
        self.by_ply.iter_mut().zip(&other.by_ply).for_each(|(mine, theirs)| mine.plus(theirs));
        self.choices.plus(&other.choices);
        self.forced.plus(&other.forced);
        self.tension.plus(&other.tension);
    }

    /// All of them together.
    pub(super) fn sum(parts: &[Tally]) -> Tally {
        let mut all = Tally::default();
        parts.iter().for_each(|part| all.plus(part));
        all
    }

    /// The points of player 0.
    pub(super) fn points(&self) -> f64 {
        self.wins[0] as f64 + self.draws as f64 / 2.0
    }

    /// The lengths as moments.
    pub(super) fn length(&self) -> Moments {
        let mut moments = Moments::default();
        for (&length, &games) in &self.lengths {
            (0..games).for_each(|_| moments.add(length.into()));
        }
        moments
    }

    /// The length that a share of the games does not exceed, with the interval of its rank.
    pub(super) fn length_quantile(&self, share: f64) -> Reading {
        let n = self.games as f64;
        let spread = 1.96 * (n * share * (1.0 - share)).sqrt();
        let at = |rank: f64| f64::from(self.length_of_rank(rank.clamp(1.0, n).ceil() as u64));
        Reading {
            value: at(n * share),
            low: Some(at(n * share - spread)),
            high: Some(at(n * share + spread + 1.0)),
            n: self.games,
            unit: Unit::Count,
        }
    }

    /// The length of the game with this place when they are sorted by length.
    fn length_of_rank(&self, rank: u64) -> u32 {
        let mut seen = 0;
        for (&length, &games) in &self.lengths {
            seen += games;
            if seen >= rank {
                return length;
            }
        }
        0
    }
}

impl Tension {
    fn plus(&mut self, other: &Tension) {
        self.lead_changes.plus(&other.lead_changes);
        self.drama.plus(&other.drama);
        self.left_when_decided.plus(&other.left_when_decided);
        self.asked += other.asked;
        self.agreed += other.agreed;
    }
}

fn add<K: Ord + Clone>(mine: &mut BTreeMap<K, u64>, theirs: &BTreeMap<K, u64>) {
    for (key, count) in theirs {
        *mine.entry(key.clone()).or_default() += count;
    }
}

fn add_all<const N: usize>(mine: &mut BTreeMap<String, [u64; N]>, theirs: &BTreeMap<String, [u64; N]>) {
    for (key, counts) in theirs {
        let sums = mine.entry(key.clone()).or_insert([0; N]);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
}
