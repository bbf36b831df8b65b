//! The players of reports: alpha-beta where the game has an evaluation, Monte-Carlo elsewhere.

use crate::Stop;
use crate::adapter::Held;
use crate::search::Means;
use tabia_core::{Present, Record, SplitMix64};
use tabia_report::Worth;
use tabia_report::judging::expected;
use tabia_report::profile::{Choice, Play, Players};
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, SearchOptions};

/// Bytes for the table of a player: small, because it is emptied for every game.
const TABLE: usize = 1 << 20;
/// Bytes for the graph of playouts.
const GRAPH: usize = 64 << 20;
/// A playout goes to the end of the game: it counts as so many nodes.
const PLAYOUT: u64 = 20;

/// Makes the players of a game.
pub(super) struct Engines<'a, G: Present> {
    means: Means<'a, G>,
}

impl<'a, G: Present> Engines<'a, G> {
    pub(super) fn new(held: &Held<G>, stop: &'a Stop) -> Self {
        Engines { means: held.means(stop) }
    }
}

impl<G: Present> Players<G> for Engines<'_, G> {
    fn player(&self) -> Result<Box<dyn Play<G> + '_>, String> {
        let options = SearchOptions { table_bytes: TABLE, ..SearchOptions::default() };
        let engine = AlphaBeta::new(options).map_err(|error| error.to_string())?;
        Ok(Box::new(Engine { means: &self.means, engine }))
    }
}

/// A player at work.
struct Engine<'a, G: Present> {
    means: &'a Means<'a, G>,
    engine: AlphaBeta,
}

impl<G: Present> Play<G> for Engine<'_, G> {
    fn new_game(&mut self) {
        self.engine.clear();
    }

    fn choose(&mut self, record: &Record<G>, nodes: u64, rng: &mut SplitMix64) -> Option<Choice<G::Move>> {
        let searched = self.means.alphabeta(&mut self.engine, record, &Limits::nodes(nodes), &mut |_| ());
        let report = searched.unwrap_or_else(|| {
            let options = MctsOptions { seed: rng.next(), memory: GRAPH, ..MctsOptions::default() };
            let playouts = Limits::nodes((nodes / PLAYOUT).max(2));
            Mcts::new(options).search(record, &playouts, self.means.stop, |_| ())
        });
        let any = || record.rules().random_move(record.state(), &mut rng.clone(), &mut Vec::new());
        let mv = report.best().or_else(any)?;
        Some(Choice { mv, value: Some(expected(Worth::from(report.score))) })
    }
}
