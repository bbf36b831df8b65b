//! The puzzles that come with the program.

use serde::Serialize;
use std::sync::OnceLock;
use tabia_core::sort_many_by_key;
use tabia_report::puzzles::PuzzleRecord;

/// The puzzles of one game, read from their lines when they are first asked for.
#[derive(Clone, Debug, Default)]
pub struct ShippedPuzzles {
    lines: &'static str,
    read: OnceLock<Vec<PuzzleRecord>>,
}

impl ShippedPuzzles {
    /// Puzzles as JSON lines.
    pub const fn new(lines: &'static str) -> Self {
        ShippedPuzzles { lines, read: OnceLock::new() }
    }

    /// All of them, the easiest first; a line that is no puzzle is left out.
    pub fn all(&self) -> &[PuzzleRecord] {
        self.read.get_or_init(|| {
            let read = |line: &str| serde_json::from_str(line).ok();
            let mut puzzles: Vec<PuzzleRecord> = self.lines.lines().filter_map(read).collect();
            sort_many_by_key(&mut puzzles, |puzzle| puzzle.rating);
            puzzles
        })
    }

    /// The lines that are no puzzles, by their number: none, in a program that was tested.
    pub fn unreadable(&self) -> Vec<usize> {
        let bad = |line: &str| serde_json::from_str::<PuzzleRecord>(line).is_err();
        self.lines.lines().enumerate().filter(|(_, line)| bad(line)).map(|(at, _)| at + 1).collect()
    }

    /// The puzzle with an id.
    pub fn find(&self, id: &str) -> Option<&PuzzleRecord> {
        self.all().iter().find(|puzzle| puzzle.id() == id)
    }

    /// All of them without their solutions.
    pub fn list(&self) -> PuzzleListView {
        let item = |puzzle: &PuzzleRecord| PuzzleItem { id: puzzle.id(), rating: puzzle.rating };
        PuzzleListView { count: self.all().len(), puzzles: self.all().iter().map(item).collect() }
    }
}

/// The puzzles of a game, the easiest first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleListView {
    /// How many there are.
    pub count: usize,
    /// Each of them.
    pub puzzles: Vec<PuzzleItem>,
}

/// One of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleItem {
    /// Its name in links.
    pub id: String,
    /// How hard it is.
    pub rating: u16,
}

/// A puzzle with its solution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleView {
    /// Its name in links.
    pub id: String,
    /// The position.
    pub position: String,
    /// The only right move.
    #[serde(rename = "move")]
    pub mv: String,
    /// How it goes on after it, as far as it was worked out.
    pub line: Vec<String>,
    /// What the move brings the side to move: `win`, `draw`, `solvable` or `gain`.
    pub value: String,
    /// How many plies that takes with best play.
    pub plies: u32,
    /// How hard it is.
    pub rating: u16,
    /// What it is about.
    pub themes: Vec<String>,
    /// How the claim was verified: `tables`, `solver`, `proof` or `second search`.
    pub verified: &'static str,
}

impl From<&PuzzleRecord> for PuzzleView {
    fn from(puzzle: &PuzzleRecord) -> Self {
        PuzzleView {
            id: puzzle.id(),
            position: puzzle.position.clone(),
            mv: puzzle.mv.clone(),
            line: puzzle.line.clone(),
            value: puzzle.value.clone(),
            plies: puzzle.plies,
            rating: puzzle.rating,
            themes: puzzle.themes.clone(),
            verified: puzzle.verified.name(),
        }
    }
}
