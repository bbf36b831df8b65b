//! Counting what can be reached: in the game's own way where it has one, else in the general one.

use crate::adapter::Held;
use crate::counting::EnumerateRequest;
use crate::measure::{Stopwatch, peak_bytes};
use crate::solve::with_goal;
use crate::views::{Count, EnumerateView, LevelView};
use crate::{ErrorKind, InputError};
use std::ops::ControlFlow;
use tabia_core::enumerate;
use tabia_core::puzzle::{self, LevelOptions, Puzzle};
use tabia_core::{Game, Present, Progress, Stop, Work};

/// Who hears of each level as it is counted; answers whether to go on.
pub type LevelWatcher<'a> = dyn FnMut(&LevelView) -> ControlFlow<()> + 'a;

/// How a game with a way of its own counts; `None` when that is not possible here.
pub(crate) type LevelsFn<G> =
    fn(&Held<G>, &EnumerateRequest, &mut LevelWatcher<'_>) -> Result<Option<EnumerateView>, InputError>;

impl<G: Present> Held<G> {
    pub(crate) fn enumerated(
        &self,
        request: &EnumerateRequest,
        on_level: &mut LevelWatcher<'_>,
    ) -> Result<EnumerateView, InputError> {
        if let Some(levels) = self.capabilities.levels
            && let Some(view) = levels(self, request, on_level)?
        {
            return Ok(view);
        }
        refuse_puzzle_options(self.rules(), self.capabilities.levels.is_some(), request)?;
        Ok(in_general(self, request, on_level))
    }
}

/// What only a game's own way of counting can do.
fn refuse_puzzle_options<G: Game>(
    rules: &G,
    puzzle: bool,
    request: &EnumerateRequest,
) -> Result<(), InputError> {
    let asked = [(request.goal.is_some(), "--goal"), (request.solvable, "--solvable")];
    let Some((_, option)) = asked.iter().find(|(asked, _)| *asked) else { return Ok(()) };
    let message = if puzzle {
        format!("{option}: the positions of this board do not fit into the memory allowed")
    } else {
        format!("{option} is for puzzles; {} is a game for two", rules.id())
    };
    Err(InputError::new(ErrorKind::Unsupported, *option, message))
}

/// Breadth first, with a table of all positions.
fn in_general<G: Present>(
    held: &Held<G>,
    request: &EnumerateRequest,
    on_level: &mut LevelWatcher<'_>,
) -> EnumerateView {
    let watch = Stopwatch::start();
    let options =
        enumerate::Options { symmetry: request.symmetry, depth: request.depth, threads: request.threads };
    let mut stopped = false;
    let mut levels = Vec::new();
    enumerate::enumerate(held.rules(), held.state(), options, |level| {
        let level = LevelView {
            ply: level.ply,
            positions: level.positions,
            finished: Some(level.finished),
            solvable: None,
        };
        levels.push(level);
        let answer = on_level(&level);
        stopped |= answer.is_break();
        answer
    });
    let limited = request.depth.is_some_and(|depth| levels.len() as u64 > u64::from(depth));
    let all_over = levels.last().is_some_and(|level| level.finished == Some(level.positions));
    view(levels, !stopped && (!limited || all_over), &watch)
}

/// The game's own way.
pub(crate) fn puzzle_levels<G: Present + Puzzle>(
    held: &Held<G>,
    request: &EnumerateRequest,
    on_level: &mut LevelWatcher<'_>,
) -> Result<Option<EnumerateView>, InputError> {
    let watch = Stopwatch::start();
    let rules = with_goal(held.rules(), request.goal.as_deref())?;
    let (stop, ignore) = (Stop::new(), |_: &Progress| {});
    let work = Work { threads: request.threads, memory: request.memory, stop: &stop, progress: &ignore };
    let options = LevelOptions {
        symmetry: request.symmetry,
        depth: request.depth,
        dead_ends: request.dead_ends,
        solvable: request.solvable,
    };
    let shown = |level: &puzzle::Level| LevelView {
        ply: level.ply,
        positions: level.positions,
        finished: level.dead_ends,
        solvable: level.solvable,
    };
    let levels = rules.levels(held.state(), options, &work, &mut |level| {
        if on_level(&shown(level)).is_break() {
            stop.stop();
        }
    });
    Ok(levels.map(|levels| {
        let all: Vec<LevelView> = levels.levels.iter().map(shown).collect();
        let last = all.last().map_or(0, |level| level.ply);
        let limited = request.depth.is_some_and(|depth| last >= depth);
        view(all, levels.complete && !limited, &watch)
    }))
}

fn view(levels: Vec<LevelView>, complete: bool, watch: &Stopwatch) -> EnumerateView {
    EnumerateView {
        total: Count(levels.iter().map(|level| u128::from(level.positions)).sum()),
        complete,
        levels,
        seconds: watch.seconds(),
        cpu_seconds: watch.cpu_seconds(),
        peak_bytes: peak_bytes(),
    }
}
