//! Who judges a position: a solution, ending tables, an engine, in this order.

use super::AnnotateRequest;
use crate::adapter::{Adapter, Held};
use crate::search::Means;
use crate::solve::{SolveRequest, SolveView, WorkError, opened_small, search_memory};
use crate::watch::Watch;
use std::time::Duration;
use tabia_core::{Position, Present, Probe, Record, Stop, trust};
use tabia_report::{Source, Verdict, Worth};
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, SearchOptions};
use tabia_solve::SolveError;

/// Bytes for the table of the engine.
const TABLE: usize = 16 << 20;
/// A playout goes to the end of the game: it counts as so many nodes.
const PLAYOUT: u64 = 100;
/// The longest that a puzzle's solver may think about one position.
const PUZZLE_TIME: Duration = Duration::from_secs(5);

/// Everything that is asked about the positions of one game. With one engine for the whole game and one thread, the
/// same game gets the same verdicts every time.
pub(super) struct Judge<'a, G: Present> {
    adapter: &'a Adapter<G>,
    solved: Option<Box<dyn Probe<G>>>,
    endings: Option<Box<dyn Probe<G>>>,
    means: Means<'a, G>,
    engine: AlphaBeta,
    nodes: u64,
    stop: &'a Stop,
}

impl<'a, G: Present> Judge<'a, G> {
    pub(super) fn new(
        adapter: &'a Adapter<G>,
        start: &Position<G>,
        request: &AnnotateRequest,
        stop: &'a Stop,
    ) -> Result<Self, WorkError> {
        let held = adapter.hold(start.clone());
        let watch = Watch { stop, ..Watch::nobody() };
        let small = adapter.common.capabilities.solvers.small.is_some();
        let solved = if small { Some(opened_small(&held, &SolveRequest::default(), &watch)?) } else { None };
        let options = SearchOptions { table_bytes: TABLE, threads: 1, lines: 2, selective: true };
        Ok(Judge {
            adapter,
            solved: solved.map(|table| Box::new(table) as Box<dyn Probe<G>>),
            endings: held.ending_tables(),
            means: held.means(stop),
            engine: AlphaBeta::new(options).map_err(search_memory)?,
            nodes: request.nodes.max(1),
            stop,
        })
    }

    /// What is known about the last position of a record; nothing when the work is to end.
    pub(super) fn verdict(&mut self, record: &Record<G>) -> Result<Option<Verdict<G::Move>>, WorkError> {
        if self.stop.is_stopped() {
            return Ok(None);
        }
        let verdict = match self.known(record)? {
            Some(verdict) => verdict,
            None => self.searched(record),
        };
        trust::check(record.rules()).map_err(SolveError::Game)?;
        Ok((!self.stop.is_stopped()).then_some(verdict))
    }

    /// What a solution or a table knows.
    fn known(&self, record: &Record<G>) -> Result<Option<Verdict<G::Move>>, WorkError> {
        let (rules, state) = (record.rules(), record.state());
        if let Some(solve) = self.adapter.common.capabilities.solvers.puzzle {
            let held = self.adapter.hold(Position { rules: rules.clone(), state: state.clone() });
            let request = SolveRequest { hints: true, time: PUZZLE_TIME, ..SolveRequest::default() };
            let watch = Watch { stop: self.stop, ..Watch::nobody() };
            return Ok(Some(solved_puzzle(&held, &solve(&held, &request, &watch)?)));
        }
        for (probe, source) in [(&self.solved, Source::Exact), (&self.endings, Source::Table)] {
            if let Some(probe) = probe
                && let Some(verdict) = Verdict::of_probe(rules, probe.as_ref(), state, source)?
            {
                return Ok(Some(verdict));
            }
        }
        Ok(None)
    }

    /// What the engine thinks.
    fn searched(&mut self, record: &Record<G>) -> Verdict<G::Move> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        if let Some(report) = self.means.alphabeta(&mut self.engine, record, &limits, &mut |_| ()) {
            return Verdict::of_report(&report);
        }
        let playouts = Limits { nodes: Some((self.nodes / PLAYOUT).max(1)), ..Limits::default() };
        let engine = Mcts::new(MctsOptions { threads: 1, memory: TABLE, ..MctsOptions::default() });
        Verdict::of_report(&engine.search(record, &playouts, self.stop, &mut |_: &_| ()))
    }
}

/// A puzzle's answer as a verdict: solvable is won, unsolvable is lost.
fn solved_puzzle<G: Present>(held: &Held<G>, view: &SolveView) -> Verdict<G::Move> {
    let worth = match view.value {
        "solvable" => Worth::Win(view.distance.and_then(|moves| u16::try_from(moves).ok())),
        "unsolvable" => Worth::Loss(None),
        // The solver gave up.
        _ => Worth::Estimate(0),
    };
    let keeping: Vec<_> = view.moves.iter().filter(|mv| mv.best).collect();
    let first = keeping.first().map(|mv| &mv.text).or(view.line.first());
    let best = first.and_then(|text| held.rules().parse_move(held.state(), text).ok());
    let only = keeping.len() == 1 && view.moves.len() > 1;
    let source = if worth.is_proven() { Source::Exact } else { Source::Engine };
    Verdict { worth, best, only, source }
}
