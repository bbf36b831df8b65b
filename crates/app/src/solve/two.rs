//! Games for two: a table, the strong solver, proof-number search, or full-width alpha-beta.

use super::{SolveRequest, SolveView, SolvedMove, WorkError, refuse_puzzle_options, unknown_method};
use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::watch::Watch;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tabia_core::threads::OnPanic;
use tabia_core::{Present, Probe, Progress, Value, trust};
use tabia_search::{AlphaBeta, Limits, ProofNumber, Report, Score};
use tabia_solve::strong::{self, Patience, StrongOptions};
use tabia_solve::{KeyedTable, SolveError, lines};

/// A proof whose distance is a bound gets at least this much time for the exact one.
const SHORT: Duration = Duration::from_secs(1);
/// Lines longer than this are cut.
pub(super) const LONGEST_LINE: usize = 1000;
const METHODS: &str = "table, strong, proof, alphabeta";

/// Any game for two: a file named by the request, everything reachable if that fits, a search.
pub(crate) fn solve<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    refuse_puzzle_options(held.rules().id(), request)?;
    if let Some(view) = over(held) {
        return Ok(view);
    }
    if let Some(path) = &request.tables
        && let Some(view) = from_file(held, path)?
    {
        return Ok(view);
    }
    let limits = Limits::time(request.time);
    let view = match (request.method.as_deref(), held.capabilities.evaluated) {
        (None, _) => by_itself(held, request, watch)?,
        (Some("strong"), _) => strong(held, request, None, watch)?,
        (Some("proof"), _) => proof(held, request, limits, watch)?,
        (Some("alphabeta"), Some(_)) => full_width(held, request, limits, watch)?,
        (Some("table"), _) => held.unsolved("table").because("no table has this position"),
        (Some(method), _) => return Err(unknown_method(held.rules().id(), method, METHODS)),
    };
    trust::check(held.rules()).map_err(SolveError::Game)?;
    Ok(view)
}

impl SolveView {
    pub(super) fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }

    pub(super) fn with_value(mut self, value: Value, exact: bool) -> Self {
        self.value = value.name();
        self.distance = if exact { value.distance().map(u64::from) } else { None };
        self.distance_exact = exact && self.distance.is_some();
        self
    }
}

/// The answer for a finished game.
pub(super) fn over<G: Present>(held: &Held<G>) -> Option<SolveView> {
    let outcome = held.rules().settled(held.state())?;
    let value = outcome.value_for(held.rules().side(held.state()));
    Some(held.unsolved("over").with_value(value, true).because("the game is over"))
}

/// The answer from a source that has the position; `None` when it does not.
pub(super) fn from_source<G: Present>(
    held: &Held<G>,
    source: &dyn Probe<G>,
    method: &str,
) -> Result<Option<SolveView>, WorkError> {
    let (rules, state) = (held.rules(), held.state());
    let exact = source.has_distances();
    let Some(value) = source.try_probe(state).map_err(SolveError::from)? else { return Ok(None) };
    let mut view = held.unsolved(method).with_value(value, exact);
    let solved = |valued: lines::ValuedMove<G::Move>| SolvedMove {
        text: rules.format_move(state, valued.mv),
        value: valued.value.name(),
        distance: valued.value.distance().filter(|_| exact).map(u64::from),
        best: valued.best,
    };
    view.moves = lines::moves(rules, source, state)?.into_iter().map(solved).collect();
    view.line = held.line_text(&lines::best_line(rules, source, state, LONGEST_LINE)?);
    Ok(Some(view))
}

fn from_file<G: Present>(held: &Held<G>, path: &Path) -> Result<Option<SolveView>, WorkError> {
    let stopwatch = Stopwatch::start();
    let table = KeyedTable::open(held.rules().clone(), path)?;
    let view = from_source(held, &table, "table")?.map(|mut view| {
        view.positions = table.file().info().positions.into();
        view.seconds = stopwatch.seconds();
        view.because(format!("from {}", path.display()))
    });
    Ok(view)
}

/// Everything that can be reached, if that is not too much for the memory and half of the time; then searches.
fn by_itself<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    let stopwatch = Stopwatch::start();
    let patience = Patience { doubtful: request.time / 10, longest: request.time / 2 };
    match strong(held, request, Some(patience), watch) {
        Err(WorkError::Solve(SolveError::Memory { .. } | SolveError::GaveUp { .. })) => {}
        answer => return answer,
    }
    let left = || request.time.saturating_sub(stopwatch.elapsed());
    if held.capabilities.evaluated.is_none() {
        return proof(held, request, Limits::time(left()), watch);
    }
    let proved = proof(held, request, Limits::time(left() / 2), watch)?;
    if proved.value == Value::Draw.name() {
        return Ok(proved);
    }
    // A distance that is only a bound is worth as much time again; a value that is not known, all that is left.
    let bound = proved.distance.map(|plies| plies as u32);
    let time = if bound.is_some() { SHORT.max(Duration::from_secs_f64(proved.seconds)) } else { left() };
    let limits = Limits { time: Some(time), depth: bound, ..Limits::default() };
    let searched = full_width(held, request, limits, watch)?;
    let better = searched.distance_exact || bound.is_none() && searched.value != Value::Unknown.name();
    let mut view = if better { searched } else { proved };
    view.seconds = stopwatch.seconds();
    Ok(view)
}

/// Everything that can be reached from here.
pub(super) fn strong<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    patience: Option<Patience>,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    let stopwatch = Stopwatch::start();
    let options = StrongOptions { patience, ..StrongOptions::default() };
    let work = watch.work(request.threads, request.memory);
    let solution = strong::solve(held.rules(), &[held.state().clone()], &options, &work)?;
    let mut view = from_source(held, &solution, "strong")?.unwrap_or_else(|| held.unsolved("strong"));
    view.positions = solution.report().positions.into();
    view.peak_bytes = Some(solution.report().peak_bytes);
    view.seconds = stopwatch.seconds();
    Ok(view.because("every position that can be reached from here was solved"))
}

/// Proof-number search.
fn proof<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    limits: Limits,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    let stopwatch = Stopwatch::start();
    let table = table_bytes(request);
    let mut engine = ProofNumber::new(table).map_err(no_memory)?;
    let report = told("proof-number search", watch, || engine.search(&held.record, &limits, watch.stop));
    let reason = match report.score {
        Score::Win(_) => "a win was proved; a shorter one may exist",
        Score::Loss(_) => "a loss was proved; a shorter one may exist",
        Score::Draw => "neither side can force a win",
        Score::Estimate(_) => "no proof was found in the time given",
    };
    let mut view = searched(held, "proof", &report).because(reason);
    view.distance_exact = false;
    view.peak_bytes = Some(table as u64);
    view.seconds = stopwatch.seconds();
    Ok(view)
}

/// Alpha-beta without any guess: what it finds to the end of the game is a proof.
fn full_width<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    limits: Limits,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    let stopwatch = Stopwatch::start();
    let table_bytes = table_bytes(request);
    let options = tabia_search::SearchOptions {
        table_bytes,
        threads: request.threads.max(1),
        lines: 1,
        selective: false,
    };
    let mut engine = AlphaBeta::new(options).map_err(no_memory)?;
    let means = held.means(watch.stop);
    let report =
        told("full-width search", watch, || means.alphabeta(&mut engine, &held.record, &limits, &mut |_| ()));
    let Some(report) = report else {
        return Ok(held.unsolved("alphabeta").because("there is no evaluation"));
    };
    let mut view = searched(held, "alphabeta", &report);
    view.distance_exact = report.exact && view.distance.is_some();
    let reason = match (report.score, report.exact) {
        (Score::Estimate(_), _) => format!("nothing is decided within {} plies", report.depth),
        (_, true) => "every line was searched to its end".to_owned(),
        (_, false) => "the result was proved; a shorter way may exist".to_owned(),
    };
    view.peak_bytes = Some(table_bytes as u64);
    view.seconds = stopwatch.seconds();
    Ok(view.because(reason))
}

/// Does work that says nothing of its own, and tells meanwhile that it goes on.
fn told<T>(stage: &'static str, watch: &Watch<'_>, work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Where no thread can be had, nothing is told.
        let teller = std::thread::Builder::new().spawn_scoped(scope, || {
            while !over.load(Relaxed) {
                (watch.progress)(&Progress { unit: "", ..Progress::positions(stage, 0, None) });
                std::thread::park_timeout(Duration::from_millis(100));
            }
        });
        let _alarm = OnPanic(&over);
        let answer = work();
        over.store(true, Relaxed);
        teller.iter().for_each(|teller| teller.thread().unpark());
        answer
    })
}

/// What a search proved, as an answer.
fn searched<G: Present>(held: &Held<G>, method: &str, report: &Report<G::Move>) -> SolveView {
    let value = match report.score {
        Score::Win(plies) => Value::Win(plies),
        Score::Loss(plies) => Value::Loss(plies),
        Score::Draw => Value::Draw,
        Score::Estimate(_) => Value::Unknown,
    };
    let mut view = held.unsolved(method).with_value(value, true);
    if view.distance.is_some() {
        view.line = held.line_text(report.pv());
    }
    view.positions = report.nodes.into();
    view
}

/// Bytes for the table of a search.
fn table_bytes(request: &SolveRequest) -> usize {
    (request.memory / 2).clamp(1 << 20, 256 << 20) as usize
}

pub(crate) fn no_memory(error: tabia_table::TableError) -> WorkError {
    let message = format!("no memory for the table of the search: {error}");
    crate::InputError::new(crate::ErrorKind::Unsupported, "", message).into()
}
