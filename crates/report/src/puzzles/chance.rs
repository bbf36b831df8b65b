//! The positions that puzzles are looked for in: games that are played neither well nor badly.

use super::maker::Engine;
use tabia_core::{Position, Present, Record, SplitMix64};
use tabia_search::{Limits, Question, Score};

/// A game of so many plies at most.
const LONGEST: usize = 160;
/// One move in so many is a random one.
const BLUNDER: u64 = 8;
/// Random moves at the beginning.
const OPENING: usize = 6;
/// Nodes for a move.
const NODES: u64 = 200;

/// Plays a game at random; `visit` sees the record after each move and says whether to go on.
pub(super) fn random_game<G: Present>(
    start: Position<G>,
    rng: &mut SplitMix64,
    mut visit: impl FnMut(&Record<G>) -> bool,
) {
    let mut record = Record::new(start);
    let mut buffer = Vec::new();
    while record.moves().len() < LONGEST && record.outcome().is_none() {
        let Some(mv) = record.rules().random_move(record.state(), rng, &mut buffer) else { return };
        if record.play(mv).is_err() || !visit(&record) {
            return;
        }
    }
}

/// Plays a game of mostly sensible moves; `visit` also hears what a short search says about the position.
pub(super) fn sensible_game<G: Present>(
    start: Position<G>,
    engine: &mut Engine<'_, G>,
    rng: &mut SplitMix64,
    mut visit: impl FnMut(&Record<G>, &mut Engine<'_, G>, Score) -> bool,
) {
    let mut record = Record::new(start);
    let mut buffer = Vec::new();
    while record.moves().len() < LONGEST && record.outcome().is_none() {
        let opening = record.moves().len() < OPENING;
        let mut chosen = None;
        if !opening {
            let report = engine.ask(&record, &Question::default(), &Limits::nodes(NODES));
            if !visit(&record, engine, report.score) {
                return;
            }
            chosen = report.best();
        }
        if opening || rng.below(BLUNDER) == 0 || chosen.is_none() {
            chosen = record.rules().random_move(record.state(), rng, &mut buffer);
        }
        let Some(mv) = chosen else { return };
        if record.play(mv).is_err() {
            return;
        }
    }
}
