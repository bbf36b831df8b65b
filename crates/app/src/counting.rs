//! Counting what can come: move sequences, reachable positions, random games.

use crate::adapter::Held;
use crate::enumerate::LevelWatcher;
use crate::measure::{Stopwatch, per_second};
use crate::views::{DivideView, EnumerateView, PerftView, PlayoutView};
use crate::{ErrorKind, InputError};
use std::time::Duration;
use tabia_core::{Present, perft, playout};

/// A position from which things can be counted.
pub trait CountPosition: Send + Sync {
    /// Counts move sequences.
    fn perft(&self, request: &PerftRequest) -> Result<PerftView, InputError>;
    /// Counts reachable positions; `on_level` hears of each ply and may stop the work.
    fn enumerate(
        &self,
        request: &EnumerateRequest,
        on_level: &mut LevelWatcher<'_>,
    ) -> Result<EnumerateView, InputError>;
    /// Plays random games.
    fn playouts(&self, request: &PlayoutRequest) -> PlayoutView;
}

/// How to count move sequences.
#[derive(Clone, Debug, Default)]
pub struct PerftRequest {
    /// The length of the sequences.
    pub depth: u32,
    /// Also count below each move.
    pub divide: bool,
    /// One of the game's ways of counting.
    pub count: Option<String>,
    /// Threads to use.
    pub threads: usize,
    /// Bytes for a table of exact positions, over all threads; 0 for none.
    pub hash_bytes: usize,
}

/// How to count reachable positions.
#[derive(Clone, Debug)]
pub struct EnumerateRequest {
    /// Count images under symmetry once.
    pub symmetry: bool,
    /// Stop after this many plies.
    pub depth: Option<u32>,
    /// Puzzles: also count positions without a move (other games always do).
    pub dead_ends: bool,
    /// Puzzles: also count positions from which the goal can be reached.
    pub solvable: bool,
    /// Puzzles: the goal.
    pub goal: Option<String>,
    /// Threads to use.
    pub threads: usize,
    /// Bytes that a game's own way of counting may use.
    pub memory: u64,
}

/// How to play random games: until the first limit is reached.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutRequest {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Number of games (per thread).
    pub games: Option<u64>,
    /// Threads to use.
    pub threads: usize,
    /// Where the randomness starts.
    pub seed: u64,
}

impl<G: Present> Held<G> {
    /// The rules with one of their ways of counting.
    fn counting_by(&self, count: Option<&str>) -> Result<G, InputError> {
        let Some(mode) = count else { return Ok(self.rules().clone()) };
        self.rules().with_count_mode(mode).ok_or_else(|| {
            let modes = self.rules().count_modes().join(", ");
            let known = if modes.is_empty() {
                "has only one way of counting".to_owned()
            } else {
                format!("counts {modes}")
            };
            InputError::new(ErrorKind::Unknown, mode, format!("{} {known}, not {mode:?}", self.rules().id()))
        })
    }
}

impl<G: Present> CountPosition for Held<G> {
    fn perft(&self, request: &PerftRequest) -> Result<PerftView, InputError> {
        let rules = self.counting_by(request.count.as_deref())?;
        let entry = size_of::<Option<(G::Packed, u32, u64)>>();
        let hash_entries = request.hash_bytes / request.threads.max(1) / entry;
        let options = perft::Options { threads: request.threads, hash_entries };
        let watch = Stopwatch::start();
        let divide = request.divide.then(|| perft::divide(&rules, self.state(), request.depth, options));
        let nodes = match &divide {
            Some(parts) if request.depth > 0 => parts.iter().map(|part| part.1).sum(),
            _ => perft::perft(&rules, self.state(), request.depth, options),
        };
        let cpu_seconds = watch.cpu_seconds();
        let part = |(mv, nodes): (G::Move, u64)| DivideView {
            text: rules.format_move(self.state(), mv),
            nodes: nodes.into(),
        };
        Ok(PerftView {
            depth: request.depth,
            nodes: nodes.into(),
            divide: divide.map(|parts| parts.into_iter().map(part).collect()),
            cpu_seconds,
            seconds: watch.seconds(),
            nodes_per_second: per_second(nodes as f64, cpu_seconds),
        })
    }

    fn enumerate(
        &self,
        request: &EnumerateRequest,
        on_level: &mut LevelWatcher<'_>,
    ) -> Result<EnumerateView, InputError> {
        self.enumerated(request, on_level)
    }

    fn playouts(&self, request: &PlayoutRequest) -> PlayoutView {
        let watch = Stopwatch::start();
        let run = |thread: u64| {
            let stop = |report: &playout::Report| {
                let games = request.games.is_some_and(|games| report.playouts >= games);
                games || request.time.is_some_and(|time| watch.elapsed() >= time)
            };
            playout::playouts(self.rules(), self.state(), request.seed.wrapping_add(thread), stop)
        };
        let reports: Vec<playout::Report> = std::thread::scope(|scope| {
            let others: Vec<_> =
                (1..request.threads.max(1) as u64).map(|n| scope.spawn(move || run(n))).collect();
            let first = run(0);
            std::iter::once(first).chain(others.into_iter().filter_map(|other| other.join().ok())).collect()
        });
        let report = reports.iter().fold(playout::Report::default(), playout::Report::plus);
        let cpu_seconds = watch.cpu_seconds();
        PlayoutView {
            playouts: report.playouts,
            plies: report.plies,
            plies_per_second: per_second(report.plies as f64, cpu_seconds),
            playouts_per_second: per_second(report.playouts as f64, cpu_seconds),
            mean_length: report.mean_length(),
            mean_branching: report.mean_branching(),
            wins0: report.wins[0],
            wins1: report.wins[1],
            draws: report.draws,
            cpu_seconds,
            seconds: watch.seconds(),
        }
    }
}
