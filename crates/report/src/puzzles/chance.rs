//! The positions that puzzles are looked for in: games that are played neither well nor badly.

use super::maker::Engine;
use tabia_core::{Outcome, Position, Present, Record, SplitMix64};
use tabia_search::{Limits, Question, Score};

/// A game of so many plies at most.
const LONGEST: usize = 160;
/// One move in so many is a random one.
const BLUNDER: u64 = 8;
/// Random moves at the beginning.
const OPENING: usize = 6;
/// Random moves that are looked at for one that does not lose at once.
const TRIES: u32 = 8;
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

/// A random move that does not lose at once: a game that ends by a gift has nothing to find.
fn harmless_move<G: Present>(
    record: &Record<G>,
    rng: &mut SplitMix64,
    buffer: &mut Vec<G::Move>,
) -> Option<G::Move> {
    let rules = record.rules();
    let mv = rules.random_move(record.state(), rng, buffer)?;
    let mut after = record.state().clone();
    rules.play(&mut after, mv);
    buffer.clear();
    rules.moves(&after, buffer);
    let loses = buffer.iter().any(|reply| {
        let mut end = after.clone();
        rules.play(&mut end, *reply);
        rules.outcome(&end) == Some(Outcome::Win(rules.side(&after)))
    });
    (!loses).then_some(mv)
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
        if opening || rng.below(BLUNDER) == 0 {
            chosen = (0..TRIES).find_map(|_| harmless_move(&record, rng, &mut buffer)).or(chosen);
        }
        let chosen = chosen.or_else(|| record.rules().random_move(record.state(), rng, &mut buffer));
        let Some(mv) = chosen else { return };
        if record.play(mv).is_err() {
            return;
        }
    }
}
