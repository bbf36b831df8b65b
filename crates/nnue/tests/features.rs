//! The features of all games, and the sums that follow them.

use tabia_arx::Arx;
use tabia_chess::Chess;
use tabia_core::{Features, Game, Judge, Judges, Key, SplitMix64};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_nnue::{Learned, Samples, Trainer, TrainingOptions, Wiring, net::Shape};
use tabia_testkit::laws::{self, Effort};
use tabia_tic_tac_toe::TicTacToe;

#[test]
fn the_laws_hold() {
    let effort = Effort::default();
    laws::check_features(&Chess, effort);
    laws::check_features(&Draughts::default(), effort);
    laws::check_features(&Arx, effort);
    laws::check_features(&FiveVisible::default(), effort);
    laws::check_features(&TicTacToe, effort);
}

/// A network with random weights: as hard to follow as any.
fn random_net<G: Features>(game: &G) -> Learned<G> {
    let options = TrainingOptions { seed: 7, folds: game.folds(), ..TrainingOptions::default() };
    let shape = Shape::of(game, 32, 3);
    let mut trainer = Trainer::new(shape, &Samples::new(), options);
    trainer.see_all();
    Learned::new(game.clone(), trainer.net()).expect("it is made for this game")
}

/// The first position, if there is one, that a judge values otherwise after others than by itself.
fn first_difference<G: Features>(game: &G, learned: &Learned<G>, judge: &mut dyn Judge<G>) -> Option<String> {
    let mut rng = SplitMix64::new(3);
    for _ in 0..40 {
        let (mut state, mut before): (_, Option<Key>) = (game.start(), None);
        for ply in 0..60 {
            // A search comes back to plies, and skips some positions.
            if rng.below(4) > 0 {
                let followed = judge.judge(&state, ply, before.filter(|_| rng.below(8) > 0));
                if followed != learned.value(&state) {
                    return Some(game.format(&state));
                }
            }
            before = Some(game.key(&state));
            let Some(mv) = game.random_move(&state, &mut rng, &mut Vec::new()) else { break };
            game.play(&mut state, mv);
        }
    }
    None
}

fn follows<G: Features>(game: &G) {
    let learned = random_net(game);
    let mut judge = learned.judge();
    assert_eq!(first_difference(game, &learned, &mut *judge), None, "{}", game.id());
}

#[test]
fn sums_that_follow_a_search_are_those_made_anew() {
    follows(&Chess);
    follows(&Draughts::default());
    follows(&Arx);
    follows(&FiveVisible::default());
    follows(&TicTacToe);
}

/// A judge that now and then does not look at the board again.
struct Sleepy<'a> {
    judge: Box<dyn Judge<Chess> + 'a>,
    asked: u32,
    last: i32,
}

impl Judge<Chess> for Sleepy<'_> {
    fn judge(&mut self, state: &<Chess as Game>::State, ply: usize, before: Option<Key>) -> i32 {
        self.asked += 1;
        if !self.asked.is_multiple_of(500) {
            self.last = self.judge.judge(state, ply, before);
        }
        self.last
    }
}

#[test]
fn a_judge_that_misses_a_position_is_caught() {
    let learned = random_net(&Chess);
    let mut sleepy = Sleepy { judge: learned.judge(), asked: 0, last: 0 };
    assert!(first_difference(&Chess, &learned, &mut sleepy).is_some());
}

#[test]
fn fingerprints_tell_features_apart() {
    let print = |wiring: Wiring| wiring.fingerprint(&Chess);
    assert_eq!(print(Wiring::of(&Chess)), print(Wiring::of(&Chess)));
    assert_ne!(Wiring::of(&Chess).fingerprint(&Chess), Wiring::of(&Arx).fingerprint(&Arx));
}
