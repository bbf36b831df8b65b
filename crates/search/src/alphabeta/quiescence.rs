//! Below the last ply: noisy moves are played out, so that no position is judged in mid-capture.

use super::MAX_PLY;
use super::memo::Bound;
use super::node::{Doubt, Found, Node};
use super::order::{NOISY, Waiting, pick};
use super::worker::Worker;
use crate::score::{WIN, finished, is_loss};
use tabia_core::Evaluate;

/// After this many plies a position is judged as it stands.
const LONGEST: usize = 32;

/// Quiet moves to resolve something are not tried beyond this many, if one of them does not lose.
const EVASIONS: usize = 3;

/// A capture is not expected to be worth more than what it takes and this.
const SURPRISE: i32 = 260;

impl<G: Evaluate> Worker<'_, G> {
    /// The value of a position within a window, looking only at noisy moves (at all moves where the
    /// side to move must resolve something, which the caller may know: then a loss found here is a proof).
    pub(crate) fn quiescence(
        &mut self,
        state: &G::State,
        alpha: i32,
        beta: i32,
        deep: usize,
        must_resolve: Option<bool>,
    ) -> Found {
        let ply = self.path.ply();
        if let Some(outcome) = self.game.settled(state) {
            return Found::sure(finished(outcome, self.game.side(state), ply));
        }
        // The quickest win is yet to be played.
        if alpha >= WIN - 1 - ply as i32 {
            return Found::sure(alpha);
        }
        let too_deep = deep >= LONGEST || ply >= MAX_PLY;
        let (must_resolve, fixed) = self.judge_meanwhile(state, must_resolve);
        let must_resolve = must_resolve.unwrap_or_else(|| self.game.must_resolve(state)) && !too_deep;
        let mut node = Node {
            key: self.game.key(state),
            depth: 0,
            alpha,
            beta,
            memo: None,
            fixed,
            believed: None,
            must_resolve,
            improving: false,
            tabled: self.least_tabled() == 0,
            longer: 0,
            refuted: false,
            lowered: false,
        };
        if node.tabled {
            node.memo = self.recall(node.key);
            let answer = node.memo.filter(|_| !node.open());
            if let Some(found) = answer.and_then(|memo| memo.answer(0, alpha, beta, ply, true)) {
                return found;
            }
        }
        let mut best = Found::NOTHING;
        if !must_resolve {
            best = Found::guess(self.standing(state, &mut node));
            if best.value >= beta || too_deep {
                return best;
            }
        }
        let (first_move, first_waiting) = (self.moves.len(), self.waiting.len());
        if must_resolve {
            self.game.moves(state, &mut self.moves);
        } else {
            self.game.noisy_moves(state, &mut self.moves);
        }
        let least = if must_resolve { i32::MIN } else { alpha - best.value - SURPRISE };
        self.rank_forcing(state, first_move, must_resolve, least);
        let found = self.try_noisy(state, &node, best, (first_move, first_waiting), deep);
        self.moves.truncate(first_move);
        self.waiting.truncate(first_waiting);
        // What a search found is worth more than this.
        if node.tabled && !self.stopped && node.memo.is_none_or(|memo| memo.depth == 0) {
            self.remember(&node, found, bound_of(&node, found), None);
        }
        found
    }

    /// What the position is worth if nothing more is taken: as the table says, where it says more than a judge can.
    #[inline]
    fn standing(&mut self, state: &G::State, node: &mut Node) -> i32 {
        if !node.tabled {
            return self.evaluate_within(state, node.alpha, node.beta);
        }
        let known = node.fixed.or(node.memo.and_then(|memo| memo.fixed));
        let judged = known.unwrap_or_else(|| self.evaluate(state));
        node.fixed = Some(judged);
        let judged = self.believed(judged);
        node.memo.and_then(|memo| memo.better(judged)).unwrap_or(judged)
    }

    /// Lists the moves found but for those that cannot gain enough, or all where something must be resolved.
    #[inline]
    fn rank_forcing(&mut self, state: &G::State, first: usize, all: bool, least: i32) {
        for number in 0..self.moves.len() - first {
            let mv = self.moves[first + number];
            let noisy = !all || self.game.is_noisy(state, mv);
            let promise = self.game.move_promise(state, mv);
            if all || self.game.most_gain(state, mv) >= least {
                let urgency = promise.clamp(-50_000, 50_000) + if noisy { NOISY } else { 0 };
                self.waiting.push(Waiting::new(urgency, number as u16, noisy));
            }
        }
    }

    /// Tries them in order, but for those that lose by an exchange, unless something must be resolved.
    fn try_noisy(
        &mut self,
        state: &G::State,
        node: &Node,
        mut best: Found,
        (first_move, first_waiting): (usize, usize),
        deep: usize,
    ) -> Found {
        let (side, beta) = (self.game.side(state), node.beta);
        for i in 0..self.waiting.len() - first_waiting {
            let waiting = pick(&mut self.waiting[first_waiting..], i);
            if self.selective && !waiting.noisy && i >= EVASIONS && !is_loss(best.value) {
                best.doubt = best.doubt.or(Doubt::PRUNED);
                break;
            }
            let mv = self.moves[first_move + usize::from(waiting.number)];
            if !node.must_resolve && !self.game.gains(state, mv, 0) {
                continue;
            }
            let mut child = state.clone();
            self.game.play(&mut child, mv);
            let key = self.game.key(&child);
            self.fetch(key, 0);
            self.enter(key, self.game.is_progress(state, mv));
            let alpha = node.alpha.max(best.value);
            let found = if self.game.side(&child) == side {
                self.quiescence(&child, alpha, beta, deep + 1, None)
            } else {
                self.quiescence(&child, -beta, -alpha, deep + 1, None).negated()
            };
            self.leave();
            if self.stopped {
                break;
            }
            best.absorb(found, beta);
            if best.value >= beta {
                break;
            }
        }
        best
    }
}

/// On which side of the true value a result within a window is.
fn bound_of(node: &Node, found: Found) -> Bound {
    if found.value >= node.beta {
        Bound::Lower
    } else if found.value > node.alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}
