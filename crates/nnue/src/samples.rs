//! The positions of games as a trainer sees them: inputs of both sides, and what they should be worth.

use crate::games::{NO_SCORE, PlayedGame};
use crate::net::Shape;
use crate::wiring::Wiring;
use tabia_core::rng::mix;
use tabia_core::{Features, Outcome, Side};

/// Positions with their scores and results, all of them in memory.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Inputs of the side to move, then of the other side, position after position.
    inputs: Vec<u16>,
    /// Where the inputs of each position begin; one more at the end.
    starts: Vec<u64>,
    /// Where the inputs of the other side begin, counted from there.
    halves: Vec<u16>,
    buckets: Vec<u8>,
    /// Hundredths for the side to move.
    scores: Vec<i16>,
    /// Half points for the side to move, or [`UNPLAYED`].
    results: Vec<u8>,
}

/// One position.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Inputs of the side to move.
    pub own: &'a [u16],
    /// Inputs of the other side.
    pub other: &'a [u16],
    /// Which second layer judges it.
    pub bucket: usize,
    /// Hundredths for the side to move.
    pub score: i16,
    /// Points for the side to move: 0, 1/2 or 1; none where nobody played on.
    pub result: Option<f32>,
}

/// Stands for the result of a position that was not played.
const UNPLAYED: u8 = 3;

/// Scores beyond this are decided games, of which there is nothing to learn.
const MOST_SCORE: i16 = 3000;
/// One game in so many is held out.
const HELD_OUT: u64 = 40;

/// Whether the game of a number is held out.
pub(crate) fn is_held_out(number: usize) -> bool {
    mix(number as u64).is_multiple_of(HELD_OUT)
}

impl Samples {
    /// No positions.
    pub fn new() -> Self {
        Samples { starts: vec![0], ..Samples::default() }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// A position by its number.
    #[inline]
    pub fn get(&self, at: usize) -> Sample<'_> {
        let inputs = &self.inputs[self.starts[at] as usize..self.starts[at + 1] as usize];
        let (own, other) = inputs.split_at(usize::from(self.halves[at]));
        Sample {
            own,
            other,
            bucket: usize::from(self.buckets[at]),
            score: self.scores[at],
            result: self.result(at),
        }
    }

    #[inline]
    fn result(&self, at: usize) -> Option<f32> {
        Some(self.results[at]).filter(|&result| result != UNPLAYED).map(|result| f32::from(result) / 2.0)
    }

    /// The positions of games, in two parts: those to learn from, and those of games held out.
    pub fn of<G: Features>(
        game: &G,
        shape: &Shape,
        games: impl IntoIterator<Item = PlayedGame>,
    ) -> (Samples, Samples) {
        let wiring = Wiring::of(game);
        let (mut kept, mut held) = (Samples::new(), Samples::new());
        for (number, played) in games.into_iter().enumerate() {
            let part = if is_held_out(number) { &mut held } else { &mut kept };
            part.add_game(game, &wiring, shape, &played);
        }
        (kept, held)
    }

    fn add_game<G: Features>(&mut self, game: &G, wiring: &Wiring, shape: &Shape, played: &PlayedGame) {
        let (mut state, mut moves, mut set) = (game.start(), Vec::new(), vec![0; wiring.words()]);
        let mut add = |state: &G::State, score: i16, outcome: Option<Outcome>| {
            if score == NO_SCORE || score.abs() > MOST_SCORE {
                return;
            }
            let side = game.side(state);
            game.feature_set(state, &mut set);
            let points = match outcome.map(Outcome::winner) {
                None => UNPLAYED,
                Some(None) => 1,
                Some(Some(winner)) if winner == side => 2,
                Some(Some(_)) => 0,
            };
            let frames = [side, side.other()].map(|viewer| (viewer, game.frame(state, viewer)));
            self.add(wiring, shape, &set, frames, score, points);
        };
        let mut play = |state: &mut G::State, number: u16| {
            moves.clear();
            game.moves(state, &mut moves);
            moves.get(usize::from(number)).map(|&mv| game.play(state, mv))
        };
        let mut asides = played.asides.iter().peekable();
        for (&(number, score), ply) in played.plies.iter().zip(0..) {
            add(&state, score, Some(played.outcome));
            while let Some(aside) = asides.next_if(|aside| aside.from <= ply) {
                let mut there = state.clone();
                if aside.moves.iter().all(|&number| play(&mut there, number).is_some()) {
                    add(&there, aside.score, None);
                }
            }
            if play(&mut state, number).is_none() {
                return;
            }
        }
    }

    pub(crate) fn add(
        &mut self,
        wiring: &Wiring,
        shape: &Shape,
        set: &[u64],
        frames: [(Side, usize); 2],
        score: i16,
        points: u8,
    ) {
        let first = self.inputs.len();
        for (half, (viewer, frame)) in frames.into_iter().enumerate() {
            let seen = wiring.seen(viewer, frame);
            for (at, &word) in set.iter().enumerate() {
                for bit in tabia_core::bits::ones(word) {
                    self.inputs.extend(seen.input(at * 64 + bit).map(|input| input as u16));
                }
            }
            if half == 0 {
                self.halves.push((self.inputs.len() - first) as u16);
            }
        }
        self.starts.push(self.inputs.len() as u64);
        let features = set.iter().map(|word| word.count_ones() as usize).sum();
        self.buckets.push(shape.bucket(features) as u8);
        self.scores.push(score);
        self.results.push(points);
    }

    /// How many hundredths make a side win e times as often as it loses: what fits the results best.
    pub fn scale(&self) -> f32 {
        let step = (self.len() / 200_000).max(1);
        let loss = |scale: f32| {
            let one = |at: usize| {
                let p = 1.0 / (1.0 + (-f32::from(self.scores[at]) / scale).exp());
                self.result(at).map_or(0.0, |result| f64::from((p - result) * (p - result)))
            };
            (0..self.len()).step_by(step).map(one).sum::<f64>()
        };
        // Steps of 5 %: finer ones would change nothing.
        let scales = (0..70).map(|i| 30.0 * 1.05f32.powi(i));
        scales.min_by(|a, b| loss(*a).total_cmp(&loss(*b))).unwrap_or(200.0)
    }
}
