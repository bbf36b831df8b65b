//! What was recognised, as front ends show it.

use crate::whole::{GameText, LineText, Skipped};
use crate::{AnyGame, AnyPosition};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that a text was recognised as.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recognised {
    /// The likeliest first.
    pub found: Vec<Found>,
    /// How many more games there are.
    pub more: usize,
    /// Games of the text that could not be used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

impl Recognised {
    pub(super) fn add(&mut self, other: Recognised) {
        self.found.extend(other.found);
        self.more += other.more;
        self.skipped.extend(other.skipped);
    }
}

/// Something that was recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Found {
    /// A position.
    Position(FoundPosition),
    /// A game.
    Game(FoundGame),
}

/// A position that was recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundPosition {
    /// The game's id.
    pub game: String,
    /// Its text, as the game writes it.
    pub position: String,
    /// What it is, in a few words.
    pub summary: String,
}

/// A game that was recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundGame {
    /// The game's id.
    pub game: String,
    /// What it is, in a few words.
    pub summary: String,
    /// The position it starts from.
    pub start: String,
    /// What is known about it: players, event, date.
    pub tags: BTreeMap<String, String>,
    /// `1-0` when player 0 won, `0-1`, `1/2-1/2`; nothing while unknown.
    pub result: Option<String>,
    /// How many moves were played.
    pub plies: usize,
    /// The moves.
    pub line: LineText,
}

impl Found {
    pub(super) fn position(game: &dyn AnyGame, position: &dyn AnyPosition) -> Self {
        let (about, view) = (a_kind(game, "position"), position.view());
        let summary = match (view.outcome, game.view().players) {
            (Some(_), _) => format!("{about}, the game is over"),
            (None, 1) => about,
            (None, _) => format!("{about}, {} to move", view.side_name),
        };
        Found::Position(FoundPosition { game: game.id().to_owned(), position: view.position, summary })
    }

    pub(super) fn game(game: &dyn AnyGame, text: GameText) -> Self {
        let plies = text.line.moves.len();
        let known = |names: &[&str]| {
            let value = names.iter().find_map(|name| text.tags.get(*name));
            value.map(|value| value.trim()).filter(|value| !value.is_empty() && *value != "?")
        };
        let count = format!("{plies} {}", if plies == 1 { "ply" } else { "plies" });
        let mut summary = vec![a_kind(game, "game"), count];
        if let (Some(white), Some(black)) = (known(&["White"]), known(&["Black"])) {
            summary.push(format!("{white} - {black}"));
        }
        summary.extend(known(&["Event"]).filter(|_| summary.len() == 2).map(str::to_owned));
        summary.extend(text.result.clone());
        let GameText { start, tags, result, line } = text;
        let (game, summary) = (game.id().to_owned(), summary.join(", "));
        Found::Game(FoundGame { game, summary, start, tags, result, plies, line })
    }

    /// The game's id.
    pub fn game_id(&self) -> &str {
        match self {
            Found::Position(FoundPosition { game, .. }) | Found::Game(FoundGame { game, .. }) => game,
        }
    }
}

/// `a chess game`, `an Arx position`, `an English draughts game`.
fn a_kind(game: &dyn AnyGame, what: &str) -> String {
    let name = game.view().common_name;
    let article =
        if name.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {name} {what}")
}
