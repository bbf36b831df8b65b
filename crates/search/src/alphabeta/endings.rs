//! Positions whose exact value is known beforehand: from ending tables, mostly.
//!
//! A value with its distance is as good as a search to the end of the game, as long as no count of plies
//! ends the game first; a search from such a position is over at once, and always plays the quickest win. Of
//! some positions a source tells only who wins: below a root that it does not know that is the best of guesses, but
//! no guide from one won position to the next. Where the root is such a one, the source only rules out the moves that
//! give something away, and in the tree only what it knows exactly counts: draws, and wins with their distances.

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
        if !is_exact(value) && self.game.settled(state).is_none() {
            return (!self.root_is_known).then(|| Found::guess(sign * (SOMEHOW - ply)));
        }
        let in_time = self.path.leaves_time_for(plies);
        in_time.then(|| Found::sure(sign * (WIN - ply - i32::from(plies))))
    }

    /// Where the source knows the root, but not all that follows with distances: keeps the moves that keep the result.
    pub(crate) fn keep_result<R>(
        &mut self,
        state: &G::State,
        roots: &mut Vec<R>,
        mv: impl Fn(&R) -> G::Move,
    ) {
        let Some(known) = self.known else { return };
        let Some(value) = known.probe(state).filter(|_| self.known_move(state).is_none()) else { return };
        self.root_is_known = true;
        let keeps = |root: &R| {
            let after = self.value_after(known, state, mv(root));
            after.is_some_and(|(after, _)| result(after) == result(value))
        };
        if roots.iter().any(keeps) {
            roots.retain(keeps);
        }
    }

    /// The best move where the source knows all that follow, with distances.
    pub(crate) fn known_move(&self, state: &G::State) -> Option<G::Move> {
        let known = self.known?;
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        let ranked = |&mv: &G::Move| {
            let (value, _) = self.value_after(known, state, mv).filter(|(_, exact)| *exact)?;
            Some((value.rank(), mv))
        };
        let values: Option<Vec<_>> = moves.iter().map(ranked).collect();
        values?.into_iter().max_by_key(|(rank, _)| *rank).map(|(_, mv)| mv)
    }

    /// What a move is worth for the side that makes it, and whether the distance is exact.
    fn value_after(&self, known: &dyn Probe<G>, state: &G::State, mv: G::Move) -> Option<(Value, bool)> {
        let mut next = state.clone();
        self.game.play(&mut next, mv);
        let (value, exact) = match self.game.settled(&next) {
            Some(outcome) => (outcome.value_for(self.game.side(&next)), true),
            None => known.probe(&next).map(|value| (value, is_exact(value)))?,
        };
        Some((value.one_ply_earlier_for(self.game.side(state) == self.game.side(&next)), exact))
    }
}

/// Whether an answer about a position that is not over has its distance: see [`Probe::probe`].
const fn is_exact(value: Value) -> bool {
    !matches!(value, Value::Win(0) | Value::Loss(0))
}

/// Win, draw or loss: the larger, the better.
const fn result(value: Value) -> i32 {
    match value {
        Value::Win(_) => 1,
        Value::Loss(_) => -1,
        Value::Draw | Value::Unknown => 0,
    }
}
