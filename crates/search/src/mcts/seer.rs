//! Who says what a position is worth, and which moves look good, in the place of playouts.

use crate::alphabeta::{SearchOptions, Worker};
use crate::limits::Control;
use crate::score::{INFINITE, is_loss, is_win};
use tabia_core::{Evaluate, Game, Judge, Judges, Record};

/// Hundredths that make the odds e times as high: the scale of what Monte-Carlo reports.
pub(crate) const SCALE: f64 = 100.0;
/// The same among the moves of a position: what they differ in counts more than how good they all are.
const CHOICE: f64 = 50.0;
/// How much of what a judge prefers is believed: the moves that it likes less must be tried, too, to find out where it errs.
const BELIEF: f64 = 0.6;

/// Judges positions for one thread.
pub(crate) trait Seer<G: Game> {
    /// The share of the points that the side to move can expect.
    fn value(&mut self, state: &G::State) -> f64;

    /// How much of the attention each move deserves, in parts of one.
    fn priors(&mut self, state: &G::State, moves: &[G::Move]) -> Vec<f32>;
}

/// An evaluation, with captures played out.
pub(crate) struct Sight<'a, G: Evaluate> {
    worker: Worker<'a, G>,
    judge: Box<dyn Judge<G> + 'a>,
}

impl<'a, G: Evaluate> Sight<'a, G> {
    pub(crate) fn new(
        record: &'a Record<G>,
        judges: &'a dyn Judges<G>,
        control: &'a Control,
        options: &'a SearchOptions,
    ) -> Self {
        let worker = Worker::new(record, None, control, options, 0);
        Sight { worker: Worker { judge: Some(judges.judge()), ..worker }, judge: judges.judge() }
    }
}

impl<G: Evaluate> Sight<'_, G> {
    /// What the position after a move looks like to the side that makes it.
    fn after(&mut self, state: &G::State, mv: G::Move) -> f64 {
        let game = self.worker.game;
        let (side, mut child) = (game.side(state), state.clone());
        game.play(&mut child, mv);
        let value = match game.settled(&child) {
            Some(outcome) => outcome.winner().map_or(0, |winner| if winner == side { 1000 } else { -1000 }),
            None if game.side(&child) == side => self.judge.judge(&child, 1, None),
            None => -self.judge.judge(&child, 1, None),
        };
        f64::from(value)
    }
}

impl<G: Evaluate> Seer<G> for Sight<'_, G> {
    fn value(&mut self, state: &G::State) -> f64 {
        let value = self.worker.quiescence(state, -INFINITE, INFINITE, 0, None).value;
        match value {
            value if is_win(value) => 1.0,
            value if is_loss(value) => 0.0,
            value => 1.0 / (1.0 + (-f64::from(value) / SCALE).exp()),
        }
    }

    fn priors(&mut self, state: &G::State, moves: &[G::Move]) -> Vec<f32> {
        let told = self.judge.prefer(state, moves);
        let told = told.map(|told| told.into_iter().map(|worth| BELIEF * f64::from(worth)).collect());
        let mut judged = || moves.iter().map(|&mv| self.after(state, mv) / CHOICE).collect();
        let worth: Vec<f64> = told.unwrap_or_else(&mut judged);
        let most = worth.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = worth.iter().map(|worth| (worth - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| (weight / sum) as f32).collect()
    }
}
