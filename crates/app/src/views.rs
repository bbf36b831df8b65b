//! The shapes that front ends print, send and read: one field name each, everywhere.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeMap;
pub use tabia_core::CodeField;
use tabia_core::packed::to_hex;
use tabia_core::{Geometry, Invitation, Name, Outcome, Picture, Side};

/// A number that other programs must be able to read exactly: plain up to 2^53, a decimal string above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(pub u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(small) if small <= 1 << 53 => serializer.serialize_u64(small),
            _ => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(u64),
            Digits(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(number) => Ok(number.into()),
            Form::Digits(digits) => digits.parse().map(Count).map_err(de::Error::custom),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Count {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let about = "A number, or its decimal digits in a string when it is above 2^53.";
        schemars::json_schema!({ "type": ["integer", "string"], "minimum": 0, "description": about })
    }
}

impl From<u64> for Count {
    fn from(count: u64) -> Self {
        Count(count.into())
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A code as it stands in JSON: `0x` and hexadecimal digits, as many as its bytes need.
pub fn hex_code(code: u64, bytes: usize) -> String {
    // Most answers have one for every move, and the formatter of the library takes its time.
    let digits = to_hex(&code.to_be_bytes());
    let unused = (code.leading_zeros() / 4).min(16 - (2 * bytes).min(16) as u32);
    "0x".to_owned() + &digits[unused as usize..]
}

/// A game of the registry.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameView {
    /// The name to use in commands and addresses.
    pub id: Name,
    /// The name people know.
    pub name: Name,
    /// The name where there is little room.
    pub short_name: Name,
    /// The name inside a sentence.
    #[serde(default)]
    pub common_name: Name,
    /// What makes a person try it.
    #[serde(default)]
    pub invitation: Invitation,
    /// What one move is called, and several.
    pub move_words: [Name; 2],
    /// One or two.
    pub players: u8,
    /// What the players are called.
    pub sides: Vec<Name>,
    /// The default position.
    pub start: String,
    /// Openings and boards.
    pub starts: Vec<StartView>,
    /// The codes positions can be written in.
    pub formats: Vec<FormatView>,
    /// The ways `perft` can count, the default first.
    pub count_modes: Vec<Name>,
    /// The kinds of game files that can be read.
    pub files: Vec<Name>,
    /// What can be asked of this game.
    pub capabilities: Vec<Name>,
    /// The rules in short.
    pub rules: Name,
    /// The notation in short.
    pub notation: Name,
    /// Positions that show the rules at work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<ExampleView>,
    /// How every kind of piece moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub piece_words: Vec<PieceWords>,
}

/// A position that shows a rule.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExampleView {
    /// The sentence below its picture.
    pub about: Name,
    /// Its text.
    pub position: Name,
}

/// How a kind of piece moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PieceWords {
    /// Its name, as in pictures.
    pub name: Name,
    /// The words.
    pub about: Name,
}

/// A named position.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartView {
    /// The word that stands for it.
    pub id: Name,
    /// What it is.
    pub about: Name,
    /// Its text.
    pub position: String,
}

/// A code positions can be written in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FormatView {
    /// The word that stands for it.
    pub id: Name,
    /// What it is.
    pub about: Name,
    /// Whether it can be read back.
    pub reversible: bool,
}

/// A position with its codes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionView {
    /// The game's id.
    pub game: Name,
    /// The game with its rule options.
    pub variant: String,
    /// The text.
    pub position: String,
    /// The player to move, 0 or 1.
    pub side: usize,
    /// What that player is called.
    pub side_name: Name,
    /// `playing` or `finished`.
    pub status: Name,
    /// `win0`, `win1`, `draw`, or nothing while the game goes on.
    pub outcome: Option<Name>,
    /// The 64-bit hash.
    pub key: String,
    /// The hash of the canonical form.
    pub canonical_key: String,
    /// The exact encoding.
    pub packed: String,
    /// The text of the canonical form.
    pub canonical: String,
    /// The symmetry that leads there.
    pub symmetry: String,
    /// The number of legal moves.
    pub move_count: u64,
    /// Every code by its format.
    pub codes: BTreeMap<Name, String>,
}

/// A legal move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveView {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// Its number, where the game has such codes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The position after it.
    pub position: String,
    /// The cells to click.
    pub steps: Vec<String>,
    /// What sets it apart from other moves with the same cells, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
}

/// What to draw.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardView {
    /// The board.
    pub geometry: Geometry,
    /// What stands on it.
    pub picture: Picture,
    /// The player whose pieces are dark.
    pub dark_side: usize,
}

/// A count of move sequences.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PerftView {
    /// The length of the sequences.
    pub depth: u32,
    /// How many there are.
    pub nodes: Count,
    /// The counts below each move, where asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divide: Option<Vec<DivideView>>,
    /// CPU time of this answer's own threads, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Time on the clock.
    pub seconds: f64,
    /// Nodes per CPU second.
    pub nodes_per_second: f64,
}

/// The count below one move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DivideView {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The count.
    pub nodes: Count,
}

/// The positions first reached after some number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelView {
    /// Plies from the start.
    pub ply: u32,
    /// Positions not met at an earlier ply.
    pub positions: u64,
    /// Those among them in which the game is over: no move is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<u64>,
    /// Puzzles, where asked for: those from which the goal can be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solvable: Option<u64>,
}

/// Positions reachable, ply by ply.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnumerateView {
    /// The plies.
    pub levels: Vec<LevelView>,
    /// All positions.
    pub total: Count,
    /// Whether every position was found (or a limit came first).
    pub complete: bool,
    /// Time on the clock.
    pub seconds: f64,
    /// CPU time of this answer's own threads, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Bytes that the tables of positions took.
    pub peak_bytes: Option<u64>,
    /// The level in which the work ended early, where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<UnfinishedView>,
}

/// A level that was not looked at from end to end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfinishedView {
    /// `stopped` or `memory`.
    pub reason: String,
    /// Plies from the start.
    pub ply: u32,
    /// Positions of this level: all of them were found.
    pub positions: u64,
    /// Those whose moves were looked at.
    pub looked_at: u64,
    /// Positions of the next level found so far.
    pub found: u64,
}

/// What random games came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlayoutView {
    /// Games played.
    pub playouts: u64,
    /// Moves played.
    pub plies: u64,
    /// Moves per CPU second.
    pub plies_per_second: f64,
    /// Games per CPU second.
    pub playouts_per_second: f64,
    /// Plies per game.
    pub mean_length: f64,
    /// Legal moves per position.
    pub mean_branching: f64,
    /// Games player 0 won.
    pub wins0: u64,
    /// Games player 1 won.
    pub wins1: u64,
    /// Games nobody won.
    pub draws: u64,
    /// CPU time of this answer's own threads, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Time on the clock.
    pub seconds: f64,
}

/// An outcome as it stands in JSON.
pub fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "win0",
        Outcome::Win(Side::Second) => "win1",
        Outcome::Draw => "draw",
    }
}
