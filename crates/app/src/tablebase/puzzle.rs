//! Tables of puzzles: every position from which the goal can be reached; all others are lost.

use super::keyed::{Keyed, describe, hold, rules_of};
use super::views::{StatsView, TableView, VerifyView};
use super::{AnyTable, BuildRequest, refuse_slice, rules_in};
use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::solve::{SolveView, WorkError, with_goal};
use crate::watch::Watch;
use crate::{ErrorKind, InputError, Stop};
use std::path::Path;
use tabia_core::puzzle::Puzzle;
use tabia_core::{Position, Present, Progress, trust};
use tabia_solve::file::TableFile;
use tabia_solve::{KeyedTable, SolveError, keyed};

/// Bytes a position takes until it is written: its key and its distance.
const POSITION_BYTES: u64 = 16;

/// Writes every solvable position of the board to a file.
pub(crate) fn build<G: Present + Puzzle>(
    rules: &G,
    request: &BuildRequest,
    watch: &Watch<'_>,
) -> Result<TableView, WorkError> {
    refuse_slice(rules, request)?;
    if request.pieces.is_some() {
        let message = format!("{} has no endings by the number of pieces", rules.id());
        return Err(InputError::new(ErrorKind::Unsupported, "pieces", message).into());
    }
    let rules = with_goal(&rules_of(rules, request.position.as_deref())?, request.goal.as_deref())?;
    let stopwatch = Stopwatch::start();
    let positions = solvable(&rules, request, watch)?;
    let table_bytes = positions.len() as u64 * POSITION_BYTES;
    let info = keyed::write_solvable(&rules, &rules.format(&rules.start()), positions, &request.out)?;
    let mut view = describe(&info, TableFile::open(&request.out)?.size());
    view.peak_bytes = Some(table_bytes);
    (view.seconds, view.cpu_seconds) = (stopwatch.seconds(), stopwatch.cpu_seconds());
    Ok(view)
}

fn solvable<G: Present + Puzzle>(
    rules: &G,
    request: &BuildRequest,
    watch: &Watch<'_>,
) -> Result<Vec<(G::Packed, u16)>, WorkError> {
    let room = request.memory / POSITION_BYTES;
    let phase = format!(
        "{POSITION_BYTES} bytes a position; {} have room for {room} positions",
        tabia_solve::bytes(request.memory)
    );
    (watch.progress)(&Progress::positions(phase, 0, None));
    let work = watch.work(request.threads, request.memory);
    let mut positions = Vec::new();
    let listed = rules.solvable_positions(room, &work, &mut |state, moves| {
        positions.push((rules.pack_canonical(&state), moves));
    });
    trust::check(rules).map_err(SolveError::Game)?;
    match listed {
        Ok(()) => Ok(positions),
        Err(_) if watch.stop.is_stopped() => Err(SolveError::Stopped.into()),
        Err(reason) => Err(InputError::new(ErrorKind::Unsupported, rules.variant(), reason).into()),
    }
}

/// Opens a table of a puzzle.
pub(crate) fn open<G: Present + Puzzle>(rules: &G, path: &Path) -> Result<Box<dyn AnyTable>, WorkError> {
    Ok(Box::new(Solvables { keyed: Keyed { table: table(rules, path)? } }))
}

/// What a table knows of a position under its own rules; one of another board or goal is refused.
pub(crate) fn probe<G: Present + Puzzle>(
    held: &Held<G>,
    path: &Path,
) -> Result<Option<SolveView>, WorkError> {
    let keyed = Keyed { table: table(held.rules(), path)? };
    let text = held.rules().format(held.state());
    Ok(keyed.probe_held(held, &text)?.map(SolveView::of_puzzle))
}

/// Opens a file under the rules that its header names: board and goal.
fn table<G: Present + Puzzle>(rules: &G, path: &Path) -> Result<KeyedTable<G>, WorkError> {
    let file = TableFile::open(path)?;
    Ok(KeyedTable::new(rules_in(rules, &file)?, file)?)
}

struct Solvables<G: Present> {
    keyed: Keyed<G>,
}

impl<G: Present + Puzzle> AnyTable for Solvables<G> {
    fn info(&self) -> TableView {
        self.keyed.info()
    }

    fn probe(&self, text: &str) -> Result<Option<SolveView>, WorkError> {
        let game = self.keyed.table.game();
        let mut held = hold(game, text)?;
        // A position names its board, but not its goal: that is the table's.
        if let Ok(rules) = held.rules().with_goal(&game.goal_name()) {
            held = Held::bare(Position { rules, state: held.state().clone() });
        }
        Ok(self.keyed.probe_held(&held, text)?.map(SolveView::of_puzzle))
    }

    fn verify(&self, threads: usize, watch: &Watch<'_>) -> Result<VerifyView, WorkError> {
        self.keyed.verify(threads, watch)
    }

    fn stats(&self, stop: &Stop) -> Result<StatsView, WorkError> {
        self.keyed.stats(stop)
    }

    #[cfg(not(target_family = "wasm"))]
    fn find(
        &self,
        request: &crate::find::FindRequest,
        watch: &Watch<'_>,
        sink: &mut crate::find::FindSink<'_>,
    ) -> Result<crate::find::FindView, WorkError> {
        self.keyed.find(request, watch, sink)
    }
}

impl SolveView {
    /// The same answer in the words of puzzles.
    fn of_puzzle(mut self) -> Self {
        let word = |value: &str| match value {
            "win" => "solvable",
            "loss" => "unsolvable",
            _ => "unknown",
        };
        self.value = word(self.value);
        for mv in &mut self.moves {
            mv.value = word(mv.value);
        }
        // How soon a lost game is over says nothing.
        let lost = self.value == "unsolvable";
        self.distance = self.distance.filter(|_| !lost);
        self.distance_exact &= !lost;
        if lost {
            self.line.clear();
        }
        self.moves.iter_mut().filter(|mv| mv.value != "solvable").for_each(|mv| {
            mv.distance = None;
            mv.best = false;
        });
        self
    }
}
