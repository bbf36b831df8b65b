//! Using exact values: every move with its value, and the line of best play.

use tabia_core::{Game, Probe, Value};

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
pub fn value_of<G: Game>(game: &G, source: &dyn Probe<G>, state: &G::State) -> Option<Value> {
    match game.settled(state) {
        Some(outcome) => Some(outcome.value_for(game.side(state))),
        None => source.probe(state),
    }
}

/// Every legal move with its value, best first. Unknown where the source does not have the position
/// after it.
pub fn moves<G: Game>(game: &G, source: &dyn Probe<G>, state: &G::State) -> Vec<ValuedMove<G::Move>> {
    let mut list = Vec::new();
    game.moves(state, &mut list);
    let side = game.side(state);
    let valued = |mv: G::Move| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        let value = value_of(game, source, &next).unwrap_or(Value::Unknown);
        ValuedMove { mv, value: seen_from(value, game.side(&next) == side), best: false }
    };
    let mut all: Vec<_> = list.into_iter().map(valued).collect();
    all.sort_by_key(|valued| -valued.value.rank());
    let top = all.first().map(|valued| valued.value);
    for valued in &mut all {
        valued.best = Some(valued.value) == top;
    }
    all
}

/// The value one ply earlier, for the same player or for the other.
pub(crate) fn seen_from(value: Value, same_mover: bool) -> Value {
    match value.one_ply_earlier() {
        Value::Win(n) if same_mover => Value::Loss(n),
        Value::Loss(n) if same_mover => Value::Win(n),
        other => other,
    }
}

/// Best play from a decided position to its end, at most `longest` moves. Empty for draws: neither
/// side can make progress, so there is no line to show. Needs a source with distances.
pub fn best_line<G: Game>(game: &G, source: &dyn Probe<G>, state: &G::State, longest: usize) -> Vec<G::Move> {
    let mut state = state.clone();
    let mut line = Vec::new();
    let decided = |state: &G::State| matches!(source.probe(state), Some(Value::Win(_) | Value::Loss(_)));
    if !source.has_distances() || !decided(&state) {
        return line;
    }
    while line.len() < longest && game.settled(&state).is_none() {
        let Some(best) = moves(game, source, &state).into_iter().next() else { break };
        if best.value == Value::Unknown {
            break;
        }
        line.push(best.mv);
        game.play(&mut state, best.mv);
    }
    line
}
