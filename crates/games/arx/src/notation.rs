//! Text of positions and moves.
//!
//! ```text
//!     bdpgkgpdb/2c3j2/sssssssss/9/9/9/SSSSSSSSS/2J3C2/BDPGKGPDB w
//! ```
//!
//! Ranks 9 to 1; digits are runs of empty squares; `[JP]` is a stack, the top first; then who is to
//! move. A move is `c3-d4`, `c3xd4` (takes), `c3+d4` (onto an own piece), with a leading `^` when the
//! top piece goes alone; reading accepts any of `-x+`.

use crate::codes;
use crate::{Arx, Kind, Move, Pile, Square, State, legality};
use tabia_core::notation::Cursor;
use tabia_core::{
    Format, MoveError, NamedStart, Notation, Position, PositionError, RuleError, Side, TextError,
};

static FORMATS: [Format; 3] = [
    Format::exact("words", "9 x u64, one per rank, in hexadecimal separated by commas"),
    Format::exact("hex", "82 bytes, one per square and the side to move, in hexadecimal"),
    Format::exact("base64", "the same 82 bytes in base64"),
];

impl Notation for Arx {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        let word = text.trim();
        let begin = text.len() - text.trim_start().len();
        let shift = |error: PositionError| match error {
            PositionError::Syntax(error) => PositionError::Syntax(error.shifted(begin)),
            PositionError::Rules(rules) => PositionError::Rules(
                rules.into_iter().map(|r| RuleError { offset: r.offset.map(|at| at + begin), ..r }).collect(),
            ),
            other => other,
        };
        let form = if word.contains(',') {
            "words"
        } else if word.len() == 164 && word.bytes().all(|b| b.is_ascii_hexdigit()) {
            "hex"
        } else if word.len() == 112 && !word.contains([' ', '[']) {
            "base64"
        } else {
            return parse_text(word).map(position).map_err(shift);
        };
        self.decode(word, form).map_err(shift)
    }

    fn format(&self, state: &State) -> String {
        format(state)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, MoveError> {
        let mv = parse_move(text)?;
        legality::check(state, mv)?;
        Ok(mv)
    }

    fn format_move(&self, state: &State, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        let how = match state.pile(to).side() {
            None => '-',
            Some(side) if side == state.side() => '+',
            Some(_) => 'x',
        };
        let mut text = String::with_capacity(6);
        text.push_str(if mv.unstack() { "^" } else { "" });
        push_square(&mut text, from);
        text.push(how);
        push_square(&mut text, to);
        text
    }

    fn move_code(&self, _state: &State, mv: Move) -> Option<u64> {
        Some(u64::from(mv.code()))
    }

    fn starts(&self) -> Vec<NamedStart<Self>> {
        vec![NamedStart {
            id: "start".into(),
            about: "the start position".into(),
            position: position(State::start()),
        }]
    }

    fn formats(&self) -> &[Format] {
        &FORMATS
    }

    fn encode(&self, state: &State, format: &str) -> Result<String, RuleError> {
        match format {
            "words" => Ok(codes::words_to_text(&codes::to_words(state))),
            "hex" => Ok(codes::plain_to_hex(&codes::to_plain(state))),
            "base64" => Ok(codes::plain_to_base64(&codes::to_plain(state))),
            _ => Err(RuleError::new(format!("no format {format:?}"))),
        }
    }

    fn decode(&self, code: &str, format: &str) -> Result<Position<Self>, PositionError> {
        let state = match format {
            "words" => codes::from_words(&codes::words_from_text(code)?)?,
            "hex" => codes::from_plain(&codes::plain_from_hex(code)?)?,
            "base64" => codes::from_plain(&codes::plain_from_base64(code)?)?,
            _ => return Err(PositionError::Unsupported(format!("no format {format:?}"))),
        };
        Ok(position(state))
    }
}

fn position(state: State) -> Position<Arx> {
    Position { rules: Arx, state }
}

/// The text of a position.
pub(crate) fn format(state: &State) -> String {
    // A position is written for every move that an answer lists. Where pieces stand nobody can predict, so that digits and
    // letters are always written, and overwritten where there are none.
    let (mut text, mut end) = ([0; LONGEST], 0);
    let mut write = |bytes: [u8; 4], length: usize| {
        if let Some(place) = text.get_mut(end..end + 4) {
            place.copy_from_slice(&bytes);
        }
        end += length;
    };
    for (row, piles) in state.piles().chunks_exact(Square::SIDE).enumerate() {
        write(*b"/   ", usize::from(row > 0));
        let mut gap = 0;
        for &pile in piles {
            let (letters, length) = PILES[usize::from(pile.code() & 127)];
            write([b'0' + gap, 0, 0, 0], usize::from(gap > 0 && length > 0));
            write(letters, usize::from(length));
            gap = if length > 0 { 0 } else { gap + 1 };
        }
        write([b'0' + gap, 0, 0, 0], usize::from(gap > 0));
    }
    write(if state.side() == Side::First { *b" w  " } else { *b" b  " }, 2);
    String::from_utf8(text[..end].to_vec()).unwrap_or_default()
}

/// Room for a stack on every square, and what stands between and after the rows.
const LONGEST: usize = 4 * Square::COUNT + Square::SIDE + 4;

/// How each code of a pile is written, and how many of the bytes that takes.
static PILES: [([u8; 4], u8); 128] = {
    let mut table = [([0; 4], 0); 128];
    let mut code = 1;
    while code < 128 {
        if let Some(pile) = Pile::from_code(code as u8) {
            table[code] = letters(pile);
        }
        code += 1;
    }
    table
};

const fn letters(pile: Pile) -> ([u8; 4], u8) {
    // Small letters are Black's.
    let small = if matches!(pile.side(), Some(Side::First)) { 0 } else { b'a' - b'A' };
    match (pile.top(), pile.bottom()) {
        (Some(top), Some(bottom)) => {
            ([b'[', top.letter() as u8 + small, bottom.letter() as u8 + small, b']'], 4)
        }
        (None, Some(kind)) => ([kind.letter() as u8 + small, 0, 0, 0], 1),
        _ => ([0; 4], 0),
    }
}

/// The name of a square, as [`Square`] is displayed, but without a formatter: answers have two for every move.
pub(crate) fn square(square: Square) -> String {
    let mut text = String::with_capacity(2);
    push_square(&mut text, square);
    text
}

fn push_square(text: &mut String, square: Square) {
    text.push(char::from(b'a' + square.column() as u8));
    text.push(char::from(b'0' + (Square::SIDE - square.row()) as u8));
}

/// Reads the text form.
fn parse_text(text: &str) -> Result<State, PositionError> {
    let mut cursor = Cursor::new(text);
    let mut board =
        Board { piles: [Pile::EMPTY; Square::COUNT], offsets: [0; Square::COUNT], errors: Vec::new() };
    for row in 0..Square::SIDE {
        if row > 0 {
            cursor.expect('/')?;
        }
        read_rank(&mut cursor, row, &mut board)?;
    }
    if !cursor.skip_space() {
        return Err(cursor.error("a blank and the side to move, 'w' or 'b'").into());
    }
    let side = match cursor.peek() {
        Some('w' | 'W') => Side::First,
        Some('b' | 'B') => Side::Second,
        _ => return Err(cursor.error("'w' or 'b'").into()),
    };
    cursor.next();
    cursor.expect_end()?;
    board.finish(side)
}

/// What has been read of a board, and the rules it violates.
struct Board {
    piles: [Pile; Square::COUNT],
    offsets: [usize; Square::COUNT],
    errors: Vec<RuleError>,
}

impl Board {
    fn finish(mut self, side: Side) -> Result<State, PositionError> {
        match State::from_text(&self.piles, side, |square| Some(self.offsets[square.index()])) {
            Ok(state) if self.errors.is_empty() => return Ok(state),
            Ok(_) => {}
            Err(errors) => self.errors.extend(errors),
        }
        Err(PositionError::Rules(self.errors))
    }
}

fn read_rank(cursor: &mut Cursor<'_>, row: usize, board: &mut Board) -> Result<(), TextError> {
    let mut column = 0;
    while column < Square::SIDE {
        let offset = cursor.offset();
        let left = Square::SIDE - column;
        let wanted = || format!("a piece, a stack or a gap of at most {left} on rank {}", Square::SIDE - row);
        let index = row * Square::SIDE + column;
        board.offsets[index] = offset;
        match cursor.next() {
            Some(gap @ '1'..='9') if gap as usize - '0' as usize <= left => {
                column += gap as usize - '0' as usize;
            }
            Some('[') => {
                board.piles[index] = read_stack(cursor, Square::from_bits(index as u8), &mut board.errors)?;
                column += 1;
            }
            Some(letter) => {
                let (side, kind) = piece(letter).ok_or_else(|| cursor.error_at(offset, wanted()))?;
                board.piles[index] = Pile::single(side, kind);
                column += 1;
            }
            None => return Err(cursor.error(wanted())),
        }
    }
    Ok(())
}

/// Reads the rest of `[JP]`. What is read but against the rules goes to `errors`.
fn read_stack(
    cursor: &mut Cursor<'_>,
    square: Square,
    errors: &mut Vec<RuleError>,
) -> Result<Pile, TextError> {
    let offset = cursor.offset();
    let mut letter = || {
        let at = cursor.offset();
        cursor
            .next()
            .and_then(piece)
            .ok_or_else(|| cursor.error_at(at, "a piece letter: a stack is two, top first"))
    };
    let ((side, top), (other, bottom)) = (letter()?, letter()?);
    cursor.expect(']')?;
    if side != other {
        errors.push(RuleError::at(offset, format!("the stack on {square} has pieces of both colours")));
    }
    Ok(Pile::stack(side, top, bottom).unwrap_or_else(|| {
        errors.push(RuleError::at(offset, format!("the stack on {square} has a King: Kings stand alone")));
        Pile::EMPTY
    }))
}

fn piece(letter: char) -> Option<(Side, Kind)> {
    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
    Some((side, Kind::from_letter(letter)?))
}

/// Reads a move, legal or not.
fn parse_move(text: &str) -> Result<Move, TextError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_space();
    let unstack = cursor.eat('^');
    let from = read_square(&mut cursor)?;
    if !(cursor.eat('-') || cursor.eat('x') || cursor.eat('X') || cursor.eat('+')) {
        return Err(cursor.error("'-', 'x' or '+'"));
    }
    let to = read_square(&mut cursor)?;
    cursor.skip_space();
    cursor.expect_end()?;
    Ok(Move::new(from, to, unstack))
}

fn read_square(cursor: &mut Cursor<'_>) -> Result<Square, TextError> {
    let column = cursor.offset();
    let letter = cursor.next().filter(|c| matches!(c, 'a'..='i' | 'A'..='I'));
    let letter = letter.ok_or_else(|| cursor.error_at(column, "a column, 'a' to 'i'"))?;
    let rank = cursor.offset();
    let digit = cursor.next().filter(|c| matches!(c, '1'..='9'));
    let digit = digit.ok_or_else(|| cursor.error_at(rank, "a rank, '1' to '9'"))?;
    Square::from_name(&format!("{letter}{digit}")).ok_or_else(|| cursor.error_at(column, "a square"))
}
