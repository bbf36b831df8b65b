//! FEN: `B:W18,24,K30:B5,12` - the turn, then the pieces of both colours.
//!
//! Read: groups in either order, ranges (`21-32`, `K1-4`), white space anywhere between, a final dot.
//! Written: White first, ascending, no ranges, no dot.

use crate::board::{PieceSet, Selector};
use crate::setup::Setup;
use crate::state::State;
use crate::types::{Color, Square};
use tabia_core::{PositionError, TextError};

/// What a FEN says, and where it says it.
pub(crate) struct Fen {
    black: Group,
    white: Group,
    turn: Color,
    /// The byte offset at which each square was last named.
    named_at: [u32; 32],
}

/// The pieces of one colour.
#[derive(Clone, Copy, Default)]
struct Group {
    men: u32,
    kings: u32,
}

impl Fen {
    /// The state, valid or not.
    pub(crate) fn setup(&self) -> Setup {
        let sets = [self.black.men, self.black.kings, self.white.men, self.white.kings];
        let [bm, bk, wm, wk] = sets.map(|set| PieceSet::unpacked(set).0);
        Setup::new(bm, bk, wm, wk, self.turn == Color::Black)
    }

    /// The valid position, or all violated rules with their places in the text.
    pub(crate) fn into_state(self) -> Result<State, PositionError> {
        let Fen { black, white, turn, .. } = self;
        let doubled = black.men & black.kings | white.men & white.kings;
        let state =
            State::new(black.men | black.kings, white.men | white.kings, black.kings | white.kings, turn);
        state.filter(|_| doubled == 0).ok_or_else(|| {
            let place =
                |squares: PieceSet| squares.squares().map(|s| self.named_at[s.index()] as usize).min();
            let violations = self.setup().violations();
            PositionError::Rules(violations.iter().map(|v| v.rule_error(place(v.squares))).collect())
        })
    }
}

/// Reads a FEN.
pub(crate) fn read(text: &str) -> Result<Fen, TextError> {
    let mut reader = Reader { text, at: 0 };
    let mut groups: [Option<Group>; 2] = [None; 2];
    let mut named_at = [0; 32];
    let turn = reader.color()?;
    for _ in 0..2 {
        if !reader.eat(b':') {
            return Err(reader.error("':'"));
        }
        reader.skip_space();
        let at = reader.at;
        let color = reader.color()?;
        if groups[color as usize].is_some() {
            return Err(TextError::at(text, at, format!("the pieces of {}", color.other())));
        }
        groups[color as usize] = Some(reader.group(&mut named_at)?);
    }
    reader.eat(b'.');
    reader.skip_space();
    if reader.at < text.len() {
        return Err(reader.error("the end"));
    }
    let [black, white] = groups.map(Option::unwrap_or_default);
    Ok(Fen { black, white, turn, named_at })
}

/// A reader by bytes: positions are read by the million. It never stops inside a character, since
/// it takes nothing but ASCII.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, expected: impl Into<String>) -> TextError {
        TextError::at(self.text, self.at, expected)
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Takes a byte if it comes next, white space aside.
    fn eat(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn color(&mut self) -> Result<Color, TextError> {
        self.skip_space();
        let color = match self.peek() {
            Some(b'B' | b'b') => Color::Black,
            Some(b'W' | b'w') => Color::White,
            _ => return Err(self.error("'B' or 'W'")),
        };
        self.at += 1;
        Ok(color)
    }

    fn group(&mut self, named_at: &mut [u32; 32]) -> Result<Group, TextError> {
        let mut group = Group::default();
        self.skip_space();
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit() || byte == b'K' || byte == b'k') {
            return Ok(group);
        }
        loop {
            self.skip_space();
            let at = self.at;
            let king = self.eat(b'K') || self.eat(b'k');
            let first = self.square(1)?;
            let last = if self.eat(b'-') { self.square(first)? } else { first };
            let set = if king { &mut group.kings } else { &mut group.men };
            for number in first..=last {
                let index = usize::from(number - 1);
                if *set >> index & 1 != 0 {
                    return Err(TextError::at(
                        self.text,
                        at,
                        format!("each square once, not {number} again"),
                    ));
                }
                *set |= 1 << index;
                named_at[index] = at as u32;
            }
            if !self.eat(b',') {
                return Ok(group);
            }
        }
    }

    /// The number of a square, `least` or more.
    fn square(&mut self, least: u8) -> Result<u8, TextError> {
        self.skip_space();
        let begin = self.at;
        let mut number = 0u32;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        if (u32::from(least)..=Square::COUNT as u32).contains(&number) {
            Ok(number as u8)
        } else {
            Err(TextError::at(self.text, begin, format!("a square from {least} to 32")))
        }
    }
}

/// Writes a position.
pub(crate) fn write(state: &State) -> String {
    write_boards(state.turn(), [state.black(), state.white()], state.kings())
}

/// Writes what FEN can say of any state: where sets overlap, a king hides a man.
pub(crate) fn write_setup(state: &Setup) -> String {
    let [black, white] = Color::ALL.map(|color| state.board.select(Selector::Color(color)).packed());
    let kings = state.board.select(Selector::Kings).packed();
    write_boards(state.turn, [black, white], kings)
}

fn write_boards(turn: Color, [black, white]: [u32; 2], kings: u32) -> String {
    let mut text = String::with_capacity(80);
    text.push(turn.letter());
    for (letter, mut set) in [('W', white), ('B', black)] {
        text.push(':');
        text.push(letter);
        while set != 0 {
            push_piece(&mut text, set.trailing_zeros(), kings);
            set &= set - 1;
            if set != 0 {
                text.push(',');
            }
        }
    }
    text
}

fn push_piece(text: &mut String, index: u32, kings: u32) {
    if kings >> index & 1 != 0 {
        text.push('K');
    }
    push_number(text, index as u8 + 1);
}

/// Appends the number of a square, as [`crate::Square`] is displayed, but without a formatter: answers have four for every move.
pub(crate) fn push_number(text: &mut String, number: u8) {
    if number >= 10 {
        text.push(char::from(b'0' + number / 10));
    }
    text.push(char::from(b'0' + number % 10));
}
