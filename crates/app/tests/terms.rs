//! The terms of the evaluations: at their full weight they are the evaluation, and each of them matters.

use tabia_arx::Arx;
use tabia_chess::Chess;
use tabia_core::{Evaluate, SplitMix64};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;

/// Positions of random games that are not over.
fn positions<G: Evaluate>(game: &G, games: u32) -> Vec<G::State> {
    let mut rng = SplitMix64::new(3);
    let mut all = Vec::new();
    for _ in 0..games {
        let mut state = game.start();
        for _ in 0..120 {
            let Some(mv) = game.random_move(&state, &mut rng, &mut Vec::new()) else { break };
            game.play(&mut state, mv);
            if game.outcome(&state).is_some() {
                break;
            }
            all.push(state.clone());
        }
    }
    all
}

fn check<G: Evaluate>(game: &G) {
    let positions = positions(game, 40);
    let full = vec![100; G::TERMS.len()];
    for state in &positions {
        assert_eq!(game.evaluate_weighed(state, &full), game.evaluate(state), "{}", game.key(state));
    }
    for (at, term) in G::TERMS.iter().enumerate() {
        let mut without = full.clone();
        without[at] = 0;
        let matters = |state: &&G::State| game.evaluate_weighed(state, &without) != game.evaluate(state);
        assert!(positions.iter().any(|state| matters(&state)), "{term}");
        assert_eq!(G::TERMS.iter().filter(|other| *other == term).count(), 1, "{term}");
    }
}

#[test]
fn terms_add_up_and_each_of_them_matters() {
    check(&Draughts::default());
    check(&Arx);
    check(&Chess);
    check(&FiveVisible::default());
}
