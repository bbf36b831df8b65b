//! What a search answers, as front ends print and send it.

use super::Method;
use crate::adapter::Held;
use crate::measure::Stopwatch;
use serde::Serialize;
use tabia_core::Present;
use tabia_search::{Line, Report, Score, TableStats};

/// A score: `{"win": plies}`, `{"loss": plies}`, `{"draw": true}` or `{"estimate": hundredths}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ScoreView {
    /// The side to move wins in so many plies.
    Win(u16),
    /// The side to move loses in so many plies.
    Loss(u16),
    /// Proven to be a draw; always true.
    Draw(bool),
    /// A guess, in hundredths of a man, pawn or brick.
    Estimate(i32),
}

impl From<Score> for ScoreView {
    fn from(score: Score) -> Self {
        match score {
            Score::Win(plies) => ScoreView::Win(plies),
            Score::Loss(plies) => ScoreView::Loss(plies),
            Score::Draw => ScoreView::Draw(true),
            Score::Estimate(value) => ScoreView::Estimate(value),
        }
    }
}

impl std::fmt::Display for ScoreView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            ScoreView::Win(plies) => write!(f, "win in {plies}"),
            ScoreView::Loss(plies) => write!(f, "loss in {plies}"),
            ScoreView::Draw(_) => f.write_str("draw"),
            ScoreView::Estimate(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
        }
    }
}

/// One of the best lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineView {
    /// Its score for the side to move.
    pub score: ScoreView,
    /// Its moves.
    pub pv: Vec<String>,
}

/// How the table served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableUse {
    /// Times it was asked.
    pub probes: u64,
    /// Times it knew something.
    pub hits: u64,
    /// Times it was told.
    pub stores: u64,
}

impl From<TableStats> for TableUse {
    fn from(TableStats { probes, hits, stores }: TableStats) -> Self {
        TableUse { probes, hits, stores }
    }
}

/// The answer of a search, or its answer so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchView {
    /// The position searched.
    pub position: String,
    /// The best move; none when the game is over.
    #[serde(rename = "move")]
    pub best: Option<String>,
    /// What the position is worth for the side to move.
    pub score: ScoreView,
    /// Whether the score cannot change any more.
    pub exact: bool,
    /// How it was searched: `alphabeta`, `mcts`, `proof`.
    pub method: &'static str,
    /// Plies looked ahead (alpha-beta), or the length of the line.
    pub depth: u32,
    /// Positions visited (playouts, for Monte-Carlo).
    pub nodes: u64,
    /// Time on the clock.
    pub seconds: f64,
    /// Time on the processor, of this search's own threads, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Nodes per second on the processor.
    pub nodes_per_second: f64,
    /// The line expected when both play their best.
    pub pv: Vec<String>,
    /// All lines, where several were asked for.
    pub lines: Vec<LineView>,
    /// How the table served.
    pub table: TableUse,
}

impl<G: Present> Held<G> {
    /// A line in the game's notation.
    fn moves_text(&self, moves: &[G::Move]) -> Vec<String> {
        let mut state = self.state().clone();
        let text = |&mv: &G::Move| {
            let text = self.rules().format_move(&state, mv);
            self.rules().play(&mut state, mv);
            text
        };
        moves.iter().map(text).collect()
    }

    pub(super) fn report_view(
        &self,
        report: &Report<G::Move>,
        method: Method,
        watch: &Stopwatch,
    ) -> SearchView {
        let line =
            |line: &Line<G::Move>| LineView { score: line.score.into(), pv: self.moves_text(&line.moves) };
        let lines: Vec<LineView> = report.lines.iter().map(line).collect();
        let pv = lines.first().map(|line| line.pv.clone()).unwrap_or_default();
        SearchView {
            position: self.rules().format(self.state()),
            best: pv.first().cloned(),
            score: report.score.into(),
            exact: report.exact,
            method: method.name(),
            depth: report.depth,
            nodes: report.nodes,
            seconds: watch.seconds(),
            cpu_seconds: watch.cpu_seconds(),
            nodes_per_second: watch.rate(report.nodes as f64),
            pv,
            lines,
            table: report.table.into(),
        }
    }
}
