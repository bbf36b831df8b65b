//! Alpha-beta: iterative deepening, principal variation search, a shared table, Lazy SMP.
//!
//! # What makes a proven score a proof
//!
//! Every node returns a value together with what it rests on (`Found`):
//!
//! - **the path**: the lowest ply whose position made a repetition count as a draw. Only the moves the
//!   bound rests on are counted: the one that refuted, or all of them when none was good enough. A
//!   value that rests on a position above its own is true on this path only and stays out of the
//!   table, or is kept there as a guess where the search prunes on guesses anyway. Wins and losses never
//!   rest on a repetition (the winner has no use for one), so they are stored always. This solves the
//!   graph-history interaction.
//! - **estimates**: whether some leaf was guessed. A bound without any is true for ever, at any depth;
//!   a 0 without any is a proven draw.
//! - **selectivity**: whether something was pruned or reduced on a guess. Pruning may hide a win but
//!   never makes one up (a passed turn never returns a win), so wins stay proofs, but a shorter one may
//!   have been missed. When a pruned search finds a win or loss, it is confirmed without pruning.
//!
//! A full-width search of depth `n` therefore finds exactly the wins and losses of up to `n` plies.

mod busy;
mod deepening;
mod endings;
mod memo;
mod node;
mod order;
mod question;
mod quiescence;
mod selective;
#[cfg(test)]
mod simulated;
mod stages;
mod together;
mod wins;
mod worker;

use crate::limits::{Control, FinishOnDrop};
use crate::score::finished;
use crate::{Limits, Report, Score, Stop};
use busy::Busy;
use order::Learnt;
use tabia_core::{Evaluate, Record, threads};
use tabia_table::{Table, TableError};
pub(crate) use worker::Worker;

pub use question::Question;

/// The deepest ply of a search.
pub(crate) const MAX_PLY: usize = 250;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Bytes of the table; 0 for none.
    pub table_bytes: usize,
    /// Threads to use; at least one is.
    pub threads: usize,
    /// How many best lines to find.
    pub lines: usize,
    /// Whether to prune on guesses, in games that allow it. Without, every iteration is full-width.
    pub selective: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions { table_bytes: 64 << 20, threads: 1, lines: 1, selective: true }
    }
}

/// An alpha-beta engine; it keeps its table from one search to the next.
#[derive(Debug)]
pub struct AlphaBeta {
    options: SearchOptions,
    table: Option<Table>,
    weights: Vec<i32>,
    /// What its threads have learnt about the order of moves.
    learnt: Learnt,
    /// Passed from thread to thread, where they are to take turns.
    #[cfg(test)]
    baton: Option<simulated::Baton>,
}

impl AlphaBeta {
    /// An engine with an empty table.
    pub fn new(options: SearchOptions) -> Result<Self, TableError> {
        let threads = options.threads.max(1);
        let table = match options.table_bytes {
            0 => None,
            bytes => Some(Table::new(bytes)?),
        };
        Ok(AlphaBeta {
            options: SearchOptions { threads, lines: options.lines.max(1), ..options },
            table,
            weights: Vec::new(),
            learnt: Learnt::default(),
            #[cfg(test)]
            baton: None,
        })
    }

    /// From now on weighs the terms of the evaluation anew: hundredths, in the order of
    /// [`Evaluate::terms`]; none at all: as they are. What was found before must be forgotten.
    pub fn weigh(&mut self, percent: Vec<i32>) {
        self.weights = percent;
        self.clear();
    }

    /// How it searches.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// Finds so many best lines from now on.
    pub fn set_lines(&mut self, lines: usize) {
        self.options.lines = lines.max(1);
    }

    /// Forgets what earlier searches found.
    pub fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear(self.options.threads);
        }
        self.learnt.clear();
    }

    /// The share of the table that the last search filled.
    pub fn fill_rate(&self) -> f64 {
        self.table.as_ref().map_or(0.0, Table::fill_rate)
    }

    /// Searches the position at the end of `record`; `progress` hears of every finished iteration.
    pub fn search<G: Evaluate>(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &Stop,
        progress: impl FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.ask(record, &Question::default(), limits, stop, progress)
    }

    /// The same for any question. A panic of the rules in any thread is a panic of the search.
    pub fn ask<G: Evaluate>(
        &mut self,
        record: &Record<G>,
        question: &Question<'_, G>,
        limits: &Limits,
        stop: &Stop,
        mut progress: impl FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let (game, state) = (record.rules(), record.state());
        if let Some(outcome) = game.settled(state) {
            return Report::over(Score::from_raw(finished(outcome, game.side(state), 0), true));
        }
        self.learnt.fit(game.move_slots(), game.move_kinds());
        let table = self.table.as_ref();
        table.inspect(|table| table.new_generation());
        let threads = self.options.threads;
        let control = Control::new(limits, stop, threads);
        let busy = (threads > 1).then(Busy::new);
        let Question { known, judges, among, only_wins } = *question;
        let worker = |id| {
            let worker = Worker::new(record, table, &control, &self.options, id);
            let judge = judges.map(|judges| judges.judge());
            let Learnt { history, answers, plans, schemes } = self.learnt.clone();
            #[cfg(test)]
            let worker = Worker { baton: self.baton.as_ref(), ..worker };
            let (busy, weights) = (busy.as_ref(), self.weights.as_slice());
            Worker {
                known,
                judge,
                among,
                only_wins,
                busy,
                weights,
                history,
                answers,
                plans,
                schemes,
                ..worker
            }
        };
        let deepen = |id, progress: &mut dyn FnMut(&Report<G::Move>)| {
            #[cfg(test)]
            let _done = self.baton.as_ref().map(|baton| baton.begin(id));
            // Whoever is first has finished for all.
            let _all = FinishOnDrop(&control);
            worker(id).deepen(state, limits, progress)
        };
        let helper = |helper| deepen(helper + 1, &mut |_| ());
        let mut told = 0;
        let mut tell = |report: &Report<G::Move>| {
            told = report.depth;
            progress(report);
        };
        let (own, others) = threads::beside(threads - 1, helper, || deepen(0, &mut tell));
        let mut report = others.into_iter().fold(own, better);
        report.seconds = control.seconds();
        // Another thread was first: what it found has not been told yet.
        if report.depth > told {
            progress(&report);
        }
        report
    }
}

/// The better of two threads' reports: exact before guessed, then the deeper, then the longer line (a thread may have been
/// stopped while it played a win out); with all the work counted.
fn better<M>(a: Report<M>, b: Report<M>) -> Report<M> {
    let nodes = a.nodes + b.nodes;
    let mut table = a.table;
    table += b.table;
    let line = |r: &Report<M>| r.lines.first().map_or(0, |line| line.moves.len());
    let rank = |r: &Report<M>| (r.exact, r.score.is_proven(), r.depth, line(r));
    let best = if rank(&b) > rank(&a) { b } else { a };
    Report { nodes, table, ..best }
}
