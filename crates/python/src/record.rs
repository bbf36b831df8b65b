//! A game as it is played: the one thing here that changes.

use crate::errors;
use crate::game::Game;
use crate::moves::Moves;
use crate::position::Position;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use tabia_app::views::outcome_name;
use tabia_app::{AnyGame, AnyPosition};

/// A game in progress or finished: a start, the moves, and the draws that the board alone does not show.
#[pyclass(module = "tabia")]
pub(crate) struct Record {
    game: Arc<dyn AnyGame>,
    pub(crate) inner: Box<dyn AnyPosition>,
    /// The position now, once it was asked for.
    now: Option<Py<Position>>,
}

impl Record {
    pub(crate) fn from_position(position: &Position) -> PyResult<Self> {
        errors::trusted(&*position.game)?;
        Ok(Record { game: Arc::clone(&position.game), inner: position.inner.history().alone(), now: None })
    }

    pub(crate) fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    fn here(&mut self, py: Python<'_>) -> PyResult<&Py<Position>> {
        let now = match self.now.take() {
            Some(now) => now,
            None => Py::new(py, Position::new(&self.game, self.inner.history().alone())?)?,
        };
        Ok(self.now.insert(now))
    }
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (start, moves=None))]
    fn new(start: &Bound<'_, PyAny>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let start = crate::game::start_of(start)?;
        let mut record = Record { game: start.game, inner: start.inner, now: None };
        for mv in moves.map(PyAnyMethods::try_iter).transpose()?.into_iter().flatten() {
            record.play(&mv?)?;
        }
        Ok(record)
    }

    /// The game that is played.
    #[getter(game)]
    fn shown_game(&self) -> Game {
        Game { inner: Arc::clone(&self.game) }
    }

    /// The position now.
    #[getter]
    fn position(&mut self, py: Python<'_>) -> PyResult<Py<Position>> {
        Ok(self.here(py)?.clone_ref(py))
    }

    /// The position it started from.
    #[getter]
    fn start(&self) -> PyResult<Position> {
        let first = self.inner.history().positions().into_iter().next();
        Position::new(&self.game, first.unwrap_or_else(|| self.inner.history().alone()))
    }

    /// All positions, the first first.
    #[getter]
    fn positions(&self) -> PyResult<Vec<Position>> {
        let all = self.inner.history().positions().into_iter();
        all.map(|inner| Position::new(&self.game, inner)).collect()
    }

    /// The texts of the moves so far.
    #[getter]
    fn history(&self) -> PyResult<Vec<String>> {
        let played = self.inner.played();
        errors::trusted(&*self.game)?;
        Ok(played)
    }

    /// The player to move: 0 or 1.
    #[getter]
    fn side(&self) -> usize {
        self.inner.side().index()
    }

    /// `win0`, `win1` or `draw`, on the board or by what was played; `None` while the game goes on.
    #[getter]
    fn outcome(&self) -> PyResult<Option<&'static str>> {
        let outcome = self.inner.outcome().map(outcome_name);
        errors::trusted(&*self.game)?;
        Ok(outcome)
    }

    /// Why the game is a draw although the board does not show it, in words.
    #[getter]
    fn draw_reason(&self) -> Option<&'static str> {
        self.inner.history().draw_reason()
    }

    /// How often the position now has occurred, this time included.
    #[getter]
    fn repetition(&self) -> u32 {
        self.inner.history().occurrences()
    }

    /// Plies since the last progress, as the rules count it.
    #[getter]
    fn quiet_plies(&self) -> u32 {
        self.inner.history().quiet_plies()
    }

    /// The number of legal moves.
    #[getter]
    fn count(&self) -> PyResult<usize> {
        let count = self.inner.listed().count();
        errors::trusted(&*self.game)?;
        Ok(count)
    }

    /// The legal moves now.
    fn moves(&mut self, py: Python<'_>) -> PyResult<Moves> {
        Ok(Moves { position: self.here(py)?.clone_ref(py) })
    }

    /// Plays a move: an object, a text, or its number among the legal moves.
    #[pyo3(signature = (r#move, /))]
    fn play(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = r#move.py();
        let number = match (r#move.extract::<usize>(), r#move.extract::<&str>()) {
            (Ok(number), _) => Ok(number),
            (_, Ok(text)) => Err(text.to_owned()),
            _ => self.here(py)?.get().number_of(r#move)?,
        };
        let played = match number {
            Ok(number) => self.inner.play_nth(number),
            Err(text) => self.inner.play(&text),
        };
        self.now = None;
        errors::asked(&*self.game, played.map_err(errors::mv))
    }

    /// Takes back the last move and tells which it was; `None` at the start.
    fn undo(&mut self) -> PyResult<Option<String>> {
        let last = self.inner.played().pop();
        self.inner.undo();
        self.now = None;
        errors::trusted(&*self.game)?;
        Ok(last)
    }

    /// The game as it stands in a file: `jsonl`, or one of the game's own kinds (`pgn`, `pdn`).
    #[pyo3(signature = (kind="jsonl", *, tags=None))]
    fn export(&self, kind: &str, tags: Option<BTreeMap<String, String>>) -> PyResult<String> {
        let tags: Vec<_> = tags.unwrap_or_default().into_iter().collect();
        let text = self.inner.history().written(kind, &tags);
        errors::asked(&*self.game, text.map_err(errors::input))
    }

    /// The same game again, to be gone on with in another way.
    fn copy(&self) -> Record {
        Record { game: Arc::clone(&self.game), inner: self.inner.boxed_clone(), now: None }
    }

    fn __copy__(&self) -> Record {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Record {
        self.copy()
    }

    fn __len__(&self) -> usize {
        self.inner.history().plies()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        format!("<tabia.Record {} {}>", self.inner.variant(), self.inner.played().join(" "))
    }

    fn _repr_svg_(&self) -> String {
        tabia_app::draw::svg(&self.inner.board())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Position, Vec<String>))> {
        Ok((py.import("tabia._tabia")?.getattr("Record")?, (self.start()?, self.history()?)))
    }
}
