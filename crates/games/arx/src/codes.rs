//! The published codes of a board: 9 x u64, 82 plain bytes, hexadecimal and base64 text.
//!
//! ```text
//!     words   one u64 per rank, rank 9 first; column A in bits 0-6, B in 7-13, ... I in 56-62;
//!             bit 63 of the first word: 1 White to move; of the others 0
//!     plain   81 square codes from A9 row by row, then 1 White to move, 0 Black
//! ```
//!
//! All are exact: one code for a position, everything else is refused, with every bad square named.

use crate::{Pile, Square, State};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tabia_core::{PositionError, RuleError, Side, TextError};
use thiserror::Error;

/// The board as one number per rank.
pub type Words = [u64; 9];
/// The board as one byte per square, and one for the side to move.
pub type Plain = [u8; 82];

/// Why a number is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CodeError {
    /// A number that stands for no pile.
    #[error("square {square}: {code:#04x} ({code:#09b}) is no square code: {}", reason(*.code))]
    Pile {
        /// Where it was found.
        square: Square,
        /// The number.
        code: u8,
    },
    /// Bit 63 of a word other than the first.
    #[error("rank {rank}: bit 63 is set, which only the first word (rank 9) may have")]
    TurnBit {
        /// The rank of the word.
        rank: u8,
    },
    /// The last plain byte is neither 0 nor 1.
    #[error("the side to move (byte 82) is {code:#04x}, neither 0 (Black) nor 1 (White)")]
    Turn {
        /// The byte.
        code: u8,
    },
    /// A number that is no move.
    #[error("{code:#06x} is no move code: a square above 80, or bit 15 set")]
    Move {
        /// The number.
        code: u16,
    },
}

fn reason(code: u8) -> &'static str {
    match code {
        0x80.. => "it has more than seven bits",
        0x40 => "a colour without a piece",
        _ => "a top piece without a bottom piece",
    }
}

/// The pile with this code, found on `square`.
pub fn pile_from_code(square: Square, code: u8) -> Result<Pile, CodeError> {
    Pile::from_code(code).ok_or(CodeError::Pile { square, code })
}

/// The board as nine numbers.
pub fn to_words(state: &State) -> Words {
    let mut words = [0; 9];
    for square in Square::all() {
        words[square.row()] |= u64::from(state.pile(square).code()) << (7 * square.column());
    }
    words[0] |= u64::from(turn_code(state.side())) << 63;
    words
}

/// The position nine numbers stand for.
pub fn from_words(words: &Words) -> Result<State, PositionError> {
    let mut codes = [0; 82];
    for square in Square::all() {
        codes[square.index()] = (words[square.row()] >> (7 * square.column())) as u8 & 0x7f;
    }
    codes[81] = (words[0] >> 63) as u8;
    let turn_bits =
        (1..9).filter(|&row| words[row] >> 63 != 0).map(|row| CodeError::TurnBit { rank: 9 - row as u8 });
    read(&codes, turn_bits)
}

/// The board as 82 bytes.
pub fn to_plain(state: &State) -> Plain {
    let mut bytes = [turn_code(state.side()); 82];
    for (byte, pile) in bytes.iter_mut().zip(state.piles()) {
        *byte = pile.code();
    }
    bytes
}

/// The position 82 bytes stand for.
pub fn from_plain(bytes: &Plain) -> Result<State, PositionError> {
    read(bytes, std::iter::empty())
}

/// Reads the plain form; `others` are errors found before.
fn read(bytes: &Plain, others: impl Iterator<Item = CodeError>) -> Result<State, PositionError> {
    let mut errors: Vec<CodeError> = others.collect();
    let mut piles = [Pile::EMPTY; Square::COUNT];
    for (square, &code) in Square::all().zip(bytes) {
        match pile_from_code(square, code) {
            Ok(pile) => piles[square.index()] = pile,
            Err(error) => errors.push(error),
        }
    }
    let side = if bytes[81] == 1 { Side::First } else { Side::Second };
    if bytes[81] > 1 {
        errors.push(CodeError::Turn { code: bytes[81] });
    }
    let mut rules: Vec<RuleError> = errors.iter().map(|error| RuleError::new(error.to_string())).collect();
    match State::from_piles(&piles, side) {
        Ok(state) if rules.is_empty() => return Ok(state),
        Ok(_) => {}
        Err(more) => rules.extend(more),
    }
    Err(PositionError::Rules(rules))
}

const fn turn_code(side: Side) -> u8 {
    match side {
        Side::First => 1,
        Side::Second => 0,
    }
}

/// Nine numbers as text: hexadecimal, separated by commas.
pub fn words_to_text(words: &Words) -> String {
    words.map(|word| format!("{word:#018x}")).join(",")
}

/// Nine numbers from text; `0x`, upper case and blanks after the commas are accepted.
pub fn words_from_text(text: &str) -> Result<Words, TextError> {
    let mut words = [0; 9];
    let mut offset = 0;
    let mut parts = text.split(',');
    for (i, word) in words.iter_mut().enumerate() {
        let Some(part) = parts.next() else {
            return Err(TextError::at(text, text.len(), format!("9 numbers separated by commas, not {i}")));
        };
        let trimmed = part.trim();
        let start = offset + (part.len() - part.trim_start().len());
        *word = hex_word(trimmed)
            .map_err(|at| TextError::at(text, start + at, "a hexadecimal number of 64 bits"))?;
        offset += part.len() + 1;
    }
    if parts.next().is_some() {
        Err(TextError::at(text, offset - 1, "the end after 9 numbers"))
    } else {
        Ok(words)
    }
}

/// A number of at most 16 digits; the error is the offset of what does not fit.
fn hex_word(text: &str) -> Result<u64, usize> {
    let start = if text.starts_with("0x") || text.starts_with("0X") { 2 } else { 0 };
    let digits = &text.as_bytes()[start..];
    if digits.is_empty() {
        return Err(start);
    }
    let mut value = 0;
    for (i, &digit) in digits.iter().enumerate() {
        let digit = char::from(digit).to_digit(16).filter(|_| i < 16).ok_or(start + i)?;
        value = value << 4 | u64::from(digit);
    }
    Ok(value)
}

/// The plain form as 164 hexadecimal digits.
pub fn plain_to_hex(bytes: &Plain) -> String {
    tabia_core::packed::to_hex(bytes)
}

/// The plain form from 164 hexadecimal digits, in either case.
pub fn plain_from_hex(text: &str) -> Result<Plain, TextError> {
    let mut bytes = [0; 82];
    let mut digits = text.char_indices();
    for byte in &mut bytes {
        for _ in 0..2 {
            let (at, digit) = digits.next().map_or((text.len(), None), |(at, c)| (at, c.to_digit(16)));
            let digit = digit.ok_or_else(|| TextError::at(text, at, "164 hexadecimal digits"))?;
            *byte = *byte << 4 | digit as u8;
        }
    }
    match digits.next() {
        Some((at, _)) => Err(TextError::at(text, at, "the end after 164 hexadecimal digits")),
        None => Ok(bytes),
    }
}

/// The plain form in base64 (RFC 4648, with padding).
pub fn plain_to_base64(bytes: &Plain) -> String {
    STANDARD.encode(bytes)
}

/// The plain form from base64; only the canonical writing is accepted.
pub fn plain_from_base64(text: &str) -> Result<Plain, TextError> {
    use base64::DecodeError::{InvalidByte, InvalidLastSymbol};
    let bytes = STANDARD.decode(text).map_err(|error| match error {
        InvalidByte(at, _) | InvalidLastSymbol(at, _) => TextError::at(text, char_start(text, at), "base64"),
        _ => TextError::at(text, text.len(), "base64 of 82 bytes (112 characters)"),
    })?;
    let length = bytes.len();
    let wrong = |_| TextError::at(text, text.len(), format!("base64 of 82 bytes, not of {length}"));
    bytes.try_into().map_err(wrong)
}

/// The start of the character a byte belongs to.
fn char_start(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
