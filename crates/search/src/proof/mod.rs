//! Proof-number search: can a side force a win?
//!
//! Depth-first proof-number search (df-pn): always works on the position that is cheapest to settle,
//! with all its knowledge in the table. It needs no evaluation and follows narrow wins to great depth.
//!
//! # Repetition
//!
//! A repeated position refutes the attacker's attempt on this path. Proofs never rest on that, so
//! they hold on every path. A refutation may: one that rests on a position above its own is stored
//! under a key that includes the path, and only believed on the same path. So both verdicts are sound,
//! for play in which going round for ever is not a win. The price is that positions with many loops
//! may be searched once for each path.

mod numbers;
mod search;

use crate::limits::Control;
use crate::{Limits, Line, Report, Score, Stop, TableStats};
use search::Prover;
use tabia_core::{Game, Record, Side};
use tabia_table::{Table, TableError};

/// The answer to "can the attacker force a win?".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Yes.
    Proven,
    /// No: the defender can hold out for ever.
    Refuted,
    /// A limit was reached first.
    Unknown,
}

/// What an attempt at a proof came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof<Move> {
    /// The answer.
    pub verdict: Verdict,
    /// When proven: the win takes at most this many plies (a shorter one may exist).
    pub plies: Option<u16>,
    /// A line to the win with a long defence; not always the longest, nor the shortest win;
    /// when refuted or unknown, the first move of the side to move that looks best.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// Time on the clock.
    pub seconds: f64,
    /// How the table served.
    pub table: TableStats,
}

/// A proof-number engine; it keeps its table from one search to the next.
#[derive(Debug)]
pub struct ProofNumber {
    table: Table,
}

impl ProofNumber {
    /// An engine with an empty table of so many bytes.
    pub fn new(table_bytes: usize) -> Result<Self, TableError> {
        Ok(ProofNumber { table: Table::new(table_bytes)? })
    }

    /// Forgets what earlier searches found.
    pub fn clear(&mut self) {
        self.table.clear(1);
    }

    /// Whether `attacker` can force a win from the end of `record`. A depth limit is not used.
    pub fn prove<G: Game>(
        &mut self,
        record: &Record<G>,
        attacker: Side,
        limits: &Limits,
        stop: &Stop,
    ) -> Proof<G::Move> {
        self.table.new_generation();
        let control = Control::new(limits, stop, 1);
        let mut prover = Prover::new(record, &self.table, &control, attacker);
        let (verdict, plies) = prover.run(record.state());
        let line = match verdict {
            Verdict::Proven => prover.line(record.state()),
            _ => prover.likely(record.state()).into_iter().collect(),
        };
        Proof { verdict, plies, line, nodes: prover.nodes, seconds: control.seconds(), table: prover.stats }
    }

    /// The value of the position: tries to prove a win for the side to move, then for the other side.
    /// When both are refuted the position is a draw. Each attempt may use half of the limits.
    pub fn search<G: Game>(&mut self, record: &Record<G>, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let (game, state) = (record.rules(), record.state());
        let us = game.side(state);
        if let Some(outcome) = game.settled(state) {
            return Report::over(Score::from_raw(crate::score::finished(outcome, us, 0), true));
        }
        let half = Limits { time: limits.time.map(|t| t / 2), nodes: limits.nodes.map(|n| n / 2), ..*limits };
        let ours = self.prove(record, us, &half, stop);
        if ours.verdict == Verdict::Proven {
            let score = Score::Win(ours.plies.unwrap_or_default());
            return report(score, false, ours, None);
        }
        let theirs = self.prove(record, us.other(), &half, stop);
        let (score, exact) = match (ours.verdict, theirs.verdict) {
            (_, Verdict::Proven) => (Score::Loss(theirs.plies.unwrap_or_default()), false),
            (Verdict::Refuted, Verdict::Refuted) => (Score::Draw, true),
            _ => (Score::Estimate(0), false),
        };
        report(score, exact, theirs, Some(ours))
    }
}

fn report<M>(score: Score, exact: bool, last: Proof<M>, before: Option<Proof<M>>) -> Report<M> {
    let mut table = last.table;
    let (mut nodes, mut seconds) = (last.nodes, last.seconds);
    if let Some(before) = before {
        table += before.table;
        nodes += before.nodes;
        seconds += before.seconds;
    }
    let depth = last.line.len() as u32;
    Report { lines: vec![Line { moves: last.line, score }], score, exact, depth, nodes, seconds, table }
}
