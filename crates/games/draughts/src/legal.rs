//! The legal moves of a position for those who choose among them: steps as sets of squares, captures as a list.

use crate::actions::STEPS;
use crate::movegen::Sides;
use crate::moves::Move;
use crate::rules::Draughts;
use crate::state::State;
use crate::types::Color;
use crate::{capture, movegen};
use tabia_core::actions::mark;
use tabia_core::bits::{nth_bit, ones};
use tabia_core::{Actions, LegalMoves};

/// The legal moves: steps, or captures where there are any.
#[derive(Clone, Debug, Default)]
pub struct Legal {
    /// The squares that can be stepped on, as the mover sees them, in the order of the actions: bit `a % 64` of word
    /// `a / 64` for action `a`.
    steps: [u64; 2],
    captures: Vec<Move>,
}

impl LegalMoves<Draughts> for Legal {
    #[inline]
    fn fill(&mut self, rules: &Draughts, state: &State) {
        self.captures.clear();
        if let Some([a, b, c, d]) = movegen::steps_seen(state) {
            self.steps = [movegen::pair(a, b), movegen::pair(c, d)];
            return;
        }
        self.steps = [0; 2];
        match state.turn() {
            Color::Black => {
                capture::list_all::<true>(Sides::of::<true>(state), rules.counting, &mut self.captures);
            }
            Color::White => {
                capture::list_all::<false>(Sides::of::<false>(state), rules.counting, &mut self.captures);
            }
        }
    }

    #[inline]
    fn count(&self) -> usize {
        let [forward, backward] = self.steps.map(|set| set.count_ones() as usize);
        forward + backward + self.captures.len()
    }

    #[inline]
    fn nth(&self, _rules: &Draughts, state: &State, n: usize) -> Option<Move> {
        if !self.captures.is_empty() {
            return self.captures.get(n).copied();
        }
        let forward = self.steps[0].count_ones() as usize;
        let way = usize::from(n >= forward);
        let bit = nth_bit(self.steps[way], (n - way * forward) as u32) as usize;
        (bit < 64).then(|| movegen::step_seen(state, 64 * way + bit))
    }

    fn each(&self, _rules: &Draughts, state: &State, mut visit: impl FnMut(Move)) {
        // White sees the squares the other way round, and lists them as they are on the board.
        let white = state.turn() == Color::White;
        let halves = self.steps.iter().flat_map(|&set| [set as u32, (set >> 32) as u32]);
        for (sort, half) in halves.enumerate() {
            let on_board = if white { half.reverse_bits() } else { half };
            ones(on_board.into()).for_each(|bit| {
                visit(movegen::step_seen(state, 32 * sort + if white { 31 - bit } else { bit }));
            });
        }
        self.captures.iter().copied().for_each(visit);
    }

    fn find(&self, rules: &Draughts, state: &State, action: usize) -> Option<Move> {
        if action < STEPS {
            let legal = self.steps[action / 64] >> (action % 64) & 1 != 0;
            return legal.then(|| movegen::step_seen(state, action));
        }
        self.captures.iter().copied().find(|&mv| rules.action_of(state, mv) == action)
    }

    #[inline]
    fn mask(&self, rules: &Draughts, state: &State, bits: &mut [u8]) {
        bits.fill(0);
        for (bytes, set) in bits.as_chunks_mut::<8>().0.iter_mut().zip(self.steps) {
            *bytes = set.to_le_bytes();
        }
        self.captures.iter().for_each(|&mv| mark(bits, rules.action_of(state, mv)));
    }
}
