//! A game solved: every position with its value, in memory.

use super::Report;
use crate::code;
use crate::keyed::sort_by_bytes;
use tabia_core::{Game, Packed, Probe, Value};

/// Every position reachable from the starts, up to symmetry, with its exact value.
pub struct Solution<G: Game> {
    game: G,
    /// Sorted by their bytes.
    keys: Vec<G::Packed>,
    codes: Vec<u16>,
    report: Report,
}

impl<G: Game> Solution<G> {
    pub(super) fn new(game: G, keys: Vec<G::Packed>, codes: Vec<u16>, report: Report) -> Self {
        let mut both: Vec<(G::Packed, u16)> = keys.into_iter().zip(codes).collect();
        sort_by_bytes(&mut both);
        let (keys, codes) = both.into_iter().unzip();
        Solution { game, keys, codes, report }
    }

    /// The rules it was solved for.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What it cost.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// All positions in the order of their bytes, with the codes of their values.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&G::Packed, u16)> {
        self.keys.iter().zip(self.codes.iter().copied())
    }

    /// The value of a canonical encoding; `None` when it cannot be reached.
    pub fn get(&self, key: &G::Packed) -> Option<Value> {
        let at = self.keys.binary_search_by(|k| k.as_bytes().cmp(key.as_bytes())).ok()?;
        Some(code::decode(self.codes[at]))
    }
}

impl<G: Game> Probe<G> for Solution<G> {
    fn probe(&self, state: &G::State) -> Option<Value> {
        self.get(&self.game.pack_canonical(state))
    }
}
