//! Searching a position: requests and answers as front ends write them.

mod elo;
mod evaluation;
mod foreign;
#[cfg(not(target_family = "wasm"))]
mod learn;
mod matches;
mod player;
mod strength;
mod suite;
mod views;

use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::{ErrorKind, InputError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::str::FromStr;
use std::time::Duration;
use tabia_core::rng::mix;
use tabia_core::{Evaluate, Game, Present, Probe, Record, SplitMix64};
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, ProofNumber, Question, Report, SearchOptions};

pub use elo::{Sprt, SprtVerdict};
pub use evaluation::Evaluation;
pub(crate) use evaluation::{Networks, SharedJudges, ShippedNet};
pub use foreign::ForeignSpec;
#[cfg(not(target_family = "wasm"))]
pub use learn::{TrainRequest, TrainView};
pub use matches::{MatchRequest, MatchView};
pub use player::{Player, PlayerSpec, duration};
pub use strength::{LEVEL_NAMES, Strength};
pub use suite::{SuiteAnswer, SuitePosition, SuiteView, read_suite, run_suite};
#[cfg(not(target_family = "wasm"))]
pub use tabia_nnue::{SelfPlay, TrainingOptions};
pub use tabia_search::{Score, Stop};
pub use views::{LineView, ScoreView, SearchView, TableUse};

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
    /// Where the randomness starts (Monte-Carlo, and mistakes on purpose).
    pub seed: u64,
    /// How strongly to play at most.
    pub strength: Option<Strength>,
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
            strength: None,
        }
    }
}

impl SearchRequest {
    /// The limits, where a limited strength allows so many nodes.
    fn limits(&self, allowed: impl Fn(&Strength) -> u64) -> Limits {
        let allowed = self.strength.as_ref().map(allowed);
        let nodes = self.nodes.map_or(allowed, |nodes| Some(allowed.map_or(nodes, |most| nodes.min(most))));
        Limits { time: self.time, depth: self.depth, nodes, ..Limits::default() }
    }
}

/// What one iteration of a search tells a front end.
type Progress<'a, M> = &'a mut dyn FnMut(&Report<M>);

/// What a game with an evaluation can do, as function pointers.
pub(crate) struct Evaluated<G: Present> {
    /// A search that is asked anything.
    pub(crate) ask: tabia_quick::Ask<G>,
    judged: tabia_quick::Judged<G>,
    pub(crate) greedy: fn(&Record<G>, &mut SplitMix64) -> Option<G::Move>,
    /// The evaluation itself.
    pub(crate) evaluate: fn(&G, &G::State) -> i32,
    /// The names of the terms of the evaluation.
    pub(crate) terms: fn(&G) -> Vec<String>,
}

impl<G: Evaluate + Present> Evaluated<G> {
    pub(crate) fn of(searches: tabia_quick::Searches<G>) -> Self {
        Evaluated {
            ask: searches.ask,
            judged: searches.judged,
            greedy: player::greedy,
            evaluate: G::evaluate,
            terms: |rules| rules.terms().iter().map(|term| (*term).to_owned()).collect(),
        }
    }
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Evaluated<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Evaluated<G> {}

/// A move as UCI writes it.
pub(crate) type UciFn<G> = fn(&<G as Game>::State, <G as Game>::Move) -> String;

/// What a search or a player of a game is given: opened once, for as many moves as are asked for.
pub(crate) struct Means<'a, G: Present> {
    pub(crate) evaluated: Option<Evaluated<G>>,
    /// The ending tables.
    tables: Option<Box<dyn Probe<G>>>,
    /// The evaluation; none: the game's own.
    judges: Option<SharedJudges<G>>,
    /// How UCI writes a move.
    uci: Option<UciFn<G>>,
    pub(crate) stop: &'a Stop,
}

impl<G: Present> Means<'_, G> {
    /// Runs an alpha-beta engine; `None` where the game has no evaluation.
    pub(crate) fn alphabeta(
        &self,
        engine: &mut AlphaBeta,
        record: &Record<G>,
        limits: &Limits,
        progress: Progress<'_, G::Move>,
    ) -> Option<Report<G::Move>> {
        let (known, judges) = (self.tables.as_deref(), self.judges.as_deref());
        let question = Question { known, judges, ..Question::default() };
        Some((self.evaluated?.ask)(engine, record, &question, limits, self.stop, progress))
    }

    /// Runs a Monte-Carlo engine: by the evaluation where there is one beside the game's own, otherwise by playouts.
    pub(crate) fn monte_carlo(
        &self,
        engine: &Mcts,
        record: &Record<G>,
        limits: &Limits,
        progress: Progress<'_, G::Move>,
    ) -> Report<G::Move> {
        match (self.evaluated, self.judges.as_deref()) {
            (Some(evaluated), Some(judges)) => {
                (evaluated.judged)(engine, record, judges, limits, self.stop, progress)
            }
            _ => engine.search(record, limits, self.stop, progress),
        }
    }
}

/// A position that can be searched.
pub trait SearchPosition: Send + Sync {
    /// Searches for the best move; `progress` hears of answers on the way.
    fn search(
        &self,
        request: &SearchRequest,
        stop: &Stop,
        progress: &mut dyn FnMut(&SearchView),
    ) -> Result<SearchView, InputError>;
    /// Whether there is an evaluation to search with.
    fn has_evaluation(&self) -> bool;
    /// The move a player chooses here; `None` when there is none. One who is stopped chooses at once.
    fn choose(&self, player: &mut Player, stop: &Stop) -> Result<Option<String>, InputError>;
    /// Plays a match from here. Games are written to `output` when the request says how; `on_pair` hears
    /// how the match stands. One that is stopped gives the table so far.
    fn play_match(
        &self,
        request: &MatchRequest,
        output: &mut (dyn Write + Send),
        stop: &Stop,
        on_pair: &mut (dyn FnMut(&MatchView) + Send),
    ) -> Result<MatchView, InputError>;
    /// Trains a network for these rules; `on_epoch` hears the number of each epoch, its error, and that on games held out.
    #[cfg(not(target_family = "wasm"))]
    fn train(
        &self,
        request: &TrainRequest,
        watch: &crate::Watch<'_>,
        on_epoch: &mut dyn FnMut(u32, f64, f64),
    ) -> Result<TrainView, InputError>;
}

impl<G: Present> SearchPosition for Held<G> {
    fn search(
        &self,
        request: &SearchRequest,
        stop: &Stop,
        progress: &mut dyn FnMut(&SearchView),
    ) -> Result<SearchView, InputError> {
        let asked = request.method.is_some() || request.strength.is_some();
        let known = self.capabilities.endings.filter(|_| !asked);
        if let Some(solved) = known.map_or(Ok(None), |endings| (endings.known)(self))? {
            return Ok(solved.into_search());
        }
        self.search_view(request, stop, progress)
    }

    fn has_evaluation(&self) -> bool {
        self.capabilities.evaluated.is_some()
    }

    fn choose(&self, player: &mut Player, stop: &Stop) -> Result<Option<String>, InputError> {
        self.choose_text(player, stop)
    }

    fn play_match(
        &self,
        request: &MatchRequest,
        output: &mut (dyn Write + Send),
        stop: &Stop,
        on_pair: &mut (dyn FnMut(&MatchView) + Send),
    ) -> Result<MatchView, InputError> {
        self.match_view(request, output, stop, on_pair)
    }

    #[cfg(not(target_family = "wasm"))]
    fn train(
        &self,
        request: &TrainRequest,
        watch: &crate::Watch<'_>,
        on_epoch: &mut dyn FnMut(u32, f64, f64),
    ) -> Result<TrainView, InputError> {
        let networks = self.capabilities.networks.ok_or_else(|| self.no_features())?;
        (networks.train)(self, request, watch, &mut |epoch| {
            on_epoch(epoch.number, epoch.loss, epoch.held_out);
        })
    }
}

/// A seed that is another one every time.
pub(crate) fn any_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl<G: Present> Held<G> {
    /// What a search of this position has to go by, with the game's own evaluation.
    pub(crate) fn means<'a>(&self, stop: &'a Stop) -> Means<'a, G> {
        let (evaluated, uci) = (self.capabilities.evaluated, self.capabilities.uci);
        Means { evaluated, tables: self.ending_tables(), judges: None, uci, stop }
    }

    /// The same with another evaluation.
    pub(crate) fn means_by<'a>(
        &self,
        evaluation: &Evaluation,
        stop: &'a Stop,
    ) -> Result<Means<'a, G>, InputError> {
        Ok(Means { judges: self.judges(evaluation)?, ..self.means(stop) })
    }

    /// The ending tables: those in memory, or those of the settings' folder.
    pub(crate) fn ending_tables(&self) -> Option<Box<dyn Probe<G>>> {
        if let Some(tables) = self.in_memory.clone() {
            return Some(Box::new(tables));
        }
        (self.capabilities.endings?.open)(self.rules(), self.settings.tables.as_deref()?)
    }

    pub(crate) fn damaged(&self, message: String) -> InputError {
        InputError::new(ErrorKind::Damaged, self.rules().format(self.state()), message)
    }

    pub(super) fn no_evaluation(&self) -> InputError {
        let message =
            format!("{} has no evaluation; the methods mcts and proof need none", self.rules().id());
        InputError::new(ErrorKind::Unsupported, self.rules().format(self.state()), message)
    }

    /// Searches the position.
    pub(crate) fn search_view(
        &self,
        request: &SearchRequest,
        stop: &Stop,
        progress: &mut dyn FnMut(&SearchView),
    ) -> Result<SearchView, InputError> {
        let able = self.capabilities.evaluated.is_some();
        let method = request.method.unwrap_or(if able { Method::AlphaBeta } else { Method::Mcts });
        let no_memory = |error: tabia_table::TableError| {
            InputError::new(ErrorKind::Unsupported, request.hash_bytes.to_string(), error.to_string())
        };
        // Making a large table takes longer than a small search: the watch starts after it.
        let mut watch = Stopwatch::start();
        // What helpers have used is known when they have come home.
        let so_far = |report: &Report<G::Move>, watch: &Stopwatch| {
            let view = self.report_view(report, method, watch);
            SearchView { cpu_seconds: view.cpu_seconds.filter(|_| request.threads <= 1), ..view }
        };
        let report = match method {
            Method::AlphaBeta => {
                let mut means = self.means_by(&self.settings.evaluation, stop)?;
                if request.strength.is_some() {
                    means.tables = None;
                }
                let SearchRequest { hash_bytes: table_bytes, threads, selective, .. } = *request;
                let candidates = request.strength.map_or(1, |strength| strength.candidates());
                let lines = request.lines.max(candidates);
                let options = SearchOptions { table_bytes, threads, lines, selective };
                let mut engine = AlphaBeta::new(options).map_err(no_memory)?;
                watch = Stopwatch::start();
                let mut tell = |report: &Report<G::Move>| progress(&so_far(report, &watch));
                let limits = request.limits(Strength::nodes);
                let mut report = means
                    .alphabeta(&mut engine, &self.record, &limits, &mut tell)
                    .ok_or_else(|| self.no_evaluation())?;
                if let Some(strength) = request.strength {
                    // Another mistake in every position.
                    let key = self.rules().key(self.state()).0;
                    let chosen = strength.choose(&report, &mut SplitMix64::new(mix(request.seed ^ key)));
                    let among = report.lines.len().min(chosen + 1);
                    report.lines[..among].rotate_right(1.min(among));
                    report.lines.truncate(request.lines);
                }
                if let Some(fault) = means.tables.as_ref().and_then(|tables| tables.fault()) {
                    return Err(self.damaged(fault));
                }
                report
            }
            Method::Mcts => {
                let SearchRequest { hash_bytes: memory, threads, seed, .. } = *request;
                let engine = Mcts::new(MctsOptions { threads, memory, seed, ..MctsOptions::default() });
                let mut tell = |report: &Report<G::Move>| progress(&so_far(report, &watch));
                // Playouts know what a network does not: it is used where it is asked for.
                let evaluation = &self.settings.evaluation;
                let judged = matches!(evaluation, Evaluation::Net | Evaluation::File(_));
                let means = if judged { self.means_by(evaluation, stop)? } else { self.means(stop) };
                let limits = request.limits(Strength::playouts);
                means.monte_carlo(&engine, &self.record, &limits, &mut tell)
            }
            Method::Proof => {
                let mut engine = ProofNumber::new(request.hash_bytes).map_err(no_memory)?;
                watch = Stopwatch::start();
                engine.search(&self.record, &request.limits(Strength::nodes), stop)
            }
        };
        Ok(self.report_view(&report, method, &watch))
    }
}
