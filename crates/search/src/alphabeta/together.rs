//! What threads tell each other while they search the same tree, by way of the table.
//!
//! - A node that another thread has answered is left at once, from wherever below it this thread is.
//! - On the principal variation, whatever raises the lower end of the window is told at once: other threads at the
//!   same node would otherwise search its other moves for values that are of no use any more.
//!
//! A node of the principal variation believes only what the present search has found: what an earlier one did knows
//! nothing of the positions that have been played since. One thread alone does none of this.

use super::memo::{Bound, Memo};
use super::node::{Found, Node};
use super::worker::Worker;
use crate::score::is_decided;
use tabia_core::{Evaluate, Key};

/// Nodes of less depth are done before another thread could help.
const ASKED_AGAIN: i32 = 4;

/// A node that this thread is searching, and that others may answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    key: Key,
    depth: i32,
    alpha: i32,
    beta: i32,
    ply: usize,
}

/// What another thread has found about one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    ply: usize,
    found: Found,
}

impl<G: Evaluate> Worker<'_, G> {
    /// Whether other threads may help with a node.
    #[inline]
    pub(crate) fn is_shared(&self, node: &Node) -> bool {
        self.busy.is_some() && node.depth >= ASKED_AGAIN && node.tabled
    }

    /// What another thread has found about a node of the principal variation.
    pub(crate) fn heard_of(
        &mut self,
        state: &G::State,
        key: Key,
        depth: i32,
        (alpha, beta): (i32, i32),
    ) -> Option<Found> {
        if self.busy.is_none() || depth < ASKED_AGAIN {
            return None;
        }
        let found = self.answer_to(Asked { key, depth, alpha, beta, ply: self.path.ply() })?;
        self.line_from_table(state, found, depth);
        Some(found)
    }

    /// Searches a node that others may answer meanwhile.
    pub(crate) fn try_together(&mut self, state: &G::State, node: &Node) -> Found {
        let &Node { key, depth, alpha, beta, .. } = node;
        let asked = Asked { key, depth, alpha, beta, ply: self.path.ply() };
        self.asked.push(asked);
        let found = self.try_in_turn(state, node);
        self.asked.pop();
        match self.answered {
            Some(answer) if answer.ply == asked.ply => {
                (self.answered, self.stopped) = (None, false);
                if node.open() {
                    self.line_from_table(state, answer.found, depth);
                }
                answer.found
            }
            _ => found,
        }
    }

    /// Looks whether any node on the path has been answered: then all below it is given up.
    pub(crate) fn give_up_answered(&mut self) {
        let first = self
            .asked
            .iter()
            .find_map(|&asked| Some(Answer { ply: asked.ply, found: self.answer_to(asked)? }));
        if let Some(answer) = first.filter(|_| !self.stopped) {
            (self.answered, self.stopped) = (Some(answer), true);
        }
    }

    /// Looks whether the node at hand has been answered, or is worth more than this thread knows. Whether it was answered.
    pub(crate) fn hear(
        &mut self,
        state: &G::State,
        node: &Node,
        best: &mut Found,
        best_number: &mut Option<u16>,
    ) -> bool {
        let Some(&asked) = self.asked.last() else { return false };
        if let Some(found) = self.answer_to(asked) {
            (self.answered, self.stopped) = (Some(Answer { ply: asked.ply, found }), true);
            return true;
        }
        if node.open()
            && let Some((found, number)) = self.told(Asked { alpha: best.value.max(node.alpha), ..asked })
        {
            best.absorb(found, node.beta);
            *best_number = Some(number);
            self.line_from_table(state, found, node.depth);
        }
        false
    }

    /// Tells the others that a node of the principal variation is worth more than it seemed.
    pub(crate) fn tell(&mut self, node: &Node, best: Found, number: Option<u16>) {
        let &Node { key, depth, beta, .. } = node;
        let known = self.told(Asked { key, depth, alpha: best.value - 1, beta, ply: self.path.ply() });
        if known.is_none() {
            self.remember(node, best, Bound::Lower, number);
        }
    }

    fn answer_to(&self, asked: Asked) -> Option<Found> {
        let open = asked.beta - asked.alpha > 1;
        let memo =
            if open { self.recall_fresh(asked.key) } else { self.table?.probe(asked.key).map(Memo::read) };
        memo?.answer(asked.depth, asked.alpha, asked.beta, asked.ply, self.selective)
    }

    /// What the present search has found a node to be worth at least, if that is more than `asked.alpha` but no answer,
    /// and by which move.
    fn told(&self, asked: Asked) -> Option<(Found, u16)> {
        let memo = self.recall_fresh(asked.key).filter(Memo::says_at_least)?;
        let found = memo.answer(asked.depth, asked.alpha, asked.alpha + 1, asked.ply, self.selective)?;
        (found.value > asked.alpha && found.value < asked.beta).then_some((found, memo.best?))
    }

    fn recall_fresh(&self, key: Key) -> Option<Memo> {
        self.table?.probe_fresh(key).map(Memo::read)
    }

    /// The best line from here is one that another thread has found: as much of it as is in the table. To a win or loss it is
    /// the first move alone, because those after it may not be the quickest.
    fn line_from_table(&mut self, state: &G::State, found: Found, depth: i32) {
        let most = if is_decided(found.value) { 1 } else { depth };
        let ply = self.path.ply();
        let mut line = std::mem::take(&mut self.lines[ply]);
        line.clear();
        let (mut state, first) = (state.clone(), self.moves.len());
        while (line.len() as i32) < most
            && let Some(number) = self.recall_fresh(self.game.key(&state)).and_then(|memo| memo.best)
        {
            self.game.moves(&state, &mut self.moves);
            let mv = self.moves.get(first + usize::from(number)).copied();
            self.moves.truncate(first);
            let Some(mv) = mv else { break };
            line.push(mv);
            self.game.play(&mut state, mv);
        }
        self.lines[ply] = line;
    }
}
