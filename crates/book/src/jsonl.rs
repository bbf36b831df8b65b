//! Games as JSON: one object each, on a line of its own in a file of many.
//!
//! ```json
//! {"id": "optional", "start": "position", "moves": ["a1", "b2"], "winner": 0, "tags": {"Event": "x"}}
//! {"pairs": [[0, 65280], ["0x1", "0xff00"]], "winner": "draw"}
//! ```
//!
//! `start` is any text the game reads, by default its start. The moves are texts, or pairs of the
//! position's code and the move's code, as numbers or as hexadecimal strings: each pair is checked
//! against the position it claims. `winner` (or `outcome`) is 0, 1 or `"draw"`, also `"win0"` or `"win1"`; left
//! out, the end of the game tells. Any other field is a tag, and tells games apart.
//!
//! Remarks and variations may be added; `after` counts moves, `of` is the variation that is left (from 1;
//! 0, the default, is the game itself):
//!
//! ```json
//! {"moves": ["e4", "e5"], "notes": [{"after": 1, "marks": [1], "comment": "best by test"}],
//!  "variations": [{"of": 0, "after": 1, "moves": ["c5"], "notes": []}]}
//! ```

use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::ControlFlow;
use tabia_core::files::GameSink;
pub use tabia_core::files::ID_TAG;
use tabia_core::{
    FileError, Game, Notation, Note, Outcome, Position, Record, RecordedGame, Side, Variation,
    sort_many_by_key,
};

#[derive(Deserialize)]
struct GameObject {
    id: Option<String>,
    start: Option<String>,
    moves: Option<Vec<String>>,
    pairs: Option<Vec<(Code, Code)>>,
    #[serde(alias = "outcome")]
    winner: Option<Winner>,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    notes: Vec<NoteObject>,
    #[serde(default)]
    variations: Vec<VariationObject>,
    #[serde(flatten)]
    others: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteObject {
    after: usize,
    #[serde(default)]
    marks: Vec<u8>,
    #[serde(default)]
    comment: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariationObject {
    #[serde(default)]
    of: usize,
    after: usize,
    moves: Vec<String>,
    #[serde(default)]
    notes: Vec<NoteObject>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Code {
    Number(u64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Winner {
    Number(u8),
    Text(String),
}

impl Code {
    fn value(&self) -> Result<u64, String> {
        match self {
            Code::Number(n) => Ok(*n),
            Code::Text(text) => number(text).ok_or_else(|| format!("{text:?} is not a code")),
        }
    }
}

/// A number in decimal, or in hexadecimal behind `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

impl Winner {
    fn outcome(&self) -> Result<Outcome, String> {
        match self {
            Winner::Number(n) => Side::from_index((*n).into()).map(Outcome::Win).ok_or(n.to_string()),
            Winner::Text(text) => match text.as_str() {
                "draw" => Ok(Outcome::Draw),
                "win0" => Ok(Outcome::Win(Side::First)),
                "win1" => Ok(Outcome::Win(Side::Second)),
                _ => Err(format!("{text:?}")),
            },
        }
        .map_err(|found| format!("winner is {found}, not 0, 1 or \"draw\""))
    }
}

/// Reads one game. What is wrong with it is said in words.
pub fn parse_game<G: Notation>(rules: &G, text: &str) -> Result<RecordedGame<G>, String> {
    let mut object = read_object(text)?;
    let start = match &object.start {
        Some(text) => rules.parse(text).map_err(|e| format!("start {text:?}: {e}"))?,
        None => Position { rules: rules.clone(), state: rules.start() },
    };
    let mut record = Record::new(start.clone());
    match (&object.moves, &object.pairs) {
        (Some(moves), None) => play_texts(&mut record, moves)?,
        (None, Some(pairs)) => play_pairs(&mut record, pairs)?,
        _ => return Err("a game has either moves or pairs".to_owned()),
    }
    let claimed = object.winner.as_ref().map(Winner::outcome).transpose()?;
    let ended = record.outcome();
    let on_board = record.rules().settled(record.state());
    let warning = match (claimed, on_board) {
        (Some(claimed), Some(seen)) if claimed != seen => {
            return Err(format!("the result is {claimed:?}, but the board says {seen:?}"));
        }
        _ => None,
    };
    let tags = take_tags(&mut object);
    let moves = record.moves().to_vec();
    let notes = read_notes(std::mem::take(&mut object.notes), moves.len())?;
    let variations = read_variations(&record, std::mem::take(&mut object.variations))?;
    let game = RecordedGame::new(start, moves, claimed.or(ended));
    Ok(RecordedGame { tags, notes, variations, warning, ..game })
}

// What knows no game is compiled once for all of them.
fn read_object(text: &str) -> Result<GameObject, String> {
    serde_json::from_str(text).map_err(|e| e.to_string())
}

fn take_tags(object: &mut GameObject) -> Vec<(String, String)> {
    let mut tags: Vec<_> = std::mem::take(&mut object.tags).into_iter().collect();
    let others = std::mem::take(&mut object.others).into_iter();
    tags.extend(others.map(|(name, value)| (name, value.to_string())));
    tags.extend(object.id.take().map(|id| (ID_TAG.to_owned(), id)));
    tags
}

fn read_notes(objects: Vec<NoteObject>, moves: usize) -> Result<Vec<Note>, String> {
    let mut notes = Vec::with_capacity(objects.len());
    for NoteObject { after, marks, comment } in objects {
        if after > moves {
            return Err(format!("a note after {after} moves of a line that has {moves}"));
        }
        notes.push(Note { after, marks, comment });
    }
    sort_many_by_key(&mut notes, |note| note.after);
    Ok(notes)
}

fn read_variations<G: Notation>(
    record: &Record<G>,
    objects: Vec<VariationObject>,
) -> Result<Vec<Variation<G::Move>>, String> {
    // The positions of the game itself and of the variations read so far: only those can be left.
    let mut lines = vec![record.states().to_vec()];
    let mut variations = Vec::with_capacity(objects.len());
    for (number, VariationObject { of, after, moves, notes }) in (1..).zip(objects) {
        let in_variation = |problem: String| format!("variation {number}: {problem}");
        let states = lines.get(of).ok_or_else(|| in_variation(format!("no variation {of} before it")))?;
        let start = states.get(after).filter(|_| after + 1 < states.len() || states.len() == 1);
        let state = start.ok_or_else(|| in_variation(format!("no move to replace after {after} moves")))?;
        let mut line = Record::new(Position { rules: record.rules().clone(), state: state.clone() });
        play_texts(&mut line, &moves).map_err(in_variation)?;
        let notes = read_notes(notes, line.moves().len()).map_err(in_variation)?;
        variations.push(Variation { of, after, moves: line.moves().to_vec(), notes });
        lines.push(line.states().to_vec());
    }
    Ok(variations)
}

fn play_texts<G: Notation>(record: &mut Record<G>, moves: &[String]) -> Result<(), String> {
    for (ply, text) in (1..).zip(moves) {
        let mv = record.rules().parse_move(record.state(), text);
        record.play_unchecked(mv.map_err(|e| format!("move {ply}, {text:?}: {e}"))?);
    }
    Ok(())
}

fn play_pairs<G: Notation>(record: &mut Record<G>, pairs: &[(Code, Code)]) -> Result<(), String> {
    let mut legal = Vec::new();
    for (ply, (board, code)) in (1..).zip(pairs) {
        let (board, code) = (board.value()?, code.value()?);
        let (rules, state) = (record.rules(), record.state());
        if !codes(rules, state).contains(&board) {
            return Err(format!("pair {ply}: {board:#x} is not a code of {}", rules.format(state)));
        }
        legal.clear();
        rules.moves(state, &mut legal);
        let mv = legal.iter().find(|&&mv| rules.move_code(state, mv) == Some(code));
        let mv = *mv
            .ok_or_else(|| format!("pair {ply}: {code:#x} is not a legal move of {}", rules.format(state)))?;
        record.play_unchecked(mv);
    }
    Ok(())
}

/// The codes of a position that are numbers.
fn codes<G: Notation>(rules: &G, state: &<G as Game>::State) -> Vec<u64> {
    let encoded = rules.formats().iter().filter_map(|format| rules.encode(state, &format.id).ok());
    encoded.filter_map(|code| number(&code)).collect()
}

/// Reads a file of games, one on each line; empty lines are skipped.
pub fn read_games<G: Notation>(
    rules: &G,
    input: &mut dyn BufRead,
    sink: &mut GameSink<'_, G>,
) -> std::io::Result<()> {
    let (mut line, mut number) = (0, 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        line += 1;
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        number += 1;
        let text = std::str::from_utf8(&bytes).map_err(|e| e.to_string());
        let game = text.and_then(|text| parse_game(rules, text));
        let game = game.map(|game| RecordedGame { number, line, ..game }).map_err(|message| FileError {
            number,
            line,
            message,
        });
        if let ControlFlow::Break(()) = sink(game) {
            return Ok(());
        }
    }
}
