//! What is said about tables.

use serde::Serialize;
use tabia_solve::file::{Info, Layout};
use tabia_solve::stats::Histogram;
use tabia_solve::verify::Verdict;

/// A table, in numbers.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableView {
    /// The game with its options.
    pub variant: String,
    /// `keys` or `index`: how positions are found.
    pub layout: &'static str,
    /// Whether distances are there.
    pub distances: bool,
    /// Positions, up to symmetry.
    pub positions: u64,
    /// Won for the side to move.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost for the side to move.
    pub losses: u64,
    /// Plies of the longest win.
    pub longest: u16,
    /// Bytes on disk.
    pub bytes: u64,
    /// Files.
    pub files: u64,
    /// Files that were there before the build.
    pub kept: u64,
    /// Bytes that the tables of the build took at the worst moment, where they were counted.
    pub peak_bytes: Option<u64>,
    /// Seconds on the clock.
    pub seconds: f64,
    /// Seconds on the processor, of this answer's own threads, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
}

impl TableView {
    /// Adds a file.
    pub(super) fn add(&mut self, info: &Info, bytes: u64) {
        let gaps = info.layout == Layout::Indexed;
        self.positions += if gaps { info.valued() } else { info.positions };
        self.wins += info.wins;
        self.draws += info.draws;
        self.losses += info.losses;
        self.longest = self.longest.max(info.longest);
        self.bytes += bytes;
        self.files += 1;
    }
}

/// What a check came to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerifyView {
    /// Whether everything was right.
    pub right: bool,
    /// Whether that proves the values (with distances it does).
    pub proof: bool,
    /// Values looked at.
    pub positions: u64,
    /// Values that were wrong.
    pub wrong: u64,
    /// The first few of them, in words.
    pub examples: Vec<String>,
    /// Seconds on the clock.
    pub seconds: f64,
    /// Seconds on the processor, of this answer's own threads, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
}

impl VerifyView {
    pub(crate) fn new(verdict: Verdict, watch: crate::measure::Stopwatch) -> Self {
        VerifyView {
            right: verdict.is_right(),
            proof: verdict.proof,
            positions: verdict.positions,
            wrong: verdict.wrong,
            examples: verdict.examples,
            seconds: watch.seconds(),
            cpu_seconds: watch.cpu_seconds(),
        }
    }
}

/// One slice and side to move, or one number of pieces.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SliceView {
    /// The slice, or the number of pieces.
    pub slice: String,
    /// Pieces on the board.
    pub pieces: u32,
    /// Positions.
    pub positions: u64,
    /// Won for the side to move.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost for the side to move.
    pub losses: u64,
    /// Plies of the longest win.
    pub longest: u16,
    /// A position that takes so long, of a slice with distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_position: Option<String>,
}

impl SliceView {
    pub(super) fn add(&mut self, info: &Info) {
        self.positions += info.valued();
        self.wins += info.wins;
        self.draws += info.draws;
        self.losses += info.losses;
        self.longest = self.longest.max(info.longest);
    }
}

/// The positions with one value and distance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BarView {
    /// `win`, `draw`, `loss` or `unknown`.
    pub value: &'static str,
    /// Plies to the end, where known.
    pub distance: Option<u16>,
    /// How many positions.
    pub positions: u64,
    /// One of them.
    pub example: String,
}

/// The longest win.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LongestView {
    /// Where it begins.
    pub position: String,
    /// Plies.
    pub distance: u16,
    /// Best play.
    pub line: Vec<String>,
}

/// What is in a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatsView {
    /// The sums.
    #[serde(flatten)]
    pub table: TableView,
    /// Per slice and side to move.
    pub slices: Vec<SliceView>,
    /// Per number of pieces, over both sides to move.
    pub pieces: Vec<SliceView>,
    /// By value and distance.
    pub histogram: Vec<BarView>,
    /// The longest win, where distances are known.
    pub longest_win: Option<LongestView>,
    /// The counts behind the plots.
    #[serde(skip)]
    pub bars: Histogram,
}

impl StatsView {
    /// The histogram as text, in at most `width` columns.
    pub fn plot_text(&self, width: usize, ascii: bool) -> String {
        tabia_solve::plot::terminal(&self.bars, width, ascii)
    }

    /// The histogram as an SVG picture.
    pub fn plot_svg(&self) -> String {
        tabia_solve::plot::svg(&self.bars, &self.table.variant)
    }
}
