//! Counting what can be reached: in the game's own way where it has one, else in the general one.

use crate::adapter::Held;
use crate::counting::EnumerateRequest;
use crate::measure::Stopwatch;
use crate::solve::{WorkError, with_goal};
use crate::views::{Count, EnumerateView, LevelView, UnfinishedView};
use crate::watch::Watch;
use crate::{ErrorKind, InputError};
use tabia_core::enumerate::{self, End};
use tabia_core::puzzle::{self, LevelOptions, Puzzle};
use tabia_core::{Game, Present, trust};
use tabia_solve::SolveError;

/// Who hears of each level as it is counted.
pub type LevelListener<'a> = dyn FnMut(&LevelView) + 'a;

/// How a game with a way of its own counts; `None` when that is not possible here.
pub(crate) type LevelsFn<G> = fn(
    &Held<G>,
    &EnumerateRequest,
    &Watch<'_>,
    &mut LevelListener<'_>,
) -> Result<Option<EnumerateView>, WorkError>;

impl<G: Present> Held<G> {
    pub(crate) fn enumerated(
        &self,
        request: &EnumerateRequest,
        watch: &Watch<'_>,
        on_level: &mut LevelListener<'_>,
    ) -> Result<EnumerateView, WorkError> {
        if let Some(levels) = self.capabilities.levels
            && let Some(view) = levels(self, request, watch, on_level)?
        {
            return Ok(view);
        }
        refuse_puzzle_options(self.rules(), self.capabilities.levels.is_some(), request)?;
        in_general(self, request, watch, on_level)
    }
}

/// What only a game's own way of counting can do.
fn refuse_puzzle_options<G: Game>(
    rules: &G,
    puzzle: bool,
    request: &EnumerateRequest,
) -> Result<(), InputError> {
    let asked = [(request.goal.is_some(), "a goal"), (request.solvable, "solvable positions")];
    let Some((_, option)) = asked.iter().find(|(asked, _)| *asked) else { return Ok(()) };
    let message = if puzzle {
        format!("{option}: the positions of this board do not fit into the memory allowed")
    } else {
        format!("only puzzles have {option}; {} is a game for two", rules.id())
    };
    Err(InputError::new(ErrorKind::Unsupported, *option, message))
}

/// Breadth first, with a table of all positions.
fn in_general<G: Present>(
    held: &Held<G>,
    request: &EnumerateRequest,
    watch: &Watch<'_>,
    on_level: &mut LevelListener<'_>,
) -> Result<EnumerateView, WorkError> {
    let stopwatch = Stopwatch::start();
    let options = enumerate::EnumerateOptions { symmetry: request.symmetry, depth: request.depth };
    let work = watch.work(request.threads, request.memory);
    let shown = |level: &enumerate::Level| LevelView {
        ply: level.ply,
        positions: level.positions,
        finished: Some(level.finished),
        solvable: None,
    };
    let tell = |level: &enumerate::Level| on_level(&shown(level));
    let found =
        enumerate::enumerate(held.rules(), held.state(), options, &work, tell).map_err(SolveError::Game)?;
    let levels = found.levels.iter().map(shown).collect();
    let mut view = view(levels, found.end == End::Complete, found.table_bytes, &stopwatch);
    view.unfinished = match found.end {
        End::Stopped(level) => Some(UnfinishedView::new("stopped", level)),
        End::Memory(level) => Some(UnfinishedView::new("memory", level)),
        End::Complete | End::Depth => None,
    };
    Ok(view)
}

impl UnfinishedView {
    fn new(reason: &str, level: enumerate::Unfinished) -> Self {
        let enumerate::Unfinished { ply, positions, looked_at, found } = level;
        UnfinishedView { reason: reason.to_owned(), ply, positions, looked_at, found }
    }
}

/// The game's own way.
pub(crate) fn puzzle_levels<G: Present + Puzzle>(
    held: &Held<G>,
    request: &EnumerateRequest,
    watch: &Watch<'_>,
    on_level: &mut LevelListener<'_>,
) -> Result<Option<EnumerateView>, WorkError> {
    let stopwatch = Stopwatch::start();
    let rules = with_goal(held.rules(), request.goal.as_deref())?;
    let work = watch.work(request.threads, request.memory);
    let options = LevelOptions {
        symmetry: request.symmetry,
        depth: request.depth,
        dead_ends: request.dead_ends,
        solvable: request.solvable,
    };
    let shown = |level: &puzzle::PuzzleLevel| LevelView {
        ply: level.ply,
        positions: level.positions,
        finished: level.dead_ends,
        solvable: level.solvable,
    };
    let levels = rules.levels(held.state(), options, &work, &mut |level| on_level(&shown(level)));
    trust::check(&rules).map_err(SolveError::Game)?;
    Ok(levels.map(|levels| {
        let all: Vec<LevelView> = levels.levels.iter().map(shown).collect();
        let last = all.last().map_or(0, |level| level.ply);
        let limited = request.depth.is_some_and(|depth| last >= depth);
        view(all, levels.complete && !limited, levels.peak_bytes, &stopwatch)
    }))
}

fn view(levels: Vec<LevelView>, complete: bool, table_bytes: u64, stopwatch: &Stopwatch) -> EnumerateView {
    EnumerateView {
        total: Count(levels.iter().map(|level| u128::from(level.positions)).sum()),
        complete,
        levels,
        seconds: stopwatch.seconds(),
        cpu_seconds: stopwatch.cpu_seconds(),
        peak_bytes: Some(table_bytes),
        unfinished: None,
    }
}
