//! The law of solutions: a line leads where its value says.

use super::{Verdict, law};
use tabia_core::{Outcome, Present, Value};

/// The first thing wrong with a line that is to prove an exact value: an illegal move, another length than
/// the distance, or another end. A draw may go on for ever, so its line only must not end in a win.
pub fn line_verdict<G: Present>(game: &G, state: &G::State, line: &[G::Move], value: Value) -> Verdict {
    let side = game.side(state);
    let start = game.format(state);
    let mut state = state.clone();
    for (ply, &mv) in line.iter().enumerate() {
        let verdict = game.check_move(&state, mv);
        law("a line has legal moves", verdict.is_ok(), || {
            format!("{mv:?}, ply {} from {start}: {verdict:?}", ply + 1)
        })?;
        game.play(&mut state, mv);
    }
    let distance = value.distance().map(usize::from);
    law("a line is as long as its value says", distance.is_none_or(|plies| plies == line.len()), || {
        format!("{value:?} for {start}, but {} plies", line.len())
    })?;
    let reached = match (value, game.outcome(&state)) {
        (Value::Win(_), Some(Outcome::Win(winner))) => winner == side,
        (Value::Loss(_), Some(Outcome::Win(winner))) => winner != side,
        (Value::Draw, outcome) => outcome.is_none_or(|outcome| outcome == Outcome::Draw),
        (Value::Unknown, _) => true,
        _ => false,
    };
    law("a line reaches its value", reached, || {
        format!("{value:?} for {start}, but {:?} in {}", game.outcome(&state), game.format(&state))
    })
}
