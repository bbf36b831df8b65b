//! What all answers share, and the way from a request to its answer.

use crate::analyses::Analyses;
use crate::answer::Answer;
use crate::book::Book;
use crate::host::Host;
use crate::jobs::Jobs;
use crate::problem::Problem;
use crate::request::Request;
use crate::route::Found;
use std::sync::Arc;
use std::time::Duration;
use tabia_app::search::Stop;
use tabia_app::{AnyGame, Registry};

/// What one request may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a position or code.
    pub position_bytes: usize,
    /// Moves played from a position in one request.
    pub moves: usize,
    /// The longest a question may be worked on.
    pub answer_time: Duration,
    /// Bytes that one answer may use.
    pub answer_memory: u64,
    /// Analyses at work at the same time.
    pub analyses: usize,
    /// Bytes for the table of one analysis.
    pub analysis_memory: usize,
    /// The longest one analysis may run.
    pub analysis_time: Duration,
    /// How long an analysis goes on without anybody listening.
    pub unheard: Duration,
}

/// What answers are made from.
pub struct Settings {
    /// The games.
    pub registry: Registry,
    /// Statistics of played games.
    pub book: Book,
    /// What one request may ask for.
    pub limits: Limits,
}

/// Everything that answers requests.
pub struct Api {
    pub(crate) registry: Registry,
    pub(crate) book: Book,
    pub(crate) limits: Limits,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) jobs: Jobs,
    pub(crate) analyses: Analyses,
}

impl std::fmt::Debug for Api {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Api").field("book", &self.book).field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Api {
    /// Answers about these games, with what the host lends.
    pub fn new(settings: Settings, host: Arc<dyn Host>) -> Self {
        let Settings { registry, book, limits } = settings;
        let analyses = Analyses::new(limits, Arc::clone(&host));
        Api { registry, book, limits, host, jobs: Jobs::default(), analyses }
    }

    /// The answer. `stop` is thrown by whoever waits no longer.
    pub fn answer(&self, request: &Request, stop: &Stop) -> Answer {
        match Found::find(&request.method, &request.path) {
            Ok(found) => found.answer(self, request, stop),
            Err(problem) if problem.status == 405 => {
                Answer::from(problem).with("allow", Found::methods(&request.path))
            }
            Err(problem) => problem.into(),
        }
    }

    /// Whether a game has exactly this name.
    pub fn has_game(&self, id: &str) -> bool {
        self.registry.games().any(|game| game.id() == id)
    }

    /// The game with exactly this name: addresses are kept, so beginnings of names are not enough.
    pub(crate) fn game(&self, id: &str) -> Result<Arc<dyn AnyGame>, Problem> {
        match self.registry.find_shared(id) {
            Ok(game) if game.id() == id => Ok(game),
            Ok(game) => {
                Err(Problem::unknown(format!("no game is called {id:?}; did you mean {}?", game.id())))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Ends all analyses and jobs.
    pub fn stop_all(&self) {
        self.analyses.stop_all();
        self.jobs.stop_all();
    }
}
