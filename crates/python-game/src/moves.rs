//! Moves of Python games: numbers of Python values.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A move: its place in the list of all values that were ever a move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PyMove(u32);

/// The moves met so far: values by number and numbers by value. Only touched while attached to the interpreter.
pub(super) struct MoveTable {
    values: Py<PyList>,
    numbers: Py<PyDict>,
}

impl MoveTable {
    pub(super) fn new(py: Python<'_>) -> Self {
        MoveTable { values: PyList::empty(py).unbind(), numbers: PyDict::new(py).unbind() }
    }

    /// The number of a value.
    pub(super) fn number(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<PyMove> {
        let numbers = self.numbers.bind(py);
        if let Some(number) = numbers.get_item(value)? {
            return Ok(PyMove(number.extract()?));
        }
        let values = self.values.bind(py);
        values.append(value)?;
        let next = values.len() - 1;
        // Hashing a value can run Python, and another thread meanwhile: the first number is the one.
        let number = numbers.call_method1("setdefault", (value, next))?;
        Ok(PyMove(number.extract()?))
    }

    /// The value of a number.
    pub(super) fn value<'py>(&self, py: Python<'py>, mv: PyMove) -> PyResult<Bound<'py, PyAny>> {
        self.values.bind(py).get_item(mv.0 as usize)
    }
}
