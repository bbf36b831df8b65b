//! Legal moves: a list that makes its members when they are asked for.

use crate::errors;
use crate::position::Position;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use tabia_app::views::MoveView;

/// A legal move of a position.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Move {
    pub(crate) position: Py<Position>,
    pub(crate) number: u32,
}

impl Move {
    /// Something about the move; the error cannot happen but where the rules failed.
    fn ask<T>(&self, about: impl FnOnce(&Position, usize) -> Option<T>) -> PyResult<T> {
        let position = self.position.get();
        let answer = about(position, self.number as usize);
        errors::trusted(&*position.game)?;
        answer.ok_or_else(|| PyValueError::new_err("the rules no longer list this move"))
    }

    pub(crate) fn written(&self) -> PyResult<String> {
        self.ask(|position, number| position.inner.listed().nth_text(number))
    }

    fn view(&self) -> PyResult<MoveView> {
        self.ask(|position, number| position.inner.listed().nth_view(number))
    }
}

#[pymethods]
impl Move {
    /// The text of the move.
    #[getter]
    fn text(&self) -> PyResult<String> {
        self.written()
    }

    /// Its number among the legal moves, from 0.
    #[getter]
    fn number(&self) -> u32 {
        self.number
    }

    /// The number that stands for it, where the game defines one.
    #[getter]
    fn code(&self) -> PyResult<Option<u64>> {
        let code = self.view()?.code;
        Ok(code.and_then(|code| u64::from_str_radix(code.trim_start_matches("0x"), 16).ok()))
    }

    /// The cells it touches, in order.
    #[getter]
    fn steps(&self) -> PyResult<Vec<String>> {
        Ok(self.view()?.steps)
    }

    /// Whether it takes pieces off the board.
    #[getter]
    fn capture(&self) -> PyResult<bool> {
        self.ask(|position, number| position.inner.listed().nth_captures(number))
    }

    /// The position it is played in.
    #[getter]
    fn position(&self, py: Python<'_>) -> Py<Position> {
        self.position.clone_ref(py)
    }

    /// The position after it.
    fn after(&self) -> PyResult<Position> {
        self.position.get().after(self.number as usize)
    }

    fn __str__(&self) -> PyResult<String> {
        self.written()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<tabia.Move {}>", self.written()?))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.number == other.number && self.position.get().same(other.position.get())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.position.get().inner.key().0, self.number).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<Position>, u32))> {
        Ok((py.import("tabia._tabia")?.getattr("_move")?, (self.position.clone_ref(py), self.number)))
    }
}

/// A move again, from what it was pickled as.
#[pyfunction]
pub(crate) fn _move(position: Bound<'_, Position>, number: u32) -> PyResult<Move> {
    if number as usize >= position.get().inner.listed().count() {
        return Err(PyIndexError::new_err("there are not so many legal moves"));
    }
    Ok(Move { position: position.unbind(), number })
}

/// The legal moves of a position, in a fixed order.
#[pyclass(frozen, sequence, module = "tabia")]
pub(crate) struct Moves {
    pub(crate) position: Py<Position>,
}

impl Moves {
    fn count(&self) -> PyResult<usize> {
        let position = self.position.get();
        let count = position.inner.listed().count();
        errors::trusted(&*position.game)?;
        Ok(count)
    }

    fn nth(&self, py: Python<'_>, number: usize) -> Move {
        Move { position: self.position.clone_ref(py), number: number as u32 }
    }
}

#[pymethods]
impl Moves {
    fn __len__(&self) -> PyResult<usize> {
        self.count()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let count = self.count()? as isize;
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(count)?;
            let numbers = (0..range.slicelength as isize).map(|i| range.start + i * range.step);
            let moves = numbers.map(|number| Bound::new(py, self.nth(py, number as usize)));
            return Ok(PyList::new(py, moves.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let index: isize =
            index.extract().map_err(|_| PyTypeError::new_err("moves are numbered by integers"))?;
        let number = if index < 0 { index + count } else { index };
        if !(0..count).contains(&number) {
            return Err(PyIndexError::new_err(format!(
                "there are {count} legal moves, none with number {index}"
            )));
        }
        Ok(Bound::new(py, self.nth(py, number as usize))?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = (0..self.count()?).map(|number| Bound::new(py, self.nth(py, number)));
        Ok(PyList::new(py, moves.collect::<PyResult<Vec<_>>>()?)?.into_any().try_iter()?.into_any())
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> bool {
        let here = self.position.get();
        if let Ok(mv) = item.cast::<Move>() {
            return here.same(mv.get().position.get());
        }
        item.extract::<String>().is_ok_and(|text| here.inner.listed().number_of(&text).is_ok())
    }

    /// The texts of all of them.
    #[getter]
    fn texts(&self) -> PyResult<Vec<String>> {
        let position = self.position.get();
        let texts = position.inner.move_texts();
        errors::trusted(&*position.game)?;
        Ok(texts)
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<tabia.Moves {}>", self.texts()?.join(" ")))
    }
}
