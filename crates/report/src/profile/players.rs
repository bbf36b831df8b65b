//! Who plays the games of a report.

use tabia_core::{Game, Record, SplitMix64};

/// A move, and what its player thinks of the position.
#[derive(Clone, Copy, Debug)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// The expected result for the side to move, -1 to 1; nothing where the player has no opinion.
    pub value: Option<f64>,
}

/// A player at work.
pub trait Play<G: Game> {
    /// Forgets everything.
    fn new_game(&mut self);
    /// The move for the last position of a record, found with about so many nodes.
    fn choose(&mut self, record: &Record<G>, nodes: u64, rng: &mut SplitMix64) -> Option<Choice<G::Move>>;
}

/// Makes players; threads have one each.
pub trait Players<G: Game>: Sync {
    /// A player, or why there is none.
    fn player(&self) -> Result<Box<dyn Play<G> + '_>, String>;
}

/// Somebody who moves at random.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anyone;

impl<G: Game> Play<G> for Anyone {
    fn new_game(&mut self) {}

    fn choose(&mut self, record: &Record<G>, _: u64, rng: &mut SplitMix64) -> Option<Choice<G::Move>> {
        let mv = record.rules().random_move(record.state(), rng, &mut Vec::new())?;
        Some(Choice { mv, value: None })
    }
}

/// A budget that is a little another one every time, so that no two games need be the same.
pub(super) fn about(nodes: u64, rng: &mut SplitMix64) -> u64 {
    let spread = nodes / 2;
    (nodes - spread / 2 + rng.below(spread + 1)).max(1)
}
