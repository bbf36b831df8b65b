//! Puzzles: those that come with the program, and how more are made and checked.

// Puzzles are not made in a browser, where every kilobyte counts.
#[cfg(not(target_family = "wasm"))]
mod make;
mod shipped;

pub use shipped::{PuzzleListView, PuzzleView, ShippedPuzzles};
pub use tabia_report::puzzles::{PuzzleRecord, Verified, id_of};

#[cfg(not(target_family = "wasm"))]
pub(crate) use make::{SolitaireFns, solitaire_fns};

use crate::adapter::Adapter;
#[cfg(not(target_family = "wasm"))]
use crate::solve::WorkError;
#[cfg(not(target_family = "wasm"))]
use crate::watch::Watch;
use std::ops::ControlFlow;
use std::path::PathBuf;
use tabia_core::Present;

/// Which puzzles to make.
#[derive(Clone, Debug)]
pub struct PuzzlesRequest {
    /// How many.
    pub count: usize,
    /// The fewest plies to the end; what suits the game when left out.
    pub plies: Option<u32>,
    /// Where the randomness starts.
    pub seed: u64,
    /// A position or opening whose rules are used; the usual ones when left out.
    pub position: Option<String>,
    /// Tables of exact values; the usual ones when left out.
    pub tables: Option<PathBuf>,
    /// Threads to use.
    pub threads: usize,
    /// Bytes that solvers may use.
    pub memory: u64,
}

impl Default for PuzzlesRequest {
    fn default() -> Self {
        PuzzlesRequest {
            count: 100,
            plies: None,
            seed: 0,
            position: None,
            tables: None,
            threads: 1,
            memory: crate::solve::DEFAULT_MEMORY,
        }
    }
}

/// What came of making puzzles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Puzzles.
    pub puzzles: usize,
    /// Games that were played to find them.
    pub games: u64,
}

/// Somebody who hears of each puzzle.
pub type PuzzleSink<'a> = dyn FnMut(&PuzzleRecord) -> ControlFlow<()> + 'a;

/// A game with puzzles.
pub trait PuzzlesGame: Send + Sync {
    /// Those that come with the program.
    fn shipped(&self) -> &ShippedPuzzles;
    /// Makes puzzles. The same request makes the same puzzles, whatever the threads.
    #[cfg(not(target_family = "wasm"))]
    fn make_puzzles(
        &self,
        request: &PuzzlesRequest,
        watch: &Watch<'_>,
        sink: &mut PuzzleSink<'_>,
    ) -> Result<Made, WorkError>;
    /// Checks a puzzle again, by other means than it was made with; `Some` says what is wrong with it.
    #[cfg(not(target_family = "wasm"))]
    fn check_puzzle(
        &self,
        puzzle: &PuzzleRecord,
        request: &PuzzlesRequest,
        watch: &Watch<'_>,
    ) -> Result<Option<String>, WorkError>;
}

impl<G: Present> PuzzlesGame for Adapter<G> {
    fn shipped(&self) -> &ShippedPuzzles {
        &self.puzzles
    }

    #[cfg(not(target_family = "wasm"))]
    fn make_puzzles(
        &self,
        request: &PuzzlesRequest,
        watch: &Watch<'_>,
        sink: &mut PuzzleSink<'_>,
    ) -> Result<Made, WorkError> {
        make::make(self, request, watch, sink)
    }

    #[cfg(not(target_family = "wasm"))]
    fn check_puzzle(
        &self,
        puzzle: &PuzzleRecord,
        request: &PuzzlesRequest,
        watch: &Watch<'_>,
    ) -> Result<Option<String>, WorkError> {
        make::check(self, puzzle, request, watch)
    }
}
