//! Text and codes of positions and moves.

use crate::{Game, MoveError, Name, PositionError, RuleError, TextError};

/// A position together with the rules it is played by: what a text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position<G: Game> {
    /// The rules, with the options the text named.
    pub rules: G,
    /// The position.
    pub state: G::State,
}

/// A position that has a name: an opening, a board.
#[derive(Clone, Debug)]
pub struct NamedStart<G: Game> {
    /// The word for it on the command line.
    pub id: Name,
    /// What it is, in a few words.
    pub about: Name,
    /// The position.
    pub position: Position<G>,
}

/// A code that a game's positions can be written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// The word for it on the command line.
    pub id: Name,
    /// What it is, in a few words.
    pub about: Name,
    /// Whether the position can be read back from it.
    pub reversible: bool,
}

impl Format {
    /// A code from which the position can be read back.
    pub const fn exact(id: &'static str, about: &'static str) -> Self {
        Format { id: Name::Borrowed(id), about: Name::Borrowed(about), reversible: true }
    }

    /// A code that only goes one way, like a hash.
    pub const fn one_way(id: &'static str, about: &'static str) -> Self {
        Format { id: Name::Borrowed(id), about: Name::Borrowed(about), reversible: false }
    }
}

/// Text of positions and moves. The game's text form is always one of its formats, with the id `text`.
pub trait Notation: Game {
    /// Reads a position in any form the game knows. `self` supplies what the text leaves out.
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError>;

    /// Writes a position in the game's own text form, which [`Notation::parse`] reads back.
    fn format(&self, state: &Self::State) -> String;

    /// Reads a move and checks that it is legal.
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, MoveError>;

    /// Reads a text that may stand for several moves in a row (a chain of jumps, say).
    fn parse_moves(&self, state: &Self::State, text: &str) -> Result<Vec<Self::Move>, MoveError> {
        Ok(vec![self.parse_move(state, text)?])
    }

    /// Writes a legal move, unambiguously in its position.
    fn format_move(&self, state: &Self::State, mv: Self::Move) -> String;

    /// The number that stands for a move, where the game defines one.
    fn move_code(&self, _state: &Self::State, _mv: Self::Move) -> Option<u64> {
        None
    }

    /// The named positions, the default first.
    fn starts(&self) -> Vec<NamedStart<Self>> {
        let position = Position { rules: self.clone(), state: self.start() };
        vec![NamedStart { id: "start".into(), about: "the start position".into(), position }]
    }

    /// The codes beyond `text`, `packed` and `key`, which every game has.
    fn formats(&self) -> &[Format] {
        &[]
    }

    /// Writes a position in one of the game's own [`Notation::formats`].
    fn encode(&self, _state: &Self::State, format: &str) -> Result<String, RuleError> {
        Err(RuleError::new(format!("no format {format:?}")))
    }

    /// Writes the code of a text that need not be a valid position, for formats that are defined for
    /// more than positions (a hash of pieces on squares, say). `None`: this format has nothing to add,
    /// read the text with [`Notation::parse`] and use [`Notation::encode`].
    fn encode_text(&self, _text: &str, _format: &str) -> Option<Result<String, PositionError>> {
        None
    }

    /// Reads a position from one of the game's own [`Notation::formats`].
    fn decode(&self, _code: &str, format: &str) -> Result<Position<Self>, PositionError> {
        Err(PositionError::Unsupported(format!("no format {format:?}")))
    }
}

/// Reads a board that is drawn as rows of letters, the top row first, separated by `/`. Every cell becomes the
/// place of its letter in `letters`; all rows are equally long.
pub fn parse_rows(text: &str, letters: &str) -> Result<Vec<Vec<usize>>, TextError> {
    let wanted = || letters.chars().map(|c| format!("{c:?}")).collect::<Vec<_>>().join(" or ");
    let (mut cursor, mut rows) = (Cursor::new(text), vec![Vec::new()]);
    while let Some(c) = cursor.peek() {
        let width = rows[0].len();
        let ready = rows.len() == 1 && width > 0 || rows.len() > 1 && rows[rows.len() - 1].len() == width;
        match letters.chars().position(|letter| letter == c) {
            Some(place) if !ready || rows.len() == 1 => {
                rows.last_mut().into_iter().for_each(|row| row.push(place));
            }
            None if c == '/' && ready => rows.push(Vec::new()),
            _ if ready => return Err(cursor.error("'/' or the end")),
            _ => return Err(cursor.error(wanted())),
        }
        cursor.next();
    }
    if rows[0].is_empty() || rows[rows.len() - 1].len() < rows[0].len() {
        return Err(cursor.error(wanted()));
    }
    Ok(rows)
}

/// Draws a board as [`parse_rows`] reads it: `letter` gives the letter of a column and row, row 0 at the top.
pub fn format_rows(columns: usize, rows: usize, letter: impl Fn(usize, usize) -> char) -> String {
    let row = |row| (0..columns).map(|column| letter(column, row)).collect::<String>();
    (0..rows).map(row).collect::<Vec<_>>().join("/")
}

/// A reader over text that knows its byte offset: the common part of the games' parsers.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the beginning of `text`.
    pub const fn new(text: &'a str) -> Self {
        Cursor { text, offset: 0 }
    }

    /// The byte offset of the next character.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// What is left.
    pub fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// The next character, without taking it.
    #[inline]
    pub fn peek(&self) -> Option<char> {
        match self.text.as_bytes().get(self.offset)? {
            byte if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.rest().chars().next(),
        }
    }

    /// Whether everything has been read.
    pub fn at_end(&self) -> bool {
        self.offset == self.text.len()
    }

    /// Takes the next character.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.offset += c.len_utf8();
        Some(c)
    }

    /// Takes the next character if it is `c`.
    #[inline]
    pub fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.offset += c.len_utf8();
        }
        found
    }

    /// Takes characters while they satisfy `wanted`.
    #[inline]
    pub fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let start = self.offset;
        while let Some(c) = self.peek().filter(|&c| wanted(c)) {
            self.offset += c.len_utf8();
        }
        &self.text[start..self.offset]
    }

    /// Takes the next bytes, if a character ends with the last of them.
    pub fn take(&mut self, bytes: usize) -> Option<&'a str> {
        let taken = self.rest().get(..bytes)?;
        self.offset += bytes;
        Some(taken)
    }

    /// Skips white space; whether there was any.
    pub fn skip_space(&mut self) -> bool {
        !self.take_while(char::is_whitespace).is_empty()
    }

    /// Takes `c` or fails.
    pub fn expect(&mut self, c: char) -> Result<(), TextError> {
        if self.eat(c) { Ok(()) } else { Err(self.error(format!("{c:?}"))) }
    }

    /// Fails unless everything has been read.
    pub fn expect_end(&self) -> Result<(), TextError> {
        if self.at_end() { Ok(()) } else { Err(self.error("the end")) }
    }

    /// An error at the next character.
    pub fn error(&self, expected: impl Into<String>) -> TextError {
        TextError::at(self.text, self.offset, expected)
    }

    /// An error at an earlier character.
    pub fn error_at(&self, offset: usize, expected: impl Into<String>) -> TextError {
        TextError::at(self.text, offset, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_written() {
        let rows = parse_rows("xo./.xx", "xo.").unwrap();
        assert_eq!(rows, [[0, 1, 2], [2, 0, 0]]);
        let letter = |column: usize, row: usize| ['x', 'o', '.'][rows[row][column]];
        assert_eq!(format_rows(3, 2, letter), "xo./.xx");
    }

    #[test]
    fn rows_that_do_not_fit_are_refused_where_they_break() {
        for (text, offset) in
            [("", 0), ("/x", 0), ("xo/x", 4), ("xo/xoo", 5), ("xo/", 3), ("xq", 1), ("x/é", 2)]
        {
            assert_eq!(parse_rows(text, "xo.").unwrap_err().offset, offset, "{text:?}");
        }
    }
}
