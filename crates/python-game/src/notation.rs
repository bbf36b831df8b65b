//! Texts of positions and moves: the game's own, or the bytes in hexadecimal and Python's words.

use super::errors::law_error;
use super::moves::PyMove;
use super::rules::PyRules;
use super::state::{Code, PyState};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabia_core::packed::{from_hex, to_hex};
use tabia_core::{Game, MoveError, Notation, Packed, Position, PositionError, RuleError};

impl PyRules {
    /// The text that the game gives.
    fn own_text(&self, state: &PyState) -> Option<String> {
        let text = self.inner.hooks.text.as_ref()?;
        self.ask(|py| text.bind(py).call1((&state.object,))?.extract())
    }

    /// Remembers what was written for a game that cannot read it.
    fn remember(&self, text: &str, state: &PyState) {
        let first = self.inner.texts.first(text.to_owned(), state);
        if first != *state {
            let details = format!("{first:?} and {state:?} are both {text:?}");
            self.ask(|py| -> PyResult<()> {
                Err(law_error(py, self.id(), "text gives the same position back", details))
            });
        }
    }

    fn read_text(&self, text: &str) -> Result<PyState, PositionError> {
        let hooks = &self.inner.hooks;
        match (&hooks.parse, &hooks.text) {
            (Some(parse), _) => self.read(|py| parse.bind(py).call1((text,))),
            (None, Some(_)) => self.inner.texts.get(text).ok_or_else(|| {
                PositionError::rule(
                    "no position with this text was met, and the game has no parse to read it",
                )
            }),
            (None, None) => {
                let packed = Code::from_bytes(&from_hex(text)?);
                self.unpack(&packed.ok_or_else(|| PositionError::rule("too many bytes for a position"))?)
            }
        }
    }

    pub(super) fn legal(&self, state: &PyState) -> Vec<PyMove> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves
    }
}

/// A move as Python writes it; the parts of a tuple are joined by hyphens.
fn word(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyTuple>() {
        Ok(parts) => Ok(parts.iter().map(|part| word(&part)).collect::<PyResult<Vec<_>>>()?.join("-")),
        Err(_) => Ok(value.str()?.to_string()),
    }
}

impl Notation for PyRules {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        Ok(Position { rules: self.clone(), state: self.read_text(text.trim())? })
    }

    fn format(&self, state: &PyState) -> String {
        match self.own_text(state) {
            Some(text) => {
                if self.inner.hooks.parse.is_none() {
                    self.remember(&text, state);
                }
                text
            }
            None => to_hex(self.pack(state).as_bytes()),
        }
    }

    fn parse_move(&self, state: &PyState, text: &str) -> Result<PyMove, MoveError> {
        let moves = self.legal(state);
        let wanted = text.trim();
        if let Some(&mv) = moves.iter().find(|&&mv| self.format_move(state, mv) == wanted) {
            return Ok(mv);
        }
        let some: Vec<_> = moves.iter().take(8).map(|&mv| self.format_move(state, mv)).collect();
        let reason = match (moves.len(), some.join(", ")) {
            (0, _) => "the game is over".to_owned(),
            (1..=8, all) => format!("no legal move is written so; the legal moves are {all}"),
            (_, some) => format!("no legal move is written so; legal are {some} and more"),
        };
        Err(RuleError::new(reason).into())
    }

    fn format_move(&self, state: &PyState, mv: PyMove) -> String {
        let text = self.ask(|py| {
            let value = self.inner.moves.value(py, mv)?;
            match &self.inner.hooks.move_text {
                Some(text) => text.bind(py).call1((&state.object, value))?.extract(),
                None => word(&value),
            }
        });
        text.unwrap_or_default()
    }
}
