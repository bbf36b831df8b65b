//! A plain list of moves: `1. e4 e5 2. Nf3`, `11-15 23-19`, with numbers, marks, comments in braces and a result, or
//! without any of them.

use super::read::LONGEST;
use super::result_of;
use crate::{ErrorKind, InputError};
use tabia_core::files::take_mark;
use tabia_core::{Note, Outcome, Position, Present, Record, RecordedGame};

/// Reads a list from whichever named start it fits; the refusal is that of the start where it went furthest.
pub(super) fn read<G: Present>(rules: &G, text: &str) -> Result<RecordedGame<G>, InputError> {
    let mut furthest: Option<InputError> = None;
    for start in rules.starts() {
        match read_from(start.position, text) {
            Ok(game) => return Ok(game),
            Err(error) if furthest.as_ref().is_none_or(|known| known.offset < error.offset) => {
                furthest = Some(error);
            }
            Err(_) => {}
        }
    }
    Err(furthest
        .unwrap_or_else(|| InputError::new(ErrorKind::Syntax, text, "there is no start to play from")))
}

fn read_from<G: Present>(start: Position<G>, text: &str) -> Result<RecordedGame<G>, InputError> {
    let mut record = Record::new(start.clone());
    let (mut notes, mut result) = (Vec::new(), None::<Option<Outcome>>);
    for word in words(text) {
        let refuse = |at: usize, message: String| {
            let error = InputError::new(ErrorKind::Syntax, text, message);
            InputError { offset: Some(at), ..error }
        };
        if result.is_some() {
            return Err(refuse(word.at, "nothing can follow the result".to_owned()));
        }
        if word.is_comment {
            Note::add_comment(&mut notes, record.moves().len(), word.text);
            continue;
        }
        result = result_of(word.text);
        let (at, rest) = without_number(word.at, word.text);
        let (mv, marks) = without_marks(rest);
        if result.is_none() && !mv.is_empty() {
            let read = record.rules().parse_moves(record.state(), mv);
            let moves = read.map_err(|error| {
                let error = InputError::mv(mv, &error);
                let place = at + error.offset.unwrap_or(0).min(mv.len());
                let reason = match &error.expected {
                    Some(expected) => format!("expected {expected}"),
                    None => error.message,
                };
                InputError { expected: error.expected, ..refuse(place, format!("{mv}: {reason}")) }
            })?;
            moves.into_iter().for_each(|mv| record.play_unchecked(mv));
            if record.moves().len() > LONGEST {
                return Err(refuse(at, format!("a game is not longer than {LONGEST} plies here")));
            }
        }
        marks.into_iter().for_each(|mark| Note::add_mark(&mut notes, record.moves().len(), mark));
    }
    if record.moves().is_empty() {
        let error = InputError::new(ErrorKind::Syntax, text, "there is no move in it");
        return Err(InputError { offset: Some(0), expected: Some("a move".to_owned()), ..error });
    }
    let outcome = result.unwrap_or_else(|| record.outcome());
    Ok(RecordedGame { notes, ..RecordedGame::new(start, record.moves().to_vec(), outcome) })
}

struct Word<'a> {
    at: usize,
    text: &'a str,
    is_comment: bool,
}

/// The words between spaces, commas and comments, with their places.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let space = |c: char| c.is_whitespace() || c == ',';
        let rest = &text[at..];
        at += rest.len() - rest.trim_start_matches(space).len();
        let rest = &text[at..];
        let begin = at;
        if let Some(inside) = rest.strip_prefix('{') {
            let (comment, end) = inside.split_once('}').map_or((inside, 0), |(comment, _)| (comment, 1));
            at += 1 + comment.len() + end;
            return Some(Word { at: begin, text: comment, is_comment: true });
        }
        let length = rest.find(|c: char| space(c) || c == '{').unwrap_or(rest.len());
        at += length;
        (length > 0).then(|| Word { at: begin, text: &rest[..length], is_comment: false })
    })
}

/// A word without the number of a move before it: `12.`, `3...Nf6`, or a number alone.
fn without_number(at: usize, word: &str) -> (usize, &str) {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() {
        return (at + word.len(), "");
    }
    match rest.trim_start_matches('.') {
        // No move begins with a dot, so what stands before one is a number.
        mv if rest.starts_with('.') => (at + word.len() - mv.len(), mv),
        _ => (at, word),
    }
}

/// A word without the marks after it: `Nf3!?`, `$1`.
fn without_marks(word: &str) -> (&str, Vec<u8>) {
    if let Some(mark) = word.strip_prefix('$').and_then(|number| number.parse().ok()) {
        return ("", vec![mark]);
    }
    let mv = word.trim_end_matches(['!', '?']);
    let mark = take_mark(&word[mv.len()..]).map(|(mark, _)| mark);
    (mv, mark.into_iter().collect())
}
