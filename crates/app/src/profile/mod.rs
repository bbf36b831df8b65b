//! Reports: what a game is like from a position, in figures and as a page.

mod players;

pub use tabia_report::profile::{
    Budgets, Comparison, Effort, EffortError, Fact, Figure, Profile, Reading, compared_html, html,
};

use crate::adapter::Held;
use crate::solve::{SolveRequest, WorkError};
use crate::watch::Watch;
use crate::{ErrorKind, InputError};
use players::Engines;
use std::path::PathBuf;
use std::time::Duration;
use tabia_core::{Position, Present};
use tabia_report::profile::{ProfileError, Request, Subject, profile as find_out};
use tabia_solve::SolveError;

/// Bytes that solving the game may use.
const MEMORY: u64 = 1 << 30;
/// The longest that a puzzle's solver is asked about the start.
const PUZZLE_TIME: Duration = Duration::from_secs(5);

/// What is to be found out, and how thoroughly.
#[derive(Clone, Debug, Default)]
pub struct ProfileRequest {
    /// Where randomness starts.
    pub seed: u64,
    /// How much is done, unless there is a budget of time.
    pub effort: Effort,
    /// A budget of time on the clock.
    pub time: Option<Duration>,
    /// Nodes that players have for a move.
    pub budgets: Budgets,
    /// Where unfinished work is kept; it is gone on with from there.
    pub partial: Option<PathBuf>,
    /// Threads to use; figures do not depend on them.
    pub threads: usize,
}

/// How a report of a game is made.
pub(crate) type ProfileFn<G> = fn(&Held<G>, &ProfileRequest, &Watch<'_>) -> Result<Profile, WorkError>;

/// A position from which it can be found out what the game is like.
pub trait ProfilePosition: Send + Sync {
    /// Finds it out.
    fn report(&self, request: &ProfileRequest, watch: &Watch<'_>) -> Result<Profile, WorkError>;
}

impl<G: Present> ProfilePosition for Held<G> {
    fn report(&self, request: &ProfileRequest, watch: &Watch<'_>) -> Result<Profile, WorkError> {
        let make =
            self.capabilities.profile.ok_or_else(|| crate::any::lacks(self.rules().id(), "reports"))?;
        make(self, request, watch)
    }
}

/// Finds out what a game is like from a position, which counts as the start.
pub(crate) fn profile<G: Present>(
    held: &Held<G>,
    request: &ProfileRequest,
    watch: &Watch<'_>,
) -> Result<Profile, WorkError> {
    let engines = Engines::new(held, watch.stop);
    let start = Position { rules: held.rules().clone(), state: held.state().clone() };
    let two = held.rules().players() == 2;
    let subject =
        Subject::new(start, if two { Some(&engines) } else { None }).with_known(known(held, watch)?);
    let ProfileRequest { seed, effort, time, budgets, ref partial, threads } = *request;
    let request = Request { seed, effort, time, budgets, partial: partial.clone() };
    find_out(&subject, &request, &watch.work(threads, MEMORY)).map_err(|error| told(held, error))
}

/// What a puzzle's own solver says about the start.
fn known<G: Present>(held: &Held<G>, watch: &Watch<'_>) -> Result<Vec<Fact>, WorkError> {
    let Some(solve) = held.capabilities.solvers.puzzle else { return Ok(Vec::new()) };
    let request = SolveRequest { hints: true, time: PUZZLE_TIME, ..SolveRequest::default() };
    let view = solve(held, &request, watch)?;
    let fact =
        |id: &str, label: &str, text: String| Fact { id: id.to_owned(), label: label.to_owned(), text };
    let keeping = view.moves.iter().filter(|mv| mv.value == "solvable").count();
    let mut facts = vec![fact("value", "the start is", view.value.to_owned())];
    facts.push(fact("method", "found by", view.method));
    if !view.moves.is_empty() {
        let text = format!("{keeping} of {}", view.moves.len());
        facts.push(fact("first-moves-holding", "first moves that keep it solvable", text));
    }
    if !view.line.is_empty() {
        facts.push(fact("line", "a solution", view.line.join(" ")));
    }
    Ok(facts)
}

fn told<G: Present>(held: &Held<G>, error: ProfileError) -> WorkError {
    let input = |kind, message: String| {
        WorkError::Input(InputError::new(kind, held.rules().format(held.state()), message))
    };
    match error {
        ProfileError::Over => input(ErrorKind::Invalid, error.to_string()),
        ProfileError::Stopped => SolveError::Stopped.into(),
        ProfileError::Partial { ref path, .. } => {
            let (path, message) = (path.display().to_string(), error.to_string());
            WorkError::Input(InputError::new(ErrorKind::Damaged, path, message))
        }
        ProfileError::Game(error) => SolveError::Game(error).into(),
        ProfileError::Solve(error) => error.into(),
        other => input(ErrorKind::Unsupported, other.to_string()),
    }
}
