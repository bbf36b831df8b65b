//! One thread's part of a search: its own buffers, counters and ordering knowledge.

use super::busy::Busy;
use super::memo::{Bound, Memo};
use super::node::{Found, Node};
use super::order::{Continuation, History, NO_KIND, Waiting};
use super::together::{Answer, Asked};
use super::{MAX_PLY, SearchOptions};
use crate::TableStats;
use crate::limits::Control;
use crate::path::Path;
use crate::score::LEAST_WIN;
use tabia_core::{Evaluate, Judge, Key, Probe, Record, Side};
use tabia_table::Table;

/// Threads that share what they learn, learn from nodes of this depth on.
const LEARNT_TOGETHER: i32 = 3;

/// A searching thread. Moves of all plies share one buffer, used as a stack: nothing is allocated
/// per node.
#[allow(clippy::struct_excessive_bools)] // facts that have nothing to do with each other
pub(crate) struct Worker<'a, G: Evaluate> {
    pub(crate) game: &'a G,
    pub(crate) table: Option<&'a Table>,
    pub(crate) control: &'a Control,
    pub(crate) options: &'a SearchOptions,
    /// Exact values of some positions.
    pub(crate) known: Option<&'a dyn Probe<G>>,
    /// Judges positions in place of the game.
    pub(crate) judge: Option<Box<dyn Judge<G> + 'a>>,
    /// Whether they include the root: then who wins somewhere below it is no guide, without how soon.
    pub(crate) root_is_known: bool,
    /// The only moves to consider at the root, where there are any.
    pub(crate) among: &'a [G::Move],
    /// Whether nothing but a win is asked for.
    pub(crate) only_wins: bool,
    /// What other threads are doing, if there are any.
    pub(crate) busy: Option<&'a Busy>,
    /// Hundredths of the terms of the evaluation; empty: as they are.
    pub(crate) weights: &'a [i32],
    pub(crate) id: usize,
    pub(crate) path: Path,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) waiting: Vec<Waiting>,
    pub(crate) killers: Vec<[Option<G::Move>; 2]>,
    pub(crate) history: History,
    /// How moves have served after the opponent's last one, after the own one before it, and after the own one before that.
    pub(crate) answers: Continuation,
    pub(crate) plans: Continuation,
    pub(crate) schemes: Continuation,
    /// The kind of the move that led to each ply.
    pub(crate) kinds: Vec<u16>,
    /// Who made that move and its slot, where it was a quiet one.
    pub(crate) quiet: Vec<Option<(Side, usize)>>,
    /// The static value at each ply, where it was computed.
    pub(crate) fixed: Vec<Option<i32>>,
    pub(crate) lines: Vec<Vec<G::Move>>,
    pub(crate) nodes: u64,
    pub(crate) next_check: u64,
    /// A budget for the present iteration alone.
    pub(crate) budget: u64,
    pub(crate) stopped: bool,
    /// The nodes on the path that other threads may answer.
    pub(crate) asked: Vec<Asked>,
    /// The answer to one of them: `stopped` until that node is reached.
    pub(crate) answered: Option<Answer>,
    /// Whether to prune on guesses now.
    pub(crate) selective: bool,
    /// The depth of the present iteration, which bounds extensions.
    pub(crate) depth: i32,
    pub(crate) stats: TableStats,
    /// What the next node is told by the one above it: see [`Node::refuted`].
    pub(crate) expect_refuted: bool,
    #[cfg(test)]
    pub(crate) baton: Option<&'a super::simulated::Baton>,
}

impl<'a, G: Evaluate> Worker<'a, G> {
    pub(crate) fn new(
        record: &'a Record<G>,
        table: Option<&'a Table>,
        control: &'a Control,
        options: &'a SearchOptions,
        id: usize,
    ) -> Self {
        let game = record.rules();
        Worker {
            game,
            table,
            control,
            options,
            known: None,
            judge: None,
            root_is_known: false,
            among: &[],
            only_wins: false,
            busy: None,
            weights: &[],
            id,
            path: Path::new(record),
            moves: Vec::with_capacity(4096),
            waiting: Vec::with_capacity(4096),
            killers: vec![[None; 2]; MAX_PLY + 2],
            history: History::default(),
            answers: Continuation::default(),
            plans: Continuation::default(),
            schemes: Continuation::default(),
            kinds: vec![NO_KIND; MAX_PLY + 4],
            quiet: vec![None; MAX_PLY + 4],
            fixed: vec![None; MAX_PLY + 2],
            lines: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            next_check: 0,
            budget: u64::MAX,
            stopped: false,
            asked: Vec::new(),
            answered: None,
            selective: options.selective && game.allows_reductions(),
            depth: 0,
            stats: TableStats::default(),
            expect_refuted: false,
            #[cfg(test)]
            baton: None,
        }
    }

    /// Goes on to a position: counts it and looks at the clock now and then.
    #[inline]
    pub(crate) fn enter(&mut self, key: Key, progress: bool) {
        self.path.push(key, progress);
        self.count();
    }

    /// Goes on to the position after a pass.
    pub(crate) fn enter_passed(&mut self, key: Key) {
        self.path.push_pass(key);
        self.count();
    }

    #[inline]
    fn count(&mut self) {
        self.nodes += 1;
        #[cfg(test)]
        self.baton.inspect(|baton| baton.count(self.id, self.nodes));
        if self.nodes >= self.next_check {
            self.look_up();
        }
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// Looks at the clock and the stop switch.
    #[cold]
    pub(crate) fn look_up(&mut self) {
        match self.control.next_check(self.nodes) {
            Some(next) if self.nodes < self.budget => self.next_check = next.min(self.budget),
            _ => (self.stopped, self.answered) = (true, None),
        }
        self.give_up_answered();
    }

    #[inline]
    pub(crate) fn evaluate(&mut self, state: &G::State) -> i32 {
        if let Some(judge) = &mut self.judge {
            let value = judge.judge(state, self.path.ply(), self.path.before());
            return value.clamp(1 - LEAST_WIN, LEAST_WIN - 1);
        }
        if !self.weights.is_empty() {
            return self.evaluate_weighed(state);
        }
        self.game.evaluate(state).clamp(1 - LEAST_WIN, LEAST_WIN - 1)
    }

    /// Kept out of the way of the plain evaluation: it is for measuring terms only.
    #[cold]
    #[inline(never)]
    fn evaluate_weighed(&self, state: &G::State) -> i32 {
        self.game.evaluate_weighed(state, self.weights).clamp(1 - LEAST_WIN, LEAST_WIN - 1)
    }

    /// The value of a position, exact only inside the window.
    #[inline]
    pub(crate) fn evaluate_within(&mut self, state: &G::State, low: i32, high: i32) -> i32 {
        if self.judge.is_some() || !self.weights.is_empty() {
            return self.evaluate(state);
        }
        self.game.evaluate_within(state, low, high).clamp(1 - LEAST_WIN, LEAST_WIN - 1)
    }

    /// Asks the memory for what the table has of a position that will be searched to this depth.
    #[inline]
    pub(crate) fn fetch(&self, key: Key, depth: i32) {
        if let Some(table) = self.table
            && depth >= self.least_tabled()
        {
            table.prefetch(key);
        }
    }

    #[inline]
    pub(crate) fn recall(&mut self, key: Key) -> Option<Memo> {
        let table = self.table?;
        self.stats.probes += 1;
        let entry = table.probe(key)?;
        self.stats.hits += 1;
        Some(Memo::read(entry))
    }

    /// Puts what a node found into the table.
    #[inline]
    pub(crate) fn remember(&mut self, node: &Node, found: Found, bound: Bound, best: Option<u16>) {
        let Some(table) = self.table else { return };
        let best = best.or(node.memo.and_then(|memo| memo.best));
        let memo = Memo::of(node, found, bound, self.path.ply(), best, self.selective);
        // A mere move is no reason to forget a bound.
        if memo.bound == Bound::None && node.memo.is_some_and(|old| old.bound != Bound::None) {
            return;
        }
        self.stats.stores += 1;
        table.store(node.key, memo.depth as u8, memo.payload());
    }

    /// Whether nothing is learnt from a node of this depth: where all threads write to the same memory, the many small
    /// ones teach less than the writing costs.
    #[inline]
    fn leaves_no_mark(&self, depth: i32) -> bool {
        self.busy.is_some() && depth < LEARNT_TOGETHER
    }

    /// A quiet move refuted the last one: remember it, and that those tried before it did not.
    pub(crate) fn reward(
        &mut self,
        state: &G::State,
        side: Side,
        first: usize,
        tried: &[Waiting],
        depth: i32,
    ) {
        let Some((refuted, earlier)) = tried.split_last() else { return };
        if refuted.noisy {
            return;
        }
        let bonus = (160 * depth - 80).min(1800);
        let mv = self.moves[first + usize::from(refuted.number)];
        let killers = &mut self.killers[self.path.ply()];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if self.leaves_no_mark(depth) {
            return;
        }
        self.credit(state, side, mv, bonus);
        for waiting in earlier.iter().filter(|waiting| !waiting.noisy) {
            let mv = self.moves[first + usize::from(waiting.number)];
            self.credit(state, side, mv, -bonus);
        }
    }

    /// Remembers how a quiet move served: by itself, after the move before it, and after the own one before that.
    fn credit(&mut self, state: &G::State, side: Side, mv: G::Move, by: i32) {
        self.history.update(side, self.game.move_slot(state, mv), by);
        self.continues(self.path.ply(), self.game.move_kind(state, mv), by);
    }

    /// `side` has no move that is good enough: if the last one was a quiet one of the other side, it served well.
    pub(crate) fn reward_last(&mut self, side: Side, depth: i32) {
        let ply = self.path.ply();
        let Some((other, slot)) = self.quiet[ply].filter(|&(other, _)| ply > 0 && other != side) else {
            return;
        };
        if self.leaves_no_mark(depth) {
            return;
        }
        let (kind, by) = (usize::from(self.kinds[ply]), (100 * depth).min(1200));
        self.history.update(other, slot, by);
        self.continues(ply - 1, kind, by);
    }

    /// Remembers how a kind of move served after those before it.
    fn continues(&mut self, ply: usize, kind: usize, by: i32) {
        let [earlier, own, other] = self.before(ply);
        self.answers.update(other, kind, by);
        self.plans.update(own, kind, by);
        self.schemes.update(earlier, kind, by);
    }

    /// The kinds of moves that led to a ply: the two last ones of the side to move, then the other side's last one. A full-width
    /// search does not ask: what refutes there is not what refutes a good move.
    #[inline]
    pub(crate) fn before(&self, ply: usize) -> [u16; 3] {
        if !self.selective {
            return [NO_KIND; 3];
        }
        let back = |plies| if ply > plies { self.kinds[ply - plies] } else { NO_KIND };
        [back(3), back(1), self.kinds[ply]]
    }

    /// The best line from here: this move, then the best line after it.
    pub(crate) fn set_line(&mut self, mv: G::Move) {
        let ply = self.path.ply();
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        if let (Some(line), Some(rest)) = (head.last_mut(), tail.first()) {
            line.clear();
            line.push(mv);
            line.extend_from_slice(rest);
        }
    }
}
