//! What stands in one word of PGN: a move with its signs, a number, a glyph, a null move.

use super::reader::decoded;
use crate::State;
use crate::san::San;
use crate::types::Move;
use crate::uci;
use tabia_core::files::take_mark;

/// A word taken apart: the move in it, if there is one, and the marks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written<'a> {
    /// The move as written; empty where there is none.
    pub(super) text: &'a [u8],
    pub(super) marks: Vec<u8>,
}

/// Glyphs that are letters.
const NOVELTY: u8 = 146;
const DIAGRAM: u8 = 220;

impl<'a> Written<'a> {
    /// Takes a word apart; words that are neither move nor sign are refused with the reason.
    pub(super) fn read(word: &'a [u8]) -> Result<Self, &'static str> {
        let only = |mark| Ok(Written { text: &[], marks: vec![mark] });
        match word {
            b"--" | b"Z0" | b"@@@@" | b"0000" | b"null" | b"NULL" => {
                Err("a null move is no move of chess, so the game cannot be replayed")
            }
            b"N" => only(NOVELTY),
            b"D" => only(DIAGRAM),
            [b'$', glyph @ ..] => Ok(Written { text: &[], marks: glyph_number(glyph).into_iter().collect() }),
            _ => {
                let (text, signs) = split_signs(word);
                Ok(Written { text, marks: marks(signs, text.is_empty())? })
            }
        }
    }
}

/// Glyphs have numbers up to 255; others say nothing.
fn glyph_number(digits: &[u8]) -> Option<u8> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// A move number. `0000` is a null move.
#[inline]
pub(super) fn is_number(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_digit) && word != b"0000"
}

/// Whether a word has no signs, but for those of check and mate: most have none.
pub(super) fn is_plain(word: &[u8]) -> bool {
    match word {
        [.., before, b'+' | b'#'] => before.is_ascii_alphanumeric(),
        [.., last] => last.is_ascii_alphanumeric(),
        [] => false,
    }
}

/// The move of a word and the signs after it: `exd6e.p.!?` is `exd6` and `!?`.
fn split_signs(word: &[u8]) -> (&[u8], &[u8]) {
    let split = |word: &'_ [u8]| word.iter().rposition(u8::is_ascii_alphanumeric).map_or(0, |at| at + 1);
    let (text, signs) = word.split_at(split(word));
    match text.strip_suffix(b"e.p").or_else(|| text.strip_suffix(b"ep")) {
        Some(text) => (&text[..split(text)], signs.strip_prefix(b".").unwrap_or(signs)),
        None => (text, signs),
    }
}

/// The marks that signs stand for. Checks and mates are signs too, but the board knows them; alone, some
/// more are met that say nothing here.
fn marks(signs: &[u8], alone: bool) -> Result<Vec<u8>, &'static str> {
    let mut marks = Vec::new();
    if signs.is_empty() {
        return Ok(marks);
    }
    let signs = decoded(signs);
    let mut rest = signs.as_str();
    while let Some(first) = rest.chars().next() {
        if let Some((mark, after)) = take_mark(rest) {
            marks.push(mark);
            rest = after;
        } else if matches!(first, '+' | '#' | '.') || alone && matches!(first, '/' | '\\' | '-' | '~') {
            rest = &rest[first.len_utf8()..];
        } else {
            return Err("not a move");
        }
    }
    Ok(marks)
}

/// The legal move that a text stands for.
#[inline]
pub(super) fn read_move(state: &State, word: &[u8]) -> Result<Move, String> {
    let board = state.board();
    match San::read(word) {
        Ok(san) => match (san.resolve(board), uci::read(board, word)) {
            (Ok(mv), _) => Ok(mv),
            (Err(_), Some(mv)) if board.is_legal(mv) => Ok(mv),
            (Err(error), _) => Err(error.message),
        },
        Err(_) => Err("not a move".to_owned()),
    }
}
