//! Positions in which exactly one move forces a win within so many plies.

use super::maker::Engine;
use tabia_core::{Game, Record};
use tabia_search::{Limits, Question, Score};

/// A forced win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forced<M> {
    /// The win, the only move first.
    pub line: Vec<M>,
    /// Plies to its end.
    pub plies: u32,
}

/// The quickest forced win of at most `most` plies, where exactly one move begins it: no other move wins within the same
/// plies. `None` also where the search did not come to an end within its nodes.
pub fn forced_win<G: Game>(
    engine: &mut Engine<'_, G>,
    record: &Record<G>,
    most: u32,
    nodes: u64,
) -> Option<Forced<G::Move>> {
    let question = Question { only_wins: true, ..Question::default() };
    let limits = |depth| Limits { depth: Some(depth), nodes: Some(nodes), ..Limits::default() };
    let report = engine.ask(record, &question, &limits(most));
    let Score::Win(plies) = report.score else { return None };
    let (plies, best) = (u32::from(plies), report.best()?);
    let mut moves = Vec::new();
    record.rules().moves(record.state(), &mut moves);
    moves.retain(|mv| *mv != best);
    if plies > most || moves.is_empty() {
        return None;
    }
    let others = Question { among: &moves, only_wins: true, ..Question::default() };
    let second = engine.ask(record, &others, &limits(plies));
    let searched = second.nodes < nodes;
    (searched && !matches!(second.score, Score::Win(_))).then(|| Forced { line: report.pv().to_vec(), plies })
}
