//! Games for one player that come with an exact solver of their own.
//!
//! The goal is part of the rules: [`Puzzle::with_goal`] gives the same puzzle with another one, and
//! every question is then asked of that. Work that may take long is given a [`Work`].

use crate::{Notation, PositionError, Work};
use serde::Serialize;

/// Whether a position can be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Solvable {
    /// Yes: there is a line to the goal.
    Solvable,
    /// No: proved.
    Unsolvable,
    /// Not worked out within the limits.
    Unknown,
}

impl Solvable {
    /// `solvable`, `unsolvable` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Solvable::Solvable => "solvable",
            Solvable::Unsolvable => "unsolvable",
            Solvable::Unknown => "unknown",
        }
    }
}

/// The answer to "can it be solved?".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer<Move> {
    /// Yes, no, or not worked out.
    pub value: Solvable,
    /// The moves of a solution, one by one; empty when there is none or nothing is left to do.
    pub line: Vec<Move>,
    /// Whether no solution has fewer moves, as people count them ([`Puzzle::group`]).
    pub fewest: bool,
    /// How it was found, as a word: `class`, `beam`, `levels`.
    pub method: &'static str,
    /// Why, in a sentence; mostly for negative answers.
    pub reason: String,
    /// Positions looked at.
    pub positions: u64,
    /// Bytes the largest tables took together.
    pub peak_bytes: u64,
}

/// How many solutions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number of different sequences of moves that reach the goal; `None` when not worked out.
    pub solutions: Option<u128>,
    /// Positions looked at.
    pub positions: u64,
    /// Bytes the largest tables took together.
    pub peak_bytes: u64,
}

/// One level of all positions that can be reached: those after some number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PuzzleLevel {
    /// Moves from the start.
    pub ply: u32,
    /// Positions.
    pub positions: u64,
    /// Those without a move; counted on demand.
    pub dead_ends: Option<u64>,
    /// Those from which the goal can still be reached; counted on demand.
    pub solvable: Option<u64>,
}

/// What to count in each level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelOptions {
    /// Count a position and its images under the symmetries of the puzzle once.
    pub symmetry: bool,
    /// Stop after this many moves.
    pub depth: Option<u32>,
    /// Also count positions without a move.
    pub dead_ends: bool,
    /// Also count positions from which the goal can be reached.
    pub solvable: bool,
}

/// All levels, and what they cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Levels {
    /// The levels; fewer than there are when the work was stopped.
    pub levels: Vec<PuzzleLevel>,
    /// Whether all levels asked for are there.
    pub complete: bool,
    /// Bytes the largest tables took together.
    pub peak_bytes: u64,
}

/// A game for one player with an exact solver of its own.
pub trait Puzzle: Notation {
    /// The same puzzle with the goal a text names.
    fn with_goal(&self, text: &str) -> Result<Self, PositionError>;

    /// The goal, as [`Puzzle::with_goal`] reads it.
    fn goal_name(&self) -> String;

    /// One solution, or a proof that there is none.
    fn solve(&self, state: &Self::State, work: &Work<'_>) -> Answer<Self::Move>;

    /// A solution with the fewest moves as people count them, proved to be one.
    fn solve_fewest(&self, state: &Self::State, work: &Work<'_>) -> Answer<Self::Move>;

    /// The number of solutions.
    fn count_solutions(&self, state: &Self::State, work: &Work<'_>) -> Count;

    /// For every legal move, whether the position after it can still be solved.
    fn hints(&self, state: &Self::State, work: &Work<'_>) -> Vec<(Self::Move, Solvable)>;

    /// The positions that can be reached, level by level; `None` when the puzzle is too large for
    /// its own way of counting (the general enumeration then remains). `on_level` hears of each
    /// level as soon as its positions are counted.
    fn levels(
        &self,
        state: &Self::State,
        options: LevelOptions,
        work: &Work<'_>,
        on_level: &mut dyn FnMut(&PuzzleLevel),
    ) -> Option<Levels>;

    /// Every position of the board from which the goal can be reached, one of each class of symmetric
    /// ones, with the number of moves that takes; every other position is thereby known not to be
    /// solvable. `Err` says why that cannot be done; `room` is how many positions there may be.
    fn solvable_positions(
        &self,
        room: u64,
        work: &Work<'_>,
        on_position: &mut dyn FnMut(Self::State, u16),
    ) -> Result<(), String>;

    /// Groups a line into moves as people count them, each written out: `d2-d4-f4`.
    fn group(&self, state: &Self::State, line: &[Self::Move]) -> Vec<String>;
}
