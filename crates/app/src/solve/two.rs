//! Games for two: a table, the strong solver, or proof-number search.

use super::{SolveRequest, SolveView, SolvedMove, Watcher, WorkError, refuse_puzzle_options, unknown_method};
use crate::adapter::Held;
use crate::measure::{Stopwatch, peak_bytes};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tabia_core::{Present, Probe, Value};
use tabia_search::{Limits, ProofNumber, Score, Stop};
use tabia_solve::strong::{self, Options};
use tabia_solve::{KeyedTable, Progress, SolveError, lines};

/// Memory and time for the attempt to enumerate everything before a search is tried.
const SMALL: u64 = 32 << 20;
const SHORT: Duration = Duration::from_secs(1);
/// Lines longer than this are cut.
pub(super) const LONGEST_LINE: usize = 1000;
const METHODS: &str = "table, strong, proof";

/// Any game for two: a file named by the request, everything reachable if that is little, a search.
pub(crate) fn solve<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    watcher: &mut Watcher<'_>,
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
    match request.method.as_deref() {
        None => match small(held, request, watcher) {
            Some(answer) => answer,
            None => proof(held, request, watcher),
        },
        Some("strong") => strong(held, request, request.memory, watcher),
        Some("proof") => proof(held, request, watcher),
        Some("table") => Ok(held.unsolved("table").because("no table has this position")),
        Some(method) => Err(unknown_method(held.rules().id(), method, METHODS)),
    }
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
) -> Option<SolveView> {
    let (rules, state) = (held.rules(), held.state());
    let exact = source.has_distances();
    let value = source.probe(state)?;
    let mut view = held.unsolved(method).with_value(value, exact);
    let solved = |valued: lines::ValuedMove<G::Move>| SolvedMove {
        text: rules.format_move(state, valued.mv),
        value: valued.value.name(),
        distance: valued.value.distance().filter(|_| exact).map(u64::from),
        best: valued.best,
    };
    view.moves = lines::moves(rules, source, state).into_iter().map(solved).collect();
    view.line = held.line_text(&lines::best_line(rules, source, state, LONGEST_LINE));
    Some(view)
}

fn from_file<G: Present>(held: &Held<G>, path: &Path) -> Result<Option<SolveView>, WorkError> {
    let watch = Stopwatch::start();
    let table = KeyedTable::open(held.rules().clone(), path)?;
    let view = from_source(held, &table, "table").map(|mut view| {
        view.positions = table.file().info().positions.into();
        view.seconds = watch.seconds();
        view.because(format!("from {}", path.display()))
    });
    Ok(view)
}

/// Everything that can be reached from here, if that is little; `None` when it is too much.
fn small<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    watcher: &mut Watcher<'_>,
) -> Option<Result<SolveView, WorkError>> {
    let watch = Stopwatch::start();
    let mut late = false;
    let mut bounded = |progress: &Progress| {
        late |= watch.elapsed() > SHORT.min(request.time);
        if late { ControlFlow::Break(()) } else { watcher(progress) }
    };
    match strong(held, request, SMALL.min(request.memory), &mut bounded) {
        Err(WorkError::Solve(SolveError::Memory { .. })) => None,
        Err(WorkError::Solve(SolveError::Stopped)) if late => None,
        other => Some(other),
    }
}

/// Everything that can be reached from here.
pub(super) fn strong<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    memory: u64,
    watcher: &mut Watcher<'_>,
) -> Result<SolveView, WorkError> {
    let watch = Stopwatch::start();
    let options = Options { threads: request.threads, memory, ..Options::default() };
    let starts = [held.state().clone()];
    let solution =
        strong::solve(held.rules(), &starts, &options, &mut |progress: &Progress| watcher(progress))?;
    let mut view = from_source(held, &solution, "strong").unwrap_or_else(|| held.unsolved("strong"));
    view.positions = solution.report().positions.into();
    view.peak_bytes = Some(solution.report().peak_bytes);
    view.seconds = watch.seconds();
    Ok(view.because("every position that can be reached from here was solved"))
}

/// Proof-number search until the time is up.
fn proof<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    watcher: &mut Watcher<'_>,
) -> Result<SolveView, WorkError> {
    let watch = Stopwatch::start();
    let table = (request.memory / 2).clamp(1 << 20, 256 << 20) as usize;
    let unfit = |error: tabia_table::TableError| {
        let message = format!("no memory for the table of the search: {error}");
        WorkError::Input(crate::InputError::new(crate::ErrorKind::Unsupported, "", message))
    };
    let mut engine = ProofNumber::new(table).map_err(unfit)?;
    let limits = Limits { time: Some(request.time), ..Limits::default() };
    let stop = Stop::new();
    let report = watched(&stop, &watch, watcher, || engine.search(&held.record, &limits, &stop));
    let mut view = held.unsolved("proof");
    let reason = match report.score {
        Score::Win(plies) => {
            view = view.with_value(Value::Win(plies), true);
            "a win was proved; a shorter one may exist"
        }
        Score::Loss(plies) => {
            view = view.with_value(Value::Loss(plies), true);
            "a loss was proved; the defence may hold out longer or less long"
        }
        Score::Draw => {
            view = view.with_value(Value::Draw, true);
            "neither side can force a win"
        }
        Score::Estimate(_) => "no proof was found in the time given",
    };
    view.distance_exact = false;
    if matches!(report.score, Score::Win(_) | Score::Loss(_)) {
        view.line = held.line_text(report.pv());
    }
    view.positions = report.nodes.into();
    view.peak_bytes = peak_bytes();
    view.seconds = watch.seconds();
    Ok(view.because(reason))
}

/// Runs `work`, and tells the watcher meanwhile; when it wants no more, the search is stopped.
fn watched<T: Send>(
    stop: &Stop,
    watch: &Stopwatch,
    watcher: &mut Watcher<'_>,
    work: impl FnOnce() -> T + Send,
) -> T {
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !finished.load(std::sync::atomic::Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20));
                let elapsed = watch.elapsed();
                let progress = Progress { phase: "proof search".to_owned(), done: 0, total: None, elapsed };
                if elapsed > Duration::from_millis(200) && watcher(&progress).is_break() {
                    stop.stop();
                }
            }
        });
        let answer = work();
        finished.store(true, std::sync::atomic::Ordering::Relaxed);
        answer
    })
}
