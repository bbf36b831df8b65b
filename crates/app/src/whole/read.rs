//! Games from texts of some kind, and as such texts.

use super::{ReadGames, Skipped, told};
use crate::capabilities::Capabilities;
use crate::views::outcome_name;
use crate::{ErrorKind, InputError};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::ControlFlow;
use tabia_book::jsonl;
use tabia_core::files::GameSink;
use tabia_core::{Note, Present, RecordedGame, Variation};

/// Longer games are none that anybody looks at: as text they would only take memory.
pub(super) const LONGEST: usize = 10_000;

/// The kind of file every game has.
const JSONL: &str = "jsonl";

pub(super) fn kinds<G: Present>(rules: &G, capabilities: &Capabilities<G>) -> Vec<&'static str> {
    let own = capabilities.files.map_or_else(Default::default, |files| (files.kinds)(rules));
    own.iter().map(|file| file.id).chain([JSONL]).collect()
}

/// Reads the games of a kind.
pub(crate) fn read_kind<G: Present>(
    rules: &G,
    capabilities: &Capabilities<G>,
    kind: &str,
    input: &mut dyn BufRead,
    sink: &mut GameSink<'_, G>,
) -> std::io::Result<()> {
    match capabilities.files {
        Some(files) if kind != JSONL => (files.read)(rules, kind, input, sink),
        _ => jsonl::read_games(rules, input, sink),
    }
}

pub(super) fn read_text<G: Present>(
    rules: &G,
    capabilities: &Capabilities<G>,
    kind: &str,
    text: &str,
    most: usize,
) -> Result<ReadGames, InputError> {
    known(rules, capabilities, kind)?;
    let mut read = ReadGames::default();
    let mut sink = |game: Result<RecordedGame<G>, tabia_core::FileError>| {
        match game {
            Ok(game) if game.moves.len() > LONGEST => {
                let reason = format!("it is longer than {LONGEST} plies");
                read.skipped.push(Skipped { number: game.number, line: game.line, reason });
            }
            Ok(game) => {
                read.plies += game.moves.len();
                if read.games.len() < most {
                    read.games.push(told(&game));
                } else {
                    read.more += 1;
                }
            }
            Err(error) => read.skipped.push(Skipped::from(error)),
        }
        ControlFlow::Continue(())
    };
    read_kind(rules, capabilities, kind, &mut text.as_bytes(), &mut sink)
        .map_err(|error| InputError::new(ErrorKind::Syntax, kind, error.to_string()))?;
    Ok(read)
}

/// Fails for a kind that the game does not have.
pub(crate) fn known<G: Present>(
    rules: &G,
    capabilities: &Capabilities<G>,
    kind: &str,
) -> Result<(), InputError> {
    let kinds = kinds(rules, capabilities);
    if kinds.contains(&kind) {
        return Ok(());
    }
    let message = format!("games of {} are written as {}, not as {kind:?}", rules.id(), kinds.join(" or "));
    Err(InputError::new(ErrorKind::Unknown, kind, message))
}

/// A game as a text of a kind.
pub(crate) fn write_kind<G: Present>(
    rules: &G,
    capabilities: &Capabilities<G>,
    kind: &str,
    game: &RecordedGame<G>,
) -> Result<String, InputError> {
    known(rules, capabilities, kind)?;
    let Some(files) = capabilities.files.filter(|_| kind != JSONL) else { return Ok(json_line(game)) };
    let mut bytes = Vec::new();
    (files.write)(&game.start.rules, kind, game, &mut bytes).map_err(|error| {
        InputError::new(ErrorKind::Unsupported, kind, format!("no game is written as {kind}: {error}"))
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A game as a line of JSON, in the form that books import.
#[derive(Serialize)]
struct GameLine<'a> {
    start: String,
    moves: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<VariationLine<'a>>,
}

#[derive(Serialize)]
struct NoteLine<'a> {
    after: usize,
    #[serde(skip_serializing_if = "<[u8]>::is_empty")]
    marks: &'a [u8],
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
}

#[derive(Serialize)]
struct VariationLine<'a> {
    of: usize,
    after: usize,
    moves: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteLine<'a>>,
}

fn json_line<G: Present>(game: &RecordedGame<G>) -> String {
    let rules = &game.start.rules;
    let (moves, states) = texts(rules, &game.start.state, &game.moves);
    let mut lines = vec![states];
    let mut variations = Vec::new();
    for Variation { of, after, moves, notes } in &game.variations {
        let start = lines.get(*of).and_then(|states| states.get(*after)).unwrap_or(&game.start.state).clone();
        let (moves, states) = texts(rules, &start, moves);
        lines.push(states);
        variations.push(VariationLine { of: *of, after: *after, moves, notes: note_lines(notes) });
    }
    let line = GameLine {
        start: rules.format(&game.start.state),
        moves,
        outcome: game.outcome.map(outcome_name),
        tags: tag_lines(&game.tags),
        notes: note_lines(&game.notes),
        variations,
    };
    // Strings in a struct cannot fail to be written.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

fn tag_lines(tags: &[(String, String)]) -> BTreeMap<&str, &str> {
    tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

fn note_lines(notes: &[Note]) -> Vec<NoteLine<'_>> {
    notes.iter().map(|Note { after, marks, comment }| NoteLine { after: *after, marks, comment }).collect()
}

/// The moves of a line as text, and the positions along it.
fn texts<G: Present>(rules: &G, start: &G::State, moves: &[G::Move]) -> (Vec<String>, Vec<G::State>) {
    let mut states = vec![start.clone()];
    let mut state = start.clone();
    let mut text = |&mv: &G::Move| {
        let text = rules.format_move(&state, mv);
        rules.play(&mut state, mv);
        states.push(state.clone());
        text
    };
    let texts = moves.iter().map(&mut text).collect();
    (texts, states)
}
