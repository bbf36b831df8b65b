//! What threads tell each other while they search the same tree, by way of the table.
//!
//! - A node that another thread has answered is left at once, from wherever below it this thread is.
//! - On the principal variation, whatever raises the lower end of the window is told at once: other threads at the
//!   same node would otherwise search its other moves for values that are of no use any more. (A move that is being searched for
//!   less is searched to its end: to begin it anew costs more.)
//! - At the root it is the same, so that all threads begin the next iteration with the first that has finished one.
//!
//! A node of the principal variation believes only what the present search has found: what an earlier one did knows
//! nothing of the positions that have been played since. One thread alone does none of this.

use super::memo::{Bound, Memo};
use super::node::{Doubt, Found, Node};
use super::stages::SHARED_DEPTH;
use super::worker::Worker;
use crate::score::is_decided;
use tabia_core::{Evaluate, Key};

/// A node that this thread is searching, and that others may answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    key: Key,
    depth: i32,
    alpha: i32,
    beta: i32,
    ply: usize,
    /// What is known to be reached by now: `alpha` or more.
    reached: i32,
}

impl Asked {
    fn new(key: Key, depth: i32, (alpha, beta): (i32, i32), ply: usize) -> Self {
        Asked { key, depth, alpha, beta, ply, reached: alpha }
    }

    const fn open(&self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// What another thread has found about one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) ply: usize,
    pub(crate) found: Found,
    /// The move that it rests on, if it does on one.
    pub(crate) by: Option<u16>,
    /// Whether it is all that was asked, and not only more than was reached by now.
    pub(crate) whole: bool,
}

impl<G: Evaluate> Worker<'_, G> {
    /// Whether other threads may help with a node.
    #[inline]
    pub(crate) fn is_shared(&self, node: &Node) -> bool {
        self.takes_answers(node.depth) && node.tabled
    }

    /// Whether threads take each other's answers at this depth. A full-width search proves what it says: there each thread goes to the
    /// end of what it has begun.
    #[inline]
    fn takes_answers(&self, depth: i32) -> bool {
        self.busy.is_some() && self.selective && depth >= SHARED_DEPTH
    }

    /// What another thread has found about a node of the principal variation.
    pub(crate) fn heard_of(
        &mut self,
        state: &G::State,
        key: Key,
        depth: i32,
        (alpha, beta): (i32, i32),
    ) -> Option<Found> {
        if !self.takes_answers(depth) {
            return None;
        }
        let answer = self.answer_to(&Asked::new(key, depth, (alpha, beta), self.path.ply()))?;
        self.line_from_table(state, answer.found, depth);
        Some(answer.found)
    }

    /// From now on others may answer the node at hand.
    pub(crate) fn begin_asking(&mut self, node: &Node) {
        self.asked.push(Asked::new(node.key, node.depth, (node.alpha, node.beta), self.path.ply()));
    }

    pub(crate) fn end_asking(&mut self) {
        self.asked.pop();
    }

    /// Searches a node that others may answer meanwhile.
    pub(crate) fn try_together(&mut self, state: &G::State, node: &Node) -> Found {
        self.begin_asking(node);
        let found = self.try_in_turn(state, node);
        self.end_asking();
        let Some(answer) = self.take_answer() else { return found };
        if node.open() {
            self.line_from_table(state, answer.found, node.depth);
        }
        answer.found
    }

    /// What ended the search below the node at hand, if it was an answer to this node: the search goes on from here.
    pub(crate) fn take_answer(&mut self) -> Option<Answer> {
        let ply = self.path.ply();
        let answer = self.answered.take_if(|answer| answer.ply == ply)?;
        self.stopped = false;
        Some(answer)
    }

    /// Looks whether any node on the path has been answered: then all below it is given up.
    pub(crate) fn give_up_answered(&mut self) {
        if self.stopped {
            return;
        }
        if let Some(answer) = self.asked.iter().find_map(|asked| self.answer_to(asked)) {
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
        match self.news_here() {
            Some(answer) if answer.whole => {
                (self.answered, self.stopped) = (Some(answer), true);
                true
            }
            Some(answer) => {
                best.absorb(answer.found, node.beta);
                *best_number = answer.by;
                self.reach(best.value);
                self.line_from_table(state, answer.found, node.depth);
                false
            }
            None => false,
        }
    }

    /// A better value is known of the node at hand.
    pub(crate) fn reach(&mut self, value: i32) {
        if let Some(asked) = self.asked.last_mut() {
            asked.reached = asked.reached.max(value);
        }
    }

    /// What others have found about the node at hand: the answer, or more than was reached by now.
    pub(crate) fn news_here(&self) -> Option<Answer> {
        let asked = self.asked.last()?;
        self.answer_to(asked).or_else(|| if asked.open() { self.told(asked) } else { None })
    }

    /// Tells the others that a node of the principal variation is worth more than it seemed.
    pub(crate) fn tell(&mut self, node: &Node, best: Found, number: Option<u16>) {
        let &Node { key, depth, beta, .. } = node;
        self.reach(best.value);
        if self.told(&Asked::new(key, depth, (best.value - 1, beta), self.path.ply())).is_none() {
            self.remember(node, best, Bound::Lower, number);
        }
    }

    fn answer_to(&self, asked: &Asked) -> Option<Answer> {
        let memo = if asked.open() {
            self.recall_fresh(asked.key)
        } else {
            self.table?.probe(asked.key).map(Memo::read)
        }?;
        let found = memo.answer(asked.depth, asked.alpha, asked.beta, asked.ply, self.selective)?;
        Some(Answer { ply: asked.ply, found, by: memo.best, whole: true })
    }

    /// What the present search has found a node to be worth at least, if that is more than was reached but no answer,
    /// and by which move.
    fn told(&self, asked: &Asked) -> Option<Answer> {
        // A win that a shallower search has found is one, but what is as deep as asked may find a quicker one.
        let memo =
            self.recall_fresh(asked.key).filter(|memo| memo.says_at_least() && memo.depth >= asked.depth)?;
        let above = (asked.reached, asked.reached + 1);
        let found = memo.answer(asked.depth, above.0, above.1, asked.ply, self.selective)?;
        // That it is no more than this is not known, whatever the other moves come to.
        let found = Found { doubt: found.doubt.or(Doubt::ESTIMATE), ..found };
        let by = Some(memo.best?);
        (found.value > asked.reached && found.value < asked.beta).then_some(Answer {
            ply: asked.ply,
            found,
            by,
            whole: false,
        })
    }

    fn recall_fresh(&self, key: Key) -> Option<Memo> {
        self.table?.probe_fresh(key).map(Memo::read)
    }

    /// The best line from here is one that another thread has found: as much of it as is in the table. To a win or loss it is
    /// the first move alone, because those after it may not be the quickest.
    pub(crate) fn line_from_table(&mut self, state: &G::State, found: Found, depth: i32) {
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
