//! What a search answers.

use crate::Score;

/// One way the game may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<Move> {
    /// The moves, the best one now first.
    pub moves: Vec<Move>,
    /// What it is worth for the side to move now.
    pub score: Score,
}

/// How a table served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableStats {
    /// Times it was asked.
    pub probes: u64,
    /// Times it knew something.
    pub hits: u64,
    /// Times it was told.
    pub stores: u64,
}

impl std::ops::AddAssign for TableStats {
    fn add_assign(&mut self, other: Self) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.stores += other.stores;
    }
}

/// The answer of a search, or its answer so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<Move> {
    /// The best lines, the best first; empty when the game is over.
    pub lines: Vec<Line<Move>>,
    /// What the position is worth for the side to move.
    pub score: Score,
    /// Whether the score cannot change any more: the result is proven and the distance the shortest.
    pub exact: bool,
    /// Plies looked ahead in full (alpha-beta), or the length of the longest line (the others).
    pub depth: u32,
    /// Positions visited (playouts, for Monte-Carlo).
    pub nodes: u64,
    /// Time on the clock.
    pub seconds: f64,
    /// How the table served.
    pub table: TableStats,
}

impl<Move: Copy> Report<Move> {
    /// The best move; `None` when the game is over.
    pub fn best(&self) -> Option<Move> {
        self.pv().first().copied()
    }

    /// The line expected when both play their best.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.moves)
    }

    /// Nodes per second on the clock.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }

    /// The report of a game that is over.
    pub(crate) fn over(score: Score) -> Self {
        let table = TableStats::default();
        Report { lines: Vec::new(), score, exact: true, depth: 0, nodes: 0, seconds: 0.0, table }
    }
}
