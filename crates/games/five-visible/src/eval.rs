//! A heuristic value: what is visible counts, and so does what can still be placed.

use crate::{FiveVisible, Move, Place, Stack, State};
use tabia_core::{Evaluate, Game, Side};

const VISIBLE: i32 = 100;
const STASH: i32 = 25;
const TURN: i32 = 30;

/// The terms in the order of [`Evaluate::terms`].
#[inline]
fn terms(state: &State) -> [i32; 3] {
    let (own, other) = (state.player(), state.player().other());
    let visible = state.visible(own) as i32 - state.visible(other) as i32;
    let stash = state.stash(own) as i32 - state.stash(other) as i32;
    [VISIBLE * visible, STASH * stash, TURN]
}

impl Evaluate for FiveVisible {
    fn evaluate(&self, state: &State) -> i32 {
        terms(state).iter().sum()
    }

    fn terms(&self) -> &[&str] {
        &["visible", "stash", "turn"]
    }

    fn evaluate_weighed(&self, state: &State, percent: &[i32]) -> i32 {
        terms(state).iter().zip(percent).map(|(term, percent)| term * percent / 100).sum()
    }

    /// A move that ends the game. Anything wider never comes to rest: bricks are moved, not taken.
    fn is_noisy(&self, state: &State, mv: Move) -> bool {
        // One move uncovers or places at most one brick of a colour.
        let close = Side::ALL.iter().any(|&side| state.visible(side) + 1 >= crate::state::VISIBLE);
        close && {
            let mut next = *state;
            self.play(&mut next, mv);
            next.winner().is_some()
        }
    }

    fn move_promise(&self, state: &State, mv: Move) -> i32 {
        let own = self.side(state);
        let brick = mv.from.map_or(Some(own), |from| state.stack(from).top());
        let gains = |top: Option<Side>| match top {
            Some(side) if side == own => 1,
            Some(_) => -1,
            None => 0,
        };
        let uncovered = mv.from.and_then(|from| state.stack(from).without_top()).and_then(Stack::top);
        let lost = mv.from.and_then(|from| state.stack(from).top());
        gains(brick) - gains(state.stack(mv.to).top()) + gains(uncovered) - gains(lost)
    }

    fn move_slot(&self, _: &State, mv: Move) -> usize {
        mv.from.map_or(9, Place::index) * 9 + mv.to.index()
    }

    fn move_slots(&self) -> usize {
        90
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::SplitMix64;

    #[test]
    fn noisy_moves_are_those_that_end_the_game() {
        let (rules, mut rng, mut noisy) = (FiveVisible::default(), SplitMix64::new(3), 0);
        for _ in 0..200 {
            let mut state = rules.start();
            for _ in 0..60 {
                let mut moves = Vec::new();
                rules.moves(&state, &mut moves);
                for &mv in &moves {
                    let mut next = state;
                    rules.play(&mut next, mv);
                    assert_eq!(
                        rules.is_noisy(&state, mv),
                        rules.outcome(&next).is_some(),
                        "{state:?} {mv:?}"
                    );
                    noisy += usize::from(rules.is_noisy(&state, mv));
                }
                if moves.is_empty() {
                    break;
                }
                rules.play(&mut state, moves[rng.below(moves.len() as u64) as usize]);
            }
        }
        assert!(noisy > 100);
    }
}
