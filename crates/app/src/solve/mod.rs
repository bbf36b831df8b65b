//! Exact answers: from a table, the strong solver, proof-number search, or the game's own solver.
//!
//! Unless the request names one, the first that can answer is used, and the answer says which it was:
//!
//! | method | when |
//! |---|---|
//! | `over` | the game is finished |
//! | `table` | a table has the position: endings by index, small games in the user's cache |
//! | `strong` | everything that can be reached from here fits into the memory, and is found in half of the time |
//! | `proof` | otherwise: proof-number search; the distance is then a bound |
//! | `alphabeta` | games with an evaluation: full-width search for what is not proved yet, or not exact |
//! | `dfs` | puzzles, on demand: depth-first search with a table of exact positions |
//! | another word | the method of a puzzle's own solver |

mod ending;
mod puzzle;
mod small;
mod two;

pub(crate) use ending::{Endings, solve as solve_ending};
pub(crate) use puzzle::{solve as solve_puzzle, with_goal};
pub(crate) use small::{build as build_small, opened as opened_small, openings, solve as solve_small};
pub(crate) use two::{no_memory as search_memory, solve as solve_two};

use crate::adapter::Held;
use crate::views::Count;
use crate::watch::Watch;
use crate::{ErrorKind, InputError};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;
use tabia_core::{Present, Probe, Value};

/// Bytes that an answer may use when nothing else is said.
pub const DEFAULT_MEMORY: u64 = 256 << 20;

/// What to ask of a position.
#[derive(Clone, Debug)]
pub struct SolveRequest {
    /// The method, by name; the first that can answer when left out.
    pub method: Option<String>,
    /// A folder or file with tables, asked before anything is worked out.
    pub tables: Option<PathBuf>,
    /// Puzzles: the goal.
    pub goal: Option<String>,
    /// Puzzles: a solution with the fewest moves, as people count them.
    pub fewest_moves: bool,
    /// Puzzles: count the solutions.
    pub count: bool,
    /// Puzzles: which moves keep it solvable.
    pub hints: bool,
    /// Threads to use.
    pub threads: usize,
    /// Bytes that may be used.
    pub memory: u64,
    /// Time for a search that might not end.
    pub time: Duration,
}

impl Default for SolveRequest {
    fn default() -> Self {
        SolveRequest {
            method: None,
            tables: None,
            goal: None,
            fewest_moves: false,
            count: false,
            hints: false,
            threads: 1,
            memory: DEFAULT_MEMORY,
            time: Duration::from_secs(10),
        }
    }
}

/// The exact answer about a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveView {
    /// The position asked about.
    pub position: String,
    /// `win`, `loss` or `draw` for the side to move; `solvable` or `unsolvable`; `unknown`.
    pub value: &'static str,
    /// Plies to the end of the game, or moves to the goal.
    pub distance: Option<u64>,
    /// Whether no shorter win (or longer resistance, or shorter solution) exists. If not, `distance` is a
    /// bound: at most so many.
    pub distance_exact: bool,
    /// Best play to the end.
    pub line: Vec<String>,
    /// The position after each move of the line, to be looked at or played back.
    pub line_positions: Vec<String>,
    /// Every legal move with its value, best first, where that is known.
    pub moves: Vec<SolvedMove>,
    /// The number of solutions, when they were counted.
    pub solutions: Option<Count>,
    /// How the answer was found.
    pub method: String,
    /// Where it comes from or why it is so, in words.
    pub reason: String,
    /// Positions looked at, or in the table.
    pub positions: Count,
    /// Seconds on the clock.
    pub seconds: f64,
    /// Bytes that the tables of the answer took, where they were counted.
    pub peak_bytes: Option<u64>,
}

/// A legal move and what it leads to, for the side that plays it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolvedMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// `win`, `loss`, `draw`, `solvable`, `unsolvable` or `unknown`.
    pub value: &'static str,
    /// Plies to the end after this move, itself included.
    pub distance: Option<u64>,
    /// Whether no move is better.
    pub best: bool,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkError {
    /// What was asked cannot be asked.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The solver or a file failed.
    #[error(transparent)]
    Solve(#[from] tabia_solve::SolveError),
}

impl WorkError {
    /// Whether somebody stopped the work.
    pub fn is_stopped(&self) -> bool {
        matches!(self, WorkError::Solve(tabia_solve::SolveError::Stopped))
    }

    /// Whether a file is not as it was written.
    pub fn is_damage(&self) -> bool {
        use tabia_solve::{FileError, SolveError};
        matches!(self, WorkError::Solve(SolveError::File(FileError::Damaged { .. })))
    }
}

impl From<tabia_solve::FileError> for WorkError {
    fn from(error: tabia_solve::FileError) -> Self {
        WorkError::Solve(error.into())
    }
}

/// How a game with a capability of its own answers.
pub(crate) type SolveFn<G> = fn(&Held<G>, &SolveRequest, &Watch<'_>) -> Result<SolveView, WorkError>;

/// A position about which exact answers can be had.
pub trait SolvePosition: Send + Sync {
    /// The exact value, as far as it can be worked out.
    fn solve(&self, request: &SolveRequest, watch: &Watch<'_>) -> Result<SolveView, WorkError>;
}

impl<G: Present> SolvePosition for Held<G> {
    fn solve(&self, request: &SolveRequest, watch: &Watch<'_>) -> Result<SolveView, WorkError> {
        let solve = self.capabilities.solve().unwrap_or(two::solve);
        let mut view = solve(self, request, watch)?;
        view.line_positions = self.positions_along(&view.line)?;
        Ok(view)
    }
}

impl<G: Present> Held<G> {
    /// The folder for tables that can be built again.
    pub(crate) fn cache_folder(&self) -> PathBuf {
        self.settings.cache.clone().unwrap_or_else(std::env::temp_dir)
    }

    /// An answer to be filled in.
    fn unsolved(&self, method: &str) -> SolveView {
        SolveView {
            position: self.rules().format(self.state()),
            value: Value::Unknown.name(),
            distance: None,
            distance_exact: false,
            line: Vec::new(),
            line_positions: Vec::new(),
            moves: Vec::new(),
            solutions: None,
            method: method.to_owned(),
            reason: String::new(),
            positions: Count(0),
            seconds: 0.0,
            peak_bytes: None,
        }
    }

    /// The answer of a table; `None` when it does not have the position.
    pub(crate) fn valued(
        &self,
        source: &dyn Probe<G>,
        positions: u64,
    ) -> Result<Option<SolveView>, WorkError> {
        let mut view = match two::over(self) {
            Some(view) => Some(view),
            None => two::from_source(self, source, "table")?,
        };
        view.iter_mut().for_each(|view| view.positions = positions.into());
        Ok(view)
    }

    /// Moves played one after the other, as text.
    pub(crate) fn line_text(&self, line: &[G::Move]) -> Vec<String> {
        let mut state = self.state().clone();
        let write = |&mv: &G::Move| {
            let text = self.rules().format_move(&state, mv);
            self.rules().play(&mut state, mv);
            text
        };
        line.iter().map(write).collect()
    }
}

/// Refuses options that only puzzles have.
fn refuse_puzzle_options(game: &str, request: &SolveRequest) -> Result<(), WorkError> {
    let asked = [
        (request.goal.is_some(), "a goal"),
        (request.fewest_moves, "the fewest moves"),
        (request.count, "a count of solutions"),
        (request.hints, "hints"),
    ];
    match asked.iter().find(|(asked, _)| *asked) {
        Some((_, option)) => {
            let message = format!("only puzzles have {option}; {game} is a game for two");
            Err(InputError::new(ErrorKind::Unsupported, *option, message).into())
        }
        None => Ok(()),
    }
}

fn unknown_method(game: &str, method: &str, known: &str) -> WorkError {
    let message = format!("{game} cannot be solved by {method:?}; the methods are {known}");
    InputError::new(ErrorKind::Unknown, method, message).into()
}
