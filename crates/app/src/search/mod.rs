//! Searching a position: requests and answers as front ends write them.

mod elo;
mod matches;
mod player;
mod strength;
mod suite;
mod views;

use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::{ErrorKind, InputError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::str::FromStr;
use std::time::Duration;
use tabia_core::{Evaluate, Game, Index, Present, Probe, Record, SplitMix64};
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, Options, ProofNumber, Question, Report};

pub use elo::{Sprt, SprtVerdict};
pub use matches::{MatchRequest, MatchView};
pub use player::{Player, PlayerSpec, duration};
pub use strength::Strength;
pub use suite::{Puzzle, PuzzleView, SuiteView, read_suite, run_suite};
pub use tabia_search::{Score, Stop};
pub use views::{LineView, ScoreView, SearchView, TableView};

/// The ways to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Looks ahead with an evaluation.
    AlphaBeta,
    /// Plays out games at random.
    Mcts,
    /// Tries to prove a win.
    Proof,
}

impl Method {
    /// Its word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Method::AlphaBeta => "alphabeta",
            Method::Mcts => "mcts",
            Method::Proof => "proof",
        }
    }
}

impl FromStr for Method {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let all = [Method::AlphaBeta, Method::Mcts, Method::Proof];
        all.into_iter().find(|method| method.name() == text).ok_or_else(|| {
            let message = format!("no method is called {text:?}; there are alphabeta, mcts and proof");
            InputError::new(ErrorKind::Unknown, text, message)
        })
    }
}

/// How to search: until the first limit is reached.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The way; `None` for the best the game has.
    pub method: Option<Method>,
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Plies to look ahead (alpha-beta).
    pub depth: Option<u32>,
    /// Positions, or playouts.
    pub nodes: Option<u64>,
    /// Bytes for the table (or graph).
    pub hash_bytes: usize,
    /// Threads to use.
    pub threads: usize,
    /// How many best lines to find (alpha-beta).
    pub lines: usize,
    /// Whether to prune on guesses where the game allows it (alpha-beta).
    pub selective: bool,
    /// Where the randomness starts (Monte-Carlo).
    pub seed: u64,
}

impl Default for SearchRequest {
    fn default() -> Self {
        SearchRequest {
            method: None,
            time: None,
            depth: None,
            nodes: None,
            hash_bytes: 64 << 20,
            threads: 1,
            lines: 1,
            selective: true,
            seed: 0,
        }
    }
}

impl SearchRequest {
    fn limits(&self) -> Limits {
        Limits { time: self.time, depth: self.depth, nodes: self.nodes }
    }
}

/// What one iteration of a search tells a front end.
type Progress<'a, M> = &'a mut dyn FnMut(&Report<M>);

/// Runs an alpha-beta engine on a record, with the exact values that are known.
type RunAlphaBeta<G, M> =
    fn(&mut AlphaBeta, &Record<G>, Option<&dyn Probe<G>>, &Limits, &Stop, Progress<'_, M>) -> Report<M>;

/// What a game with an evaluation can do, as function pointers.
pub(crate) struct Searching<G: Present> {
    pub(crate) alphabeta: RunAlphaBeta<G, <G as Game>::Move>,
    /// Opens the ending tables that are there.
    pub(crate) endings: fn(&G) -> Option<Box<dyn Probe<G>>>,
    pub(crate) greedy: fn(&Record<G>, &mut SplitMix64) -> Option<G::Move>,
    /// The names of the terms of the evaluation.
    pub(crate) terms: fn(&G) -> Vec<String>,
}

impl<G: Evaluate + Present> Searching<G> {
    pub(crate) const fn new() -> Self {
        Searching {
            alphabeta: |engine, record, known, limits, stop, progress| {
                let question = Question { known, ..Question::default() };
                engine.ask(record, &question, limits, stop, progress)
            },
            endings: |_| None,
            greedy: player::greedy,
            terms: |rules| rules.terms().iter().map(|term| (*term).to_owned()).collect(),
        }
    }

    /// The same with the ending tables that are there.
    pub(crate) const fn knowing_endings() -> Self
    where
        G: Index,
    {
        let endings = |rules: &G| {
            crate::solve::ending_tables(rules).map(|tables| Box::new(tables) as Box<dyn Probe<G>>)
        };
        Searching { endings, ..Self::new() }
    }
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Searching<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Searching<G> {}

/// What players of a game are given: opened once, for as many moves as they choose.
pub(crate) struct Means<'a, G: Present> {
    pub(crate) searching: Option<Searching<G>>,
    /// The ending tables.
    pub(crate) known: Option<Box<dyn Probe<G>>>,
    pub(crate) stop: &'a Stop,
}

/// A seed that is another one every time.
pub(crate) fn any_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl<G: Present> Held<G> {
    fn endings(&self) -> Option<Box<dyn Probe<G>>> {
        self.capabilities.search.and_then(|searching| (searching.endings)(self.rules()))
    }

    /// What players need from this position on.
    pub(crate) fn means<'a>(&self, stop: &'a Stop) -> Means<'a, G> {
        Means { searching: self.capabilities.search, known: self.endings(), stop }
    }

    fn no_evaluation(&self) -> InputError {
        let message = format!("{} has no evaluation; --method mcts or proof needs none", self.rules().id());
        InputError::new(ErrorKind::Unsupported, self.rules().format(self.state()), message)
    }

    /// Searches the position.
    pub(crate) fn search_view(
        &self,
        request: &SearchRequest,
        stop: &Stop,
        progress: &mut dyn FnMut(&SearchView),
    ) -> Result<SearchView, InputError> {
        let able = self.capabilities.search.is_some();
        let method = request.method.unwrap_or(if able { Method::AlphaBeta } else { Method::Mcts });
        let no_memory = |error: tabia_table::TableError| {
            InputError::new(ErrorKind::Unsupported, request.hash_bytes.to_string(), error.to_string())
        };
        // Making a large table takes longer than a small search: the watch starts after it.
        let mut watch = Stopwatch::start();
        let report = match method {
            Method::AlphaBeta => {
                let searching = self.capabilities.search.ok_or_else(|| self.no_evaluation())?;
                let SearchRequest { hash_bytes: table_bytes, threads, lines, selective, .. } = *request;
                let options = Options { table_bytes, threads, lines, selective };
                let mut engine = AlphaBeta::new(options).map_err(no_memory)?;
                watch = Stopwatch::start();
                let mut tell = |report: &Report<G::Move>| progress(&self.report_view(report, method, &watch));
                let known = self.endings();
                let limits = request.limits();
                (searching.alphabeta)(&mut engine, &self.record, known.as_deref(), &limits, stop, &mut tell)
            }
            Method::Mcts => {
                let SearchRequest { hash_bytes: memory, threads, seed, .. } = *request;
                let engine = Mcts::new(MctsOptions { threads, memory, seed, ..MctsOptions::default() });
                let mut tell = |report: &Report<G::Move>| progress(&self.report_view(report, method, &watch));
                engine.search(&self.record, &request.limits(), stop, &mut tell)
            }
            Method::Proof => {
                let mut engine = ProofNumber::new(request.hash_bytes).map_err(no_memory)?;
                watch = Stopwatch::start();
                engine.search(&self.record, &request.limits(), stop)
            }
        };
        Ok(self.report_view(&report, method, &watch))
    }
}
