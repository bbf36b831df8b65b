//! `tabia.PythonGame`.

use crate::game::Game;
use pyo3::prelude::*;
use tabia_python_game::{PyRules, behind, game};

/// A game written in Python: `tabia.PythonGame(MyGame())` is a game like the others.
#[pyclass(frozen, extends = Game, module = "tabia")]
pub(crate) struct PythonGame;

#[pymethods]
impl PythonGame {
    #[new]
    #[pyo3(signature = (rules, /))]
    fn new(rules: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        let game = Game { inner: game(rules_of(rules)?) };
        Ok(PyClassInitializer::from(game).add_subclass(PythonGame))
    }

    /// The object that knows the rules.
    #[getter]
    fn rules(slf: &Bound<'_, Self>) -> Option<Py<PyAny>> {
        let rules = behind(&*slf.as_super().get().inner)?;
        Some(rules.object(slf.py()).clone().unbind())
    }
}

/// The rules of a game made from Python, or of an inventor's object.
pub(crate) fn rules_of(game: &Bound<'_, PyAny>) -> PyResult<PyRules> {
    match game.cast::<Game>().ok().and_then(|game| behind(&*game.get().inner)) {
        Some(rules) => Ok(rules.clone()),
        None => PyRules::new(game),
    }
}
