//! `tabia.PythonGame`.

use super::rules::PyRules;
use crate::game::Game;
use pyo3::prelude::*;
use std::any::Any;
use tabia_app::{Adapter, AnyGame};

/// A game written in Python: `tabia.PythonGame(MyGame())` is a game like the others.
#[pyclass(frozen, extends = Game, module = "tabia")]
pub(crate) struct PythonGame;

#[pymethods]
impl PythonGame {
    #[new]
    #[pyo3(signature = (rules, /))]
    fn new(rules: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        let game = Game { inner: adapter(rules_of(rules)?).into() };
        Ok(PyClassInitializer::from(game).add_subclass(PythonGame))
    }

    /// The object that knows the rules.
    #[getter]
    fn rules(slf: &Bound<'_, Self>) -> Option<Py<PyAny>> {
        let rules = behind(&*slf.as_super().get().inner)?;
        Some(rules.object(slf.py()).clone().unbind())
    }
}

/// The rules behind a game, where they are written in Python.
pub(crate) fn behind(game: &dyn AnyGame) -> Option<&PyRules> {
    let game: &dyn Any = game;
    game.downcast_ref::<Adapter<PyRules>>().map(Adapter::rules)
}

/// The rules of a game made from Python, or of an inventor's object.
pub(crate) fn rules_of(game: &Bound<'_, PyAny>) -> PyResult<PyRules> {
    match game.cast::<Game>().ok().and_then(|game| behind(&*game.get().inner)) {
        Some(rules) => Ok(rules.clone()),
        None => PyRules::new(game),
    }
}

/// Everything that can be asked of the rules.
pub(crate) fn adapter(rules: PyRules) -> Adapter<PyRules> {
    let evaluated = rules.has_evaluation();
    let adapter = Adapter::new(rules);
    if evaluated { adapter.with_search() } else { adapter }
}
