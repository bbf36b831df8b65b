//! Games for one: positions in which exactly one move stays solvable.

use tabia_core::puzzle::{Puzzle, Solvable};
use tabia_core::{Outcome, Side, Work};
use tabia_solve::dfs::{self, DfsOptions};

/// The only move after which the goal can still be reached; `None` when there is none, or several, or the solver did
/// not come to an end. There must be another move to choose from.
pub fn only_solvable<G: Puzzle>(rules: &G, state: &G::State, work: &Work<'_>) -> Option<G::Move> {
    let hints = rules.hints(state, work);
    let unknown = hints.iter().any(|(_, solvable)| *solvable == Solvable::Unknown);
    let mut solving = hints.iter().filter(|(_, solvable)| *solvable == Solvable::Solvable);
    match (solving.next(), solving.next()) {
        (Some((mv, _)), None) if !unknown && hints.len() > 1 => Some(*mv),
        _ => None,
    }
}

/// The positions that a plain depth-first search enters before it has solved the position; `None` when it did not
/// within `most`.
pub(super) fn effort<G: Puzzle>(rules: &G, state: &G::State, most: u64, work: &Work<'_>) -> Option<u64> {
    let solved = |state: &G::State| rules.outcome(state) == Some(Outcome::Win(Side::First));
    let options = DfsOptions { node_limit: most, ..DfsOptions::default() };
    let report = dfs::search(rules, state, solved, options, work).ok()?;
    matches!(report.answer, dfs::Answer::Path(_)).then_some(report.nodes)
}
