//! FEN: `B:W18,24,K30:B5,12` - the turn, then the pieces of both colours.
//!
//! Read: groups in either order, ranges (`21-32`, `K1-4`), white space anywhere between, a final dot.
//! Written: White first, ascending, no ranges, no dot.

use crate::board::{PieceSet, Selector};
use crate::game_state::GameState;
use crate::state::State;
use crate::types::{Color, Square};
use tabia_core::notation::Cursor;
use tabia_core::{PositionError, TextError};

/// What a FEN says, and where it says it.
pub(crate) struct Fen {
    pub(crate) state: GameState,
    /// The byte offset at which each square was last named.
    named_at: [u32; 32],
}

impl Fen {
    /// The valid position, or all violated rules with their places in the text.
    pub(crate) fn into_state(self) -> Result<State, PositionError> {
        State::try_from(self.state).map_err(|_| {
            let place =
                |squares: PieceSet| squares.squares().map(|s| self.named_at[s.index()] as usize).min();
            let violations = self.state.violations();
            PositionError::Rules(violations.iter().map(|v| v.rule_error(place(v.squares))).collect())
        })
    }
}

/// The pieces of one colour.
#[derive(Clone, Copy, Default)]
struct Group {
    men: u32,
    kings: u32,
}

/// Reads a FEN.
pub(crate) fn read(text: &str) -> Result<Fen, TextError> {
    let mut cursor = Cursor::new(text);
    let mut groups: [Option<Group>; 2] = [None; 2];
    let mut named_at = [0; 32];
    cursor.skip_space();
    let turn = read_color(&mut cursor, "'B' or 'W'")?;
    for _ in 0..2 {
        cursor.skip_space();
        cursor.expect(':')?;
        cursor.skip_space();
        let at = cursor.offset();
        let color = read_color(&mut cursor, "'B' or 'W'")?;
        if groups[color as usize].is_some() {
            return Err(cursor.error_at(at, format!("the pieces of {}", color.other())));
        }
        groups[color as usize] = Some(read_group(&mut cursor, &mut named_at)?);
    }
    cursor.skip_space();
    cursor.eat('.');
    cursor.skip_space();
    cursor.expect_end()?;
    let [black, white] = groups.map(Option::unwrap_or_default);
    let [bm, bk, wm, wk] =
        [black.men, black.kings, white.men, white.kings].map(|set| PieceSet::unpacked(set).0);
    Ok(Fen { state: GameState::new(bm, bk, wm, wk, turn == Color::Black), named_at })
}

fn read_color(cursor: &mut Cursor, expected: &str) -> Result<Color, TextError> {
    match cursor.peek() {
        Some('B' | 'b') => cursor.next().map(|_| Color::Black),
        Some('W' | 'w') => cursor.next().map(|_| Color::White),
        _ => None,
    }
    .ok_or_else(|| cursor.error(expected))
}

fn read_group(cursor: &mut Cursor, named_at: &mut [u32; 32]) -> Result<Group, TextError> {
    let mut group = Group::default();
    cursor.skip_space();
    if !cursor.peek().is_some_and(|c| c.is_ascii_digit() || c == 'K' || c == 'k') {
        return Ok(group);
    }
    loop {
        cursor.skip_space();
        let at = cursor.offset();
        let king = cursor.eat('K') || cursor.eat('k');
        let first = read_square(cursor)?;
        cursor.skip_space();
        let last = if cursor.eat('-') { read_last(cursor, first)? } else { first };
        let set = if king { &mut group.kings } else { &mut group.men };
        for square in Square::all().skip(first.index()).take(last.index() + 1 - first.index()) {
            if *set & square.bit() != 0 {
                return Err(cursor.error_at(at, format!("each square once, not {square} again")));
            }
            *set |= square.bit();
            named_at[square.index()] = at as u32;
        }
        cursor.skip_space();
        if !cursor.eat(',') {
            return Ok(group);
        }
    }
}

/// The end of a range.
fn read_last(cursor: &mut Cursor, first: Square) -> Result<Square, TextError> {
    cursor.skip_space();
    let at = cursor.offset();
    let last = read_square(cursor)?;
    if last < first { Err(cursor.error_at(at, format!("a square from {first} to 32"))) } else { Ok(last) }
}

fn read_square(cursor: &mut Cursor) -> Result<Square, TextError> {
    let at = cursor.offset();
    let digits = cursor.take_while(|c| c.is_ascii_digit());
    let square = digits.parse().ok().and_then(Square::new);
    square.ok_or_else(|| cursor.error_at(at, "a square from 1 to 32"))
}

/// Writes a position.
pub(crate) fn write(state: &State) -> String {
    write_boards(state.turn(), [state.black(), state.white()], state.kings())
}

/// Writes what FEN can say of any state: where sets overlap, a king hides a man.
pub(crate) fn write_game_state(state: &GameState) -> String {
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
    let number = index as u8 + 1;
    if number >= 10 {
        text.push(char::from(b'0' + number / 10));
    }
    text.push(char::from(b'0' + number % 10));
}
