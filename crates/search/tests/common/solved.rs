//! Small games solved by looking at all positions again and again: slow, and plainly right.

use std::collections::HashMap;
use tabia_core::{Game, Value};

pub(crate) fn children<'a, G: Game>(game: &'a G, state: &'a G::State) -> impl Iterator<Item = G::State> + 'a {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves.into_iter().map(move |mv| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        next
    })
}

/// Every position that can arise from these, with its exact value, by looking at all again and again.
pub(crate) fn solve_all<G: Game>(game: &G, starts: &[G::State]) -> HashMap<G::State, Value> {
    let mut all: Vec<G::State> = starts.to_vec();
    let mut seen: std::collections::HashSet<G::State> = starts.iter().cloned().collect();
    let mut at = 0;
    while at < all.len() {
        let next: Vec<G::State> = children(game, &all[at]).filter(|next| seen.insert(next.clone())).collect();
        all.extend(next);
        at += 1;
    }
    let over = |state: &G::State| game.outcome(state).map(|outcome| outcome.value_for(game.side(state)));
    let mut values: HashMap<G::State, Value> =
        all.iter().map(|state| (state.clone(), over(state).unwrap_or(Value::Unknown))).collect();
    for distance in 1.. {
        let mut found = Vec::new();
        for state in all.iter().filter(|state| values[*state] == Value::Unknown) {
            let next: Vec<Value> =
                children(game, state).map(|next| values[&next].one_ply_earlier()).collect();
            if next.contains(&Value::Win(distance)) {
                found.push((state.clone(), Value::Win(distance)));
            } else if next.iter().all(|value| matches!(value, Value::Loss(_))) {
                found.push((state.clone(), Value::Loss(distance)));
            }
        }
        // A win may be two plies after the last one found, by way of a loss.
        if found.is_empty() && distance > 2 {
            break;
        }
        values.extend(found);
    }
    values.values_mut().filter(|value| **value == Value::Unknown).for_each(|value| *value = Value::Draw);
    values
}
