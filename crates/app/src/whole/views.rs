//! A game as front ends show it and send it back: a line of moves, each with what is said about it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tabia_core::{FileError, Outcome, Side};

/// A game as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GameText {
    /// The position it starts from.
    pub start: String,
    /// What is known about it: players, event, date.
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
    /// `1-0` when player 0 won, `0-1`, `1/2-1/2`; nothing while unknown.
    #[serde(default)]
    pub result: Option<String>,
    /// The moves.
    pub line: LineText,
}

/// Moves one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LineText {
    /// What is said before the first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The moves.
    pub moves: Vec<MoveText>,
}

/// A move with what is said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MoveText {
    /// The move, as the legal moves of its position are written.
    #[serde(rename = "move")]
    pub text: String,
    /// The move as people see it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub shown: String,
    /// What is said after it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Marks: `!`, `?!`, `$146`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<String>,
    /// What could have been played instead of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<LineText>,
}

/// A game that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Skipped {
    /// Its number in the text, from 1.
    pub number: u64,
    /// The line of the trouble, from 1.
    pub line: u64,
    /// What was wrong.
    pub reason: String,
}

impl From<FileError> for Skipped {
    fn from(FileError { number, line, message }: FileError) -> Self {
        Skipped { number, line, reason: message }
    }
}

/// A result as it stands in JSON.
pub(crate) fn result_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "1-0",
        Outcome::Win(Side::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// The outcome that a word states; `None` when the word is no result, and nothing inside for an open end.
pub(crate) fn result_of(word: &str) -> Option<Option<Outcome>> {
    match word {
        "1-0" => Some(Some(Outcome::Win(Side::First))),
        "0-1" => Some(Some(Outcome::Win(Side::Second))),
        "1/2-1/2" | "1/2" | "½-½" => Some(Some(Outcome::Draw)),
        "*" | "" => Some(None),
        _ => None,
    }
}
