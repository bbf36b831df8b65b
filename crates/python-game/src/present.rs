//! Pictures: the rows of cells that the game draws, or a single place that stands for the whole position.

use super::moves::PyMove;
use super::rules::PyRules;
use super::state::PyState;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabia_core::view::grid;
use tabia_core::{Cell, Game, Geometry, Info, Name, Notation, Picture, Piece, Present, Shade, Shape, Side};

/// The one place of a game without cells.
const WHOLE: &str = "position";

/// What stands on a cell.
struct Word {
    word: String,
    side: Option<Side>,
}

/// A place in the rows that a game draws.
enum Drawn {
    /// No cell at all.
    Gap,
    Empty,
    Piece(Word),
}

type Rows = Vec<Vec<Drawn>>;

impl PyRules {
    /// The rows of a position, the top one first; `None` for games that draw none.
    fn rows(&self, state: &PyState) -> Option<Rows> {
        let cells = self.inner.hooks.cells.as_ref()?;
        self.ask(|py| {
            let mut rows = Vec::new();
            for row in cells.bind(py).call1((&state.object,))?.try_iter()? {
                rows.push(row?.try_iter()?.map(|entry| self.drawn(&entry?)).collect::<PyResult<_>>()?);
            }
            Ok(rows)
        })
    }

    fn drawn(&self, entry: &Bound<'_, PyAny>) -> PyResult<Drawn> {
        let wrong = |_| {
            let message = "cells gives rows of words, or of pairs of a word and a side";
            PyTypeError::new_err(format!("{message}, not {entry}"))
        };
        if entry.is_none() {
            return Ok(Drawn::Gap);
        }
        if let Ok(pair) = entry.cast::<PyTuple>() {
            let (word, side): (String, usize) = pair.extract().map_err(wrong)?;
            return Ok(Drawn::Piece(Word { word, side: Side::from_index(side) }));
        }
        let word: String = entry.extract().map_err(wrong)?;
        Ok(match word.as_str() {
            " " => Drawn::Gap,
            "" | "." => Drawn::Empty,
            _ => {
                let side = self.inner.about.sides.iter().position(|side| *side == word);
                Drawn::Piece(Word { side: side.and_then(Side::from_index), word })
            }
        })
    }

    /// The names of the cells in reading order.
    fn cell_names(&self) -> Vec<String> {
        self.geometry().cells.into_iter().map(|cell| cell.id).collect()
    }
}

/// `a1` is at the top left.
fn cell_name(column: usize, row: usize) -> String {
    format!("{}{}", column_name(column), row + 1)
}

fn column_name(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    if column < 26 { letter.to_string() } else { format!("{}{letter}", column_name(column / 26 - 1)) }
}

fn piece(cell: String, Word { word, side }: Word) -> Piece {
    let ascii: String = word.chars().filter(char::is_ascii).take(2).collect();
    let unicode = word.chars().take(2).collect();
    let ascii = if ascii.is_empty() { "?".to_owned() } else { ascii };
    Piece { cell, side, name: Name::Owned(word), ascii, unicode, level: 0, art: None }
}

/// The cells whose names stand in a text, in the order in which they do.
fn cells_in(text: &str, names: &[String]) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| names.iter().any(|name| name == word)).map(str::to_owned).collect()
}

impl Present for PyRules {
    fn info(&self) -> Info {
        let about = &self.inner.about;
        let own = self.inner.hooks.text.is_some();
        let notation =
            if own { "Positions and moves as the game writes them." } else { "Positions as bytes." };
        Info {
            name: Name::Owned(about.name.clone()),
            rules: Name::Owned(about.rules.clone()),
            notation: notation.into(),
            sides: about.sides.clone(),
        }
    }

    fn geometry(&self) -> Geometry {
        let Some(rows) = self.rows(&self.start()) else {
            let cell = Cell {
                id: WHOLE.to_owned(),
                name: None,
                x: 1.0,
                y: 0.5,
                size: [2.0, 1.0],
                shape: Shape::Tray,
                shade: Shade::Light,
                text_at: [0, 0],
            };
            return Geometry { width: 2.0, height: 1.0, cells: vec![cell], labels: Vec::new() };
        };
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let name = |column: usize, row: usize| match rows.get(row)?.get(column)? {
            Drawn::Gap => None,
            _ => Some((
                cell_name(column, row),
                if (column + row).is_multiple_of(2) { Shade::Light } else { Shade::Dark },
            )),
        };
        grid(columns, rows.len(), Shape::Square, name, column_name, |row| (row + 1).to_string())
    }

    fn picture(&self, state: &PyState) -> Picture {
        let pieces = match self.rows(state) {
            None => {
                let word = Word { word: self.format(state), side: Some(state.side) };
                vec![piece(WHOLE.to_owned(), word)]
            }
            Some(rows) => {
                let places = rows.into_iter().enumerate().flat_map(|(row, drawn)| {
                    drawn.into_iter().enumerate().map(move |(column, drawn)| (column, row, drawn))
                });
                let shown = places.filter_map(|(column, row, drawn)| match drawn {
                    Drawn::Piece(word) => Some(piece(cell_name(column, row), word)),
                    _ => None,
                });
                shown.collect()
            }
        };
        Picture { pieces, marks: Vec::new() }
    }

    fn steps(&self, state: &PyState, mv: PyMove) -> Vec<String> {
        if let Some(steps) = &self.inner.hooks.steps {
            let named = self.ask(|py| {
                let value = self.inner.moves.value(py, mv)?;
                steps.bind(py).call1((&state.object, value))?.extract()
            });
            return named.unwrap_or_default();
        }
        if self.inner.hooks.cells.is_none() {
            return vec![WHOLE.to_owned()];
        }
        let names = self.cell_names();
        let number = self.ask(|py| Ok(self.inner.moves.value(py, mv)?.extract::<usize>().ok())).flatten();
        match number.and_then(|number| names.get(number)) {
            Some(name) => vec![name.clone()],
            None => cells_in(&self.format_move(state, mv), &names),
        }
    }
}
