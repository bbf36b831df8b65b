//! The positions that puzzles are looked for in: games that are played neither well nor badly.

use super::maker::Engine;
use tabia_core::{Position, Present, Record, SplitMix64};
use tabia_search::{Limits, Question};

/// A game of so many plies at most.
const LONGEST: usize = 200;
/// One move in so many is a random one.
const BLUNDER: u64 = 4;
/// Random moves at the beginning.
const OPENING: usize = 6;

/// Plays a game; `visit` sees the record after each move and says whether to go on. With an engine most moves are
/// sensible, without one all are random.
pub(super) fn game<G: Present>(
    start: Position<G>,
    mut engine: Option<&mut Engine<'_, G>>,
    nodes: u64,
    rng: &mut SplitMix64,
    mut visit: impl FnMut(&Record<G>, Option<&mut Engine<'_, G>>) -> bool,
) {
    let mut record = Record::new(start);
    let mut buffer = Vec::new();
    while record.moves().len() < LONGEST && record.outcome().is_none() {
        let random = record.moves().len() < OPENING || rng.below(BLUNDER) == 0;
        let sensible = match engine.as_deref_mut().filter(|_| !random) {
            Some(engine) => engine.ask(&record, &Question::default(), &Limits::nodes(nodes)).best(),
            None => None,
        };
        let chosen = sensible.or_else(|| record.rules().random_move(record.state(), rng, &mut buffer));
        let Some(mv) = chosen else { return };
        if record.play(mv).is_err() || !visit(&record, engine.as_deref_mut()) {
            return;
        }
    }
}
