//! Text of positions and moves.
//!
//! A position is FEN or a dump. A move is `11-15` or `15x22`; where first and last square leave a
//! choice, all squares are named: `15x22x31`.

use crate::dump;
use crate::fen;
use crate::legality;
use crate::movegen;
use crate::moves::Move;
use crate::rules::{Counting, Draughts};
use crate::setup::Setup;
use crate::state::State;
use crate::types::Square;
use tabia_core::notation::Cursor;
use tabia_core::{
    Format, Game, MoveError, NamedStart, Notation, Position, PositionError, RuleError, TextError,
};

static FORMATS: [Format; 2] = [
    Format::exact("fen", "turn and pieces: B:W18,24,K30:B5,12"),
    Format::exact("dump", "64 digits, top left first, and the turn"),
];

impl Notation for Draughts {
    /// FEN, or a dump (which begins with a digit).
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        let begin = text.len() - text.trim_start().len();
        let state = if text[begin..].starts_with(|c: char| c.is_ascii_digit()) {
            dump::read_valid(text.trim(), begin)?
        } else {
            fen::read(text)?.into_state()?
        };
        Ok(Position { rules: *self, state })
    }

    fn format(&self, state: &State) -> String {
        fen::write(state)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, MoveError> {
        let path = read_path(text)?;
        Ok(resolve(self, state, &path)?)
    }

    fn format_move(&self, state: &State, mv: Move) -> String {
        if !mv.is_capture() {
            let mut text = String::with_capacity(5);
            fen::push_number(&mut text, mv.from().number());
            text.push('-');
            fen::push_number(&mut text, mv.to().number());
            return text;
        }
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let ends = |mv: &Move| (mv.from(), mv.to());
        let alike = moves.iter().filter(|other| ends(other) == ends(&mv)).count();
        if alike > 1 { mv.to_string() } else { format!("{}x{}", mv.from(), mv.to()) }
    }

    fn starts(&self) -> Vec<NamedStart<Self>> {
        let position = Position { rules: *self, state: State::START };
        vec![NamedStart { id: "start".into(), about: "twelve men each, Black to move".into(), position }]
    }

    fn formats(&self) -> &[Format] {
        &FORMATS
    }

    fn encode(&self, state: &State, format: &str) -> Result<String, RuleError> {
        match format {
            "fen" => Ok(fen::write(state)),
            "dump" => Ok(Setup::from(*state).encode_dump()),
            _ => Err(RuleError::new(format!("no format {format:?}"))),
        }
    }

    fn decode(&self, code: &str, format: &str) -> Result<Position<Self>, PositionError> {
        let state = match format {
            "fen" => fen::read(code)?.into_state()?,
            "dump" => dump::read_valid(code, 0)?,
            _ => return Err(PositionError::Unsupported(format!("no format {format:?}"))),
        };
        Ok(Position { rules: *self, state })
    }
}

/// The squares of a move; `-`, `x` and `:` may stand between them, whatever the move does.
pub(crate) fn read_path(text: &str) -> Result<Vec<Square>, TextError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_space();
    let mut path = vec![read_square(&mut cursor)?];
    loop {
        cursor.skip_space();
        if path.len() > 1 && cursor.at_end() {
            return Ok(path);
        }
        // The longest capture makes nine jumps.
        if path.len() == 10 || !matches!(cursor.peek(), Some('-' | 'x' | 'X' | ':')) {
            return Err(cursor.error(if path.len() == 1 { "'-' or 'x'" } else { "'x' or the end" }));
        }
        cursor.next();
        cursor.skip_space();
        path.push(read_square(&mut cursor)?);
    }
}

fn read_square(cursor: &mut Cursor) -> Result<Square, TextError> {
    let at = cursor.offset();
    let digits = cursor.take_while(|c| c.is_ascii_digit());
    let square = digits.parse().ok().and_then(Square::new);
    square.ok_or_else(|| cursor.error_at(at, "a square from 1 to 32"))
}

/// The legal move along these squares: all of its squares, or its first and last and as many between
/// as it takes to leave no choice.
fn resolve(rules: &Draughts, state: &State, path: &[Square]) -> Result<Move, RuleError> {
    only(&match rules.counting {
        Counting::Routes => possible(state, path)?,
        Counting::Unique => readings(rules, state, path)?,
    })
}

/// The legal moves that these squares can stand for. Of moves that differ in nothing but the route one is
/// enough: files do not tell.
pub(crate) fn readings(rules: &Draughts, state: &State, path: &[Square]) -> Result<Vec<Move>, RuleError> {
    let mut moves = possible(state, path)?;
    let mut kept = 0;
    for at in 0..moves.len() {
        let mv = moves[at];
        if moves[..kept].iter().all(|other| other.without_route() != mv.without_route()) {
            moves[kept] = mv;
            kept += 1;
        }
    }
    moves.truncate(kept);
    if rules.counting == Counting::Unique {
        moves.iter_mut().for_each(|mv| *mv = representative(rules, state, *mv));
    }
    Ok(moves)
}

/// The move, if there is only one.
pub(crate) fn only(moves: &[Move]) -> Result<Move, RuleError> {
    match moves {
        [mv] => Ok(*mv),
        _ => Err(ambiguity(moves)),
    }
}

/// The legal moves along these squares: one where they are all of its squares.
fn possible(state: &State, path: &[Square]) -> Result<Vec<Move>, RuleError> {
    let mut moves = candidates(state, path);
    if moves.is_empty() {
        return Err(legality::refusal(state, path));
    }
    if let Some(whole) = moves.iter().position(|mv| mv.squares().eq(path.iter().copied())) {
        moves.swap(0, whole);
        moves.truncate(1);
    }
    Ok(moves)
}

/// Whether a longer capture begins along these squares.
pub(crate) fn begins_capture(state: &State, path: &[Square]) -> bool {
    let mut moves = Vec::new();
    movegen::list(state, Counting::Routes, &mut moves);
    let begins = |mv: &Move| {
        let mut squares = mv.squares();
        path.iter().all(|&square| squares.next() == Some(square)) && squares.next().is_some()
    };
    moves.iter().any(begins)
}

/// Room for the moves of nearly every position: games are read by the million.
const USUAL_MOVES: usize = 16;

/// The legal moves that begin and end like `path` and touch its other squares in the same order.
fn candidates(state: &State, path: &[Square]) -> Vec<Move> {
    let mut moves = Vec::with_capacity(USUAL_MOVES);
    movegen::list(state, Counting::Routes, &mut moves);
    moves.retain(|mv| {
        let ends = path.first() == Some(&mv.from()) && path.last() == Some(&mv.to());
        let mut squares = mv.squares();
        ends && path.iter().all(|square| squares.any(|touched| touched == *square))
    });
    moves
}

fn ambiguity(moves: &[Move]) -> RuleError {
    let routes: Vec<String> = moves.iter().map(ToString::to_string).collect();
    RuleError::new(format!("there are {} ways to go: {}", moves.len(), routes.join(", ")))
}

/// The listed move with the same effect.
fn representative(rules: &Draughts, state: &State, mv: Move) -> Move {
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    moves.into_iter().find(|listed| listed.without_route() == mv.without_route()).unwrap_or(mv)
}
