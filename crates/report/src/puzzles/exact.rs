//! Positions in which exactly one move keeps the exact value.

use tabia_core::{Game, Probe, Value};
use tabia_solve::{SolveError, lines};

/// The only right move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Only<M> {
    /// The move.
    pub mv: M,
    /// What it keeps.
    pub value: Value,
    /// Plies to the win; for a draw, how long the best of the wrong moves holds out.
    pub plies: u32,
}

/// The only move that keeps the value of a position; `None` when there are several, when all moves do, when the
/// position is lost, or when the value of a move is not known.
pub fn only_keeper<G: Game>(
    rules: &G,
    values: &dyn Probe<G>,
    state: &G::State,
) -> Result<Option<Only<G::Move>>, SolveError> {
    if rules.settled(state).is_some() {
        return Ok(None);
    }
    let moves = lines::moves(rules, values, state)?;
    let unknown = moves.iter().any(|valued| valued.value == Value::Unknown);
    let [best, second, ..] = moves.as_slice() else { return Ok(None) };
    let worse = best.value.name() != second.value.name();
    let lost = matches!(best.value, Value::Loss(_));
    if unknown || lost || !worse {
        return Ok(None);
    }
    let distance = |value: Value| value.distance().map_or(0, u32::from);
    let plies = match best.value {
        Value::Draw => moves.iter().skip(1).map(|valued| distance(valued.value)).max().unwrap_or(0),
        value => distance(value),
    };
    Ok(Some(Only { mv: best.mv, value: best.value, plies }))
}
