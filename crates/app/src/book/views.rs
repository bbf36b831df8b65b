//! What is told about books, with the field names of `--json` and HTTP.

use crate::views::{Count, hex_code};
use crate::whole::result_word;
use serde::Serialize;
use tabia_book::{Counts, KeptGame, MoveStats, PositionStats, TopPosition};
use tabia_core::{Notation, Present};

/// Games by their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountsView {
    /// All games.
    pub total: Count,
    /// Won by player 0.
    pub wins0: Count,
    /// Won by player 1.
    pub wins1: Count,
    /// Drawn.
    pub draws: Count,
}

impl From<Counts> for CountsView {
    fn from(counts: Counts) -> Self {
        let total = Count(u128::from(counts.wins0) + u128::from(counts.wins1) + u128::from(counts.draws));
        CountsView {
            total,
            wins0: counts.wins0.into(),
            wins1: counts.wins1.into(),
            draws: counts.draws.into(),
        }
    }
}

/// What a book knows about a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookView {
    /// The position.
    pub position: String,
    /// The player to move, whose score and win rate are meant.
    pub side: usize,
    /// Games that met the position.
    #[serde(flatten)]
    pub counts: CountsView,
    /// Points per game for the player to move, a draw being half a point.
    pub score: f64,
    /// The moves that were played.
    pub moves: Vec<BookMoveView>,
    /// Moves left out because too few games played them.
    pub hidden: u64,
    /// Whether only kept games that a filter takes are counted.
    pub filtered: bool,
    /// Some of the games, where the book keeps their tags.
    pub games: Vec<BookGameView>,
}

/// A game that a book kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookGameView {
    /// Its id in the book.
    pub id: String,
    /// The tag `White`.
    pub white: Option<String>,
    /// The tag `Black`.
    pub black: Option<String>,
    /// The tag `Event`.
    pub event: Option<String>,
    /// The tag `Date`.
    pub date: Option<String>,
    /// The tag `Opening`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// `1-0` when player 0 won, `0-1`, `1/2-1/2`.
    pub result: &'static str,
    /// Whether an engine played it against itself.
    pub selfplay: bool,
    /// Whether its moves are kept.
    pub moves: bool,
}

pub(super) fn game(game: &KeptGame) -> BookGameView {
    let tag = |name: &str| game.tag(name).map(str::to_owned);
    BookGameView {
        id: game.id.to_string(),
        white: tag("White"),
        black: tag("Black"),
        event: tag("Event"),
        date: tag("Date"),
        opening: tag("Opening"),
        result: result_word(game.outcome),
        selfplay: game.is_selfplay(),
        moves: game.moves.is_some(),
    }
}

/// What a book knows about a move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookMoveView {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// Its code, where the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Moves that are the same by symmetry, and are counted here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<String>,
    /// Games that played it here.
    #[serde(flatten)]
    pub counts: CountsView,
    /// The share of the position's games.
    pub share: f64,
    /// Points per game for the player to move, a draw being half a point.
    pub score: f64,
    /// The share of games the player to move won.
    pub win_rate: f64,
    /// The 95 % Wilson interval of the win rate.
    pub win_rate_interval: [f64; 2],
    /// Games that reached the position after it, by any road.
    pub reached: CountsView,
}

pub(super) fn book<G: Present>(rules: &G, state: &G::State, stats: &PositionStats<G::Move>) -> BookView {
    let side = stats.side;
    let text = |mv: &G::Move| rules.format_move(state, *mv);
    let view = |stats: &MoveStats<G::Move>| BookMoveView {
        text: text(&stats.mv),
        code: rules.move_code(state, stats.mv).map(|code| hex_code(code, 2)),
        same: stats.same.iter().map(text).collect(),
        counts: stats.played.into(),
        share: stats.share,
        score: stats.played.score(side),
        win_rate: stats.played.win_rate(side),
        win_rate_interval: stats.played.wilson(side),
        reached: stats.reached.into(),
    };
    BookView {
        position: rules.format(state),
        side: side.index(),
        counts: stats.totals.into(),
        score: stats.totals.score(side),
        moves: stats.moves.iter().map(view).collect(),
        hidden: stats.hidden,
        filtered: false,
        games: Vec::new(),
    }
}

/// The positions of a book that stand out.
#[derive(Clone, Debug, Serialize)]
pub struct TopView {
    /// The positions, the first first.
    pub positions: Vec<TopPositionView>,
    /// How many positions have enough games.
    pub eligible: u64,
}

/// A position that stands out.
#[derive(Clone, Debug, Serialize)]
pub struct TopPositionView {
    /// The position: the representative of its class.
    pub position: String,
    /// The player to move.
    pub side: usize,
    /// Games that met it.
    #[serde(flatten)]
    pub counts: CountsView,
    /// Points per game for the player to move.
    pub score: f64,
    /// Different moves played.
    pub moves: usize,
}

pub(super) fn top<G: Notation>(rules: &G, positions: &[TopPosition<G::State>], eligible: u64) -> TopView {
    let view = |top: &TopPosition<G::State>| {
        let side = rules.side(&top.state);
        TopPositionView {
            position: rules.format(&top.state),
            side: side.index(),
            counts: top.totals.into(),
            score: top.totals.score(side),
            moves: top.moves,
        }
    };
    TopView { positions: positions.iter().map(view).collect(), eligible }
}

/// What became of a recorded game.
#[derive(Clone, Debug, Serialize)]
pub struct RecordView {
    /// The game with its rule options.
    pub variant: String,
    /// Plies.
    pub plies: usize,
    /// `win0`, `win1` or `draw`.
    pub outcome: &'static str,
    /// Whether it was counted now; `false` when it had been counted before.
    pub counted: bool,
}
