//! Puzzles: the game's own solver, or the depth-first search that any of them can have.

use super::{SolveRequest, SolveView, SolvedMove, WorkError, unknown_method};
use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::tablebase::probe_puzzle;
use crate::views::Count;
use crate::watch::Watch;
use crate::{ErrorKind, InputError};
use std::path::Path;
use tabia_core::puzzle::{Answer, Puzzle, Solvable};
use tabia_core::{Outcome, Position, Present, Side, sort_few_by_key, trust};
use tabia_solve::{SolveError, dfs};

/// Answers what the request asks, for the goal it names.
pub(crate) fn solve<G: Present + Puzzle>(
    held: &Held<G>,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    let rules = with_goal(held.rules(), request.goal.as_deref())?;
    if let Some(path) = &request.tables {
        refuse_questions(request, false, "a table does not give")?;
        return from_table(held, &rules, path);
    }
    match request.method.as_deref() {
        None | Some("special") => special(held, &rules, request, watch),
        Some("dfs") => {
            refuse_questions(request, true, "depth-first search does not give")?;
            depth_first(held, &rules, request, watch)
        }
        Some(method) => Err(unknown_method(held.rules().id(), method, "special, dfs")),
    }
}

/// The rules with the goal a text names; with their own when there is none.
pub(crate) fn with_goal<G: Puzzle>(rules: &G, goal: Option<&str>) -> Result<G, InputError> {
    let Some(goal) = goal else { return Ok(rules.clone()) };
    rules.with_goal(goal).map_err(|error| InputError::position(goal, &error))
}

/// Questions that only the game's own solver answers are not dropped in silence.
fn refuse_questions(request: &SolveRequest, hints_too: bool, why: &str) -> Result<(), InputError> {
    let asked = [
        (request.count, "a count of solutions"),
        (request.fewest_moves, "the fewest moves"),
        (request.hints && hints_too, "hints"),
    ];
    match asked.iter().find(|(asked, _)| *asked) {
        Some((_, option)) => Err(InputError::new(ErrorKind::Unsupported, *option, format!("{why} {option}"))),
        None => Ok(()),
    }
}

/// Asks a table, which must be of this board and goal.
fn from_table<G: Present + Puzzle>(held: &Held<G>, rules: &G, path: &Path) -> Result<SolveView, WorkError> {
    let watch = Stopwatch::start();
    let position = Position { rules: rules.clone(), state: held.state().clone() };
    let asked = held.at(position);
    let mut view = probe_puzzle(&asked, path)?.unwrap_or_else(|| held.unsolved("table"));
    view.seconds = watch.seconds();
    Ok(view.because(format!("from {}", path.display())))
}

/// Asks the game's own solver.
fn special<G: Present + Puzzle>(
    held: &Held<G>,
    rules: &G,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    let (stopwatch, state) = (Stopwatch::start(), held.state());
    let work = watch.work(request.threads, request.memory);
    let answer =
        if request.fewest_moves { rules.solve_fewest(state, &work) } else { rules.solve(state, &work) };
    let mut view = answered(held, rules, &answer, request.fewest_moves);
    if request.count {
        let count = rules.count_solutions(state, &work);
        view.solutions = count.solutions.map(Count);
        view.positions = count.positions.max(answer.positions).into();
        view.peak_bytes = Some(count.peak_bytes.max(answer.peak_bytes));
    }
    if request.hints {
        let hint = |(mv, solvable): (G::Move, Solvable)| SolvedMove {
            text: rules.format_move(state, mv),
            value: solvable.name(),
            distance: None,
            best: solvable == Solvable::Solvable,
        };
        view.moves = rules.hints(state, &work).into_iter().map(hint).collect();
        sort_few_by_key(&mut view.moves, |mv| !mv.best);
    }
    view.seconds = stopwatch.seconds();
    trust::check(rules).map_err(SolveError::Game)?;
    Ok(view)
}

fn answered<G: Present + Puzzle>(
    held: &Held<G>,
    rules: &G,
    answer: &Answer<G::Move>,
    grouped: bool,
) -> SolveView {
    let line = if grouped { rules.group(held.state(), &answer.line) } else { held.line_text(&answer.line) };
    let solvable = answer.value == Solvable::Solvable;
    SolveView {
        value: answer.value.name(),
        distance: solvable.then_some(line.len() as u64),
        distance_exact: solvable && (answer.fewest || !grouped),
        line,
        reason: answer.reason.clone(),
        positions: answer.positions.into(),
        peak_bytes: Some(answer.peak_bytes),
        ..held.unsolved(answer.method)
    }
}

/// Searches depth first, with a table of exact positions.
fn depth_first<G: Present + Puzzle>(
    held: &Held<G>,
    rules: &G,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    let stopwatch = Stopwatch::start();
    let solved = |state: &G::State| rules.outcome(state) == Some(Outcome::Win(Side::First));
    let work = watch.work(1, request.memory);
    let report = dfs::search(rules, held.state(), solved, dfs::DfsOptions::default(), &work)
        .map_err(SolveError::Game)?;
    let (value, line, reason) = match &report.answer {
        dfs::Answer::Path(line) => (Solvable::Solvable, held.line_text(line), "found by depth-first search"),
        dfs::Answer::NoPath => {
            (Solvable::Unsolvable, Vec::new(), "every position that can be reached was searched")
        }
        dfs::Answer::GaveUp => {
            (Solvable::Unknown, Vec::new(), "a limit was met before the search was complete")
        }
    };
    Ok(SolveView {
        value: value.name(),
        distance: (value == Solvable::Solvable).then_some(line.len() as u64),
        line,
        reason: format!("{reason}; {} moves tried, {} positions met again", report.nodes, report.hits),
        positions: report.positions.into(),
        seconds: stopwatch.seconds(),
        peak_bytes: Some(report.table_bytes),
        ..held.unsolved("dfs")
    })
}
