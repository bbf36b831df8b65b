//! Counting what can come: move sequences, reachable positions, random games.

use crate::adapter::Held;
use crate::enumerate::LevelListener;
use crate::solve::WorkError;
use crate::views::{EnumerateView, PerftView, PlayoutView};
use crate::watch::Watch;
use crate::{ErrorKind, InputError};
use std::time::Duration;
use tabia_core::Present;

/// A position from which things can be counted.
pub trait CountPosition: Send + Sync {
    /// Counts move sequences.
    fn perft(&self, request: &PerftRequest, watch: &Watch<'_>) -> Result<PerftView, WorkError>;
    /// Counts reachable positions; `on_level` hears of each ply.
    fn enumerate(
        &self,
        request: &EnumerateRequest,
        watch: &Watch<'_>,
        on_level: &mut LevelListener<'_>,
    ) -> Result<EnumerateView, WorkError>;
    /// Plays random games.
    fn playouts(&self, request: &PlayoutRequest, watch: &Watch<'_>) -> Result<PlayoutView, WorkError>;
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
    /// Bytes that the tables of positions may use.
    pub memory: u64,
}

/// How to play random games: until the first limit is reached.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutRequest {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Number of games, of all threads together.
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
    fn perft(&self, request: &PerftRequest, watch: &Watch<'_>) -> Result<PerftView, WorkError> {
        self.counted(&self.counting_by(request.count.as_deref())?, request, watch)
    }

    fn enumerate(
        &self,
        request: &EnumerateRequest,
        watch: &Watch<'_>,
        on_level: &mut LevelListener<'_>,
    ) -> Result<EnumerateView, WorkError> {
        self.enumerated(request, watch, on_level)
    }

    fn playouts(&self, request: &PlayoutRequest, watch: &Watch<'_>) -> Result<PlayoutView, WorkError> {
        self.played_out(request, watch)
    }
}
