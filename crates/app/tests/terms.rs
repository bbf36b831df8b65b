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
    let full = vec![100; game.terms().len()];
    for state in &positions {
        assert_eq!(game.evaluate_weighed(state, &full), game.evaluate(state), "{}", game.key(state));
    }
    for (at, term) in game.terms().iter().enumerate() {
        let mut without = full.clone();
        without[at] = 0;
        let matters = |state: &&G::State| game.evaluate_weighed(state, &without) != game.evaluate(state);
        assert!(positions.iter().any(|state| matters(&state)), "{term}");
        assert_eq!(game.terms().iter().filter(|other| *other == term).count(), 1, "{term}");
    }
}

#[test]
fn terms_add_up_and_each_of_them_matters() {
    check(&Draughts::default());
    check(&Arx);
    check(&Chess);
    check(&FiveVisible::default());
}

/// How many of a thousand positions of games (random, but for a liking for captures that do not lose) are put on the
/// wrong side of a window they lie just beside.
fn misjudged<G: Evaluate>(game: &G) -> u32 {
    let (mut rng, mut moves) = (SplitMix64::new(7), Vec::new());
    let (mut asked, mut wrong) = (0, 0);
    for _ in 0..400 {
        let mut state = game.start();
        for _ in 0..100 {
            if game.outcome(&state).is_some() {
                break;
            }
            let value = game.evaluate(&state);
            // In Arx a King that can be taken is judged as won; a search sees that by itself.
            if !game.must_resolve(&state) && value.abs() < 10_000 {
                asked += 1;
                let above = game.evaluate_within(&state, value - 1, value) < value;
                let below = game.evaluate_within(&state, value, value + 1) > value;
                wrong += u32::from(above || below);
            }
            moves.clear();
            game.moves(&state, &mut moves);
            let mut any = || moves[rng.below(moves.len() as u64) as usize];
            let loses = |mv| game.is_noisy(&state, mv) && !game.gains(&state, mv, 0);
            let liking = |mv| if loses(mv) { -1 } else { game.move_promise(&state, mv) };
            let mv = [any(), any(), any()].into_iter().max_by_key(|&mv| liking(mv));
            game.play(&mut state, mv.unwrap());
        }
    }
    wrong * 1000 / asked
}

#[test]
fn quick_judgements_rarely_mislead() {
    assert!(misjudged(&Draughts::default()) <= 1);
    assert!(misjudged(&Arx) <= 1);
    assert!(misjudged(&Chess) <= 25);
    assert_eq!(misjudged(&FiveVisible::default()), 0);
}
