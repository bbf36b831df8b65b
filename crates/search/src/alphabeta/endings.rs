//! Positions whose exact value is known beforehand: from ending tables, mostly.
//!
//! A value with its distance is as good as a search to the end of the game, as long as no count of plies
//! ends the game first; a search from such a position is over at once, and always plays the quickest win. A
//! source without distances tells only who wins: elsewhere in the tree that is the best of guesses, but at the
//! root it is no guide from one won position to the next. There it only rules out the moves that
//! give something away, and the search goes on without it.

use super::node::Found;
use super::worker::Worker;
use crate::score::WIN;
use tabia_core::{Evaluate, Probe, Value};

/// What a win of unknown distance is worth: more than any estimate, less than any win that was seen.
const SOMEHOW: i32 = 25_000;

impl<G: Evaluate> Worker<'_, G> {
    /// What a source knows of a position of the tree.
    #[inline(never)]
    pub(crate) fn look_up_ending(&self, known: &dyn Probe<G>, state: &G::State) -> Option<Found> {
        let ply = self.path.ply() as i32;
        let value = known.probe(state)?;
        let (sign, plies) = match value {
            Value::Win(plies) => (1, plies),
            Value::Loss(plies) => (-1, plies),
            Value::Draw => return Some(Found::sure(0)),
            Value::Unknown => return None,
        };
        if !known.has_distances() {
            return Some(Found::guess(sign * (SOMEHOW - ply)));
        }
        let in_time = self.path.leaves_time_for(plies);
        in_time.then(|| Found::sure(sign * (WIN - ply - i32::from(plies))))
    }

    /// Where the source knows no distances: keeps the moves at the root that keep its result, and
    /// forgets the source.
    pub(crate) fn keep_result<R>(
        &mut self,
        state: &G::State,
        roots: &mut Vec<R>,
        mv: impl Fn(&R) -> G::Move,
    ) {
        let Some(known) = self.known.filter(|known| !known.has_distances()) else { return };
        if known.probe(state).is_none() {
            return;
        }
        self.known = None;
        let result = |root: &R| self.value_after(known, state, mv(root)).map(result);
        let best = roots.iter().map(&result).max().flatten();
        if best.is_some() {
            roots.retain(|root| result(root) == best);
        }
    }

    /// The best move where the source knows all that follow, with distances.
    pub(crate) fn known_move(&self, state: &G::State) -> Option<G::Move> {
        let known = self.known.filter(|known| known.has_distances())?;
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        let values: Option<Vec<_>> =
            moves.iter().map(|&mv| Some((self.value_after(known, state, mv)?.rank(), mv))).collect();
        values?.into_iter().max_by_key(|(rank, _)| *rank).map(|(_, mv)| mv)
    }

    /// What a move is worth for the side that makes it.
    fn value_after(&self, known: &dyn Probe<G>, state: &G::State, mv: G::Move) -> Option<Value> {
        let mut next = state.clone();
        self.game.play(&mut next, mv);
        let value = match self.game.settled(&next) {
            Some(outcome) => outcome.value_for(self.game.side(&next)),
            None => known.probe(&next)?,
        };
        Some(value.one_ply_earlier_for(self.game.side(state) == self.game.side(&next)))
    }
}

/// Win, draw or loss: the larger, the better.
const fn result(value: Value) -> i32 {
    match value {
        Value::Win(_) => 1,
        Value::Loss(_) => -1,
        Value::Draw | Value::Unknown => 0,
    }
}
