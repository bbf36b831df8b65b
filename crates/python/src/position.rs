//! Positions: values that never change.

use crate::errors;
use pyo3::prelude::*;
use std::sync::Arc;
use tabia_app::{AnyGame, AnyPosition};

/// A position.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Position {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) inner: Box<dyn AnyPosition>,
}

#[pymethods]
impl Position {
    /// The game's own text of the position.
    #[getter]
    fn text(&self) -> String {
        self.inner.text()
    }

    /// The texts of the legal moves.
    fn moves(&self) -> Vec<String> {
        self.inner.move_texts()
    }

    /// The position after a move.
    #[pyo3(signature = (mv, /))]
    fn play(&self, mv: &str) -> PyResult<Position> {
        let mut inner = self.inner.boxed_clone();
        inner.play(mv).map_err(errors::mv)?;
        Ok(Position { game: Arc::clone(&self.game), inner })
    }

    fn __str__(&self) -> String {
        self.inner.text()
    }
}
