//! Positions row by row from the top, then who is to move: `xxxx/xxxx/oooo/oooo x`; moves `a2-b3`.

use super::{Breakthrough, Bug, Move, State};
use tabia_core::notation::Cursor;
use tabia_core::{Game, MoveError, Notation, Position, PositionError, RuleError, Side};

impl Notation for Breakthrough {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        let mut cursor = Cursor::new(text);
        let size = text.split('/').count();
        let rules = Breakthrough { size, ..*self };
        if !(4..=6).contains(&size) {
            return Err(cursor.error("four to six rows").into());
        }
        let mut men = [0; 2];
        for cell in 0..size * size {
            if cell > 0 && cell % size == 0 {
                cursor.expect('/')?;
            }
            match cursor.peek() {
                Some(c @ ('x' | 'o')) => men[usize::from(c == 'o')] |= 1 << cell,
                Some('.') => {}
                _ => return Err(cursor.error("'x', 'o' or '.'").into()),
            }
            cursor.next();
        }
        cursor.expect(' ')?;
        let turn = "xo".find(|c| cursor.eat(c)).ok_or_else(|| cursor.error("'x' or 'o'"))?;
        cursor.expect_end()?;
        Ok(Position { rules, state: rules.validated(men, Side::ALL[turn])? })
    }
    fn format(&self, state: &State) -> String {
        let man =
            |cell: usize| [b'x', b'o', b'.'][(0..2).find(|i| state.men[*i] >> cell & 1 == 1).unwrap_or(2)];
        let row = |row: usize| {
            (0..self.size).map(|column| char::from(man(row * self.size + column))).collect::<String>()
        };
        format!(
            "{} {}",
            (0..self.size).map(row).collect::<Vec<_>>().join("/"),
            ["x", "o"][state.turn.index()]
        )
    }
    fn parse_move(&self, state: &State, text: &str) -> Result<Move, MoveError> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let found = moves.into_iter().find(|&mv| self.format_move(state, mv) == text);
        Ok(found.ok_or_else(|| RuleError::new(format!("{text:?} is not a legal move")))?)
    }
    fn format_move(&self, _: &State, (from, to): Move) -> String {
        let from = if self.has(Bug::MoveTextAmbiguous) { String::new() } else { self.name(from) };
        format!("{from}-{}", self.name(to))
    }
}
