//! What a game is like, found out by playing, counting and solving it: [`profile`] makes a [`Profile`] of figures, each
//! with its 95 % interval and the size of its sample, and [`html`] a page of it.
//!
//! The work is made of pieces that depend on their number and the seed alone. Whatever the number of threads, the same
//! [`Effort`] gives the same figures; a budget of time is spent piece by piece, and the effort that it came to is told.
//! Pieces that are done are kept in a file, so that a report can be gone on with after it was stopped.

mod board;
mod charts;
mod compare;
mod descent;
mod effort;
mod exact;
mod figures;
mod html;
mod intervals;
mod ladder;
mod mirror;
mod partial;
mod pieces;
mod play;
mod players;
mod positions;
mod run;
mod sections;
mod speed;
mod tally;
mod words;

pub use compare::{Comparison, compared_html};
pub use effort::{Effort, EffortError};
pub use figures::{
    Chart, Entry, Fact, Figure, HeatMap, Point, Profile, Reading, Section, Series, Table, Unit,
};
pub use html::html;
pub use players::{Choice, Play, Players};
pub use run::profile;

use play::FirstMoves;
use std::path::PathBuf;
use std::time::Duration;
use tabia_core::{GameError, Name, Position, Present};
use tabia_solve::SolveError;
use thiserror::Error;

/// The game that a report is about, and who can play it.
pub struct Subject<'a, G: Present> {
    rules: G,
    start: G::State,
    sides: Vec<Name>,
    first_moves: Vec<FirstMoves<G::Move>>,
    players: Option<&'a dyn Players<G>>,
    /// What a solver of the game's own says about the start.
    known: Vec<Fact>,
}

impl<'a, G: Present> Subject<'a, G> {
    /// A game from a start; without players only random games are played.
    pub fn new(start: Position<G>, players: Option<&'a dyn Players<G>>) -> Self {
        let Position { rules, state } = start;
        let (sides, first_moves) = (rules.info().sides, play::first_moves(&rules, &state));
        Subject { rules, start: state, sides, first_moves, players, known: Vec::new() }
    }

    /// The same with what a solver of the game's own says about the start.
    #[must_use]
    pub fn with_known(self, known: Vec<Fact>) -> Self {
        Subject { known, ..self }
    }
}

/// Nodes that players have for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// The weak player.
    pub weak: u64,
    /// The strong player.
    pub strong: u64,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets { weak: 100, strong: 3000 }
    }
}

/// What is to be found out, and how thoroughly.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Where randomness starts.
    pub seed: u64,
    /// How much is done, unless there is a budget of time.
    pub effort: Effort,
    /// A budget of time on the clock, shared between the sections.
    pub time: Option<Duration>,
    /// Nodes that players have for a move.
    pub budgets: Budgets,
    /// Where unfinished work is kept.
    pub partial: Option<PathBuf>,
}

/// Why there is no report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// Nothing can be played from the start.
    #[error("the game is over in this position")]
    Over,
    /// Somebody stopped the work; what was done is kept where the request says.
    #[error("stopped")]
    Stopped,
    /// The game has nobody who plays it.
    #[error("the game has no players")]
    NoPlayers,
    /// A player could not be made.
    #[error("{0}")]
    Player(String),
    /// The file of unfinished work cannot be used.
    #[error("{}: {what}", path.display())]
    Partial {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The game broke a law.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The game could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}
