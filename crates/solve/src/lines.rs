//! Using exact values: every move with its value, and the line of best play.

use crate::error::SolveError;
use tabia_core::{Game, Probe, Value, sort_few_by_key};

/// A legal move, and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValuedMove<M> {
    /// The move.
    pub mv: M,
    /// The value of the position for the side that plays it, if it is played.
    pub value: Value,
    /// Whether no move is better.
    pub best: bool,
}

/// The value of a finished position, or what the source says.
pub fn value_of<G: Game>(
    game: &G,
    source: &dyn Probe<G>,
    state: &G::State,
) -> Result<Option<Value>, SolveError> {
    match game.settled(state) {
        Some(outcome) => Ok(Some(outcome.value_for(game.side(state)))),
        None => Ok(source.try_probe(state)?),
    }
}

/// The value of a position after a move, for the side that made it.
pub(crate) fn value_after<G: Game>(
    game: &G,
    source: &dyn Probe<G>,
    state: &G::State,
    mv: G::Move,
) -> Result<Value, SolveError> {
    let mut next = state.clone();
    game.play(&mut next, mv);
    let value = value_of(game, source, &next)?.unwrap_or(Value::Unknown);
    Ok(value.one_ply_earlier_for(game.side(&next) == game.side(state)))
}

/// Every legal move with its value, best first. Unknown where the source does not have the position
/// after it.
pub fn moves<G: Game>(
    game: &G,
    source: &dyn Probe<G>,
    state: &G::State,
) -> Result<Vec<ValuedMove<G::Move>>, SolveError> {
    let mut list = Vec::new();
    game.moves(state, &mut list);
    let valued = |mv| Ok(ValuedMove { mv, value: value_after(game, source, state, mv)?, best: false });
    let mut all = list.into_iter().map(valued).collect::<Result<Vec<_>, SolveError>>()?;
    sort_few_by_key(&mut all, |valued| -valued.value.rank());
    let top = all.first().map(|valued| valued.value);
    for valued in &mut all {
        valued.best = Some(valued.value) == top;
    }
    Ok(all)
}

/// Best play from a decided position to its end, at most `longest` moves. Empty for draws: neither
/// side can make progress, so there is no line to show. Needs a source with distances.
pub fn best_line<G: Game>(
    game: &G,
    source: &dyn Probe<G>,
    state: &G::State,
    longest: usize,
) -> Result<Vec<G::Move>, SolveError> {
    let mut state = state.clone();
    let mut line = Vec::new();
    let decided = matches!(source.try_probe(&state)?, Some(Value::Win(_) | Value::Loss(_)));
    if !source.has_distances() || !decided {
        return Ok(line);
    }
    while line.len() < longest && game.settled(&state).is_none() {
        let Some(best) = moves(game, source, &state)?.into_iter().next() else { break };
        if best.value == Value::Unknown {
            break;
        }
        line.push(best.mv);
        game.play(&mut state, best.mv);
    }
    Ok(line)
}
