//! The games.

use crate::errors;
use crate::position::Position;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};
use tabia_app::{AnyGame, Registry};

/// The games that come with Tabia, with the folders that the environment names.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| Registry::standard().with_settings(tabia_cli::settings::from_environment()))
}

/// A game: where positions come from.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Game {
    pub(crate) inner: Arc<dyn AnyGame>,
}

#[pymethods]
impl Game {
    /// The name in the registry.
    #[getter]
    fn id(&self) -> &str {
        self.inner.id()
    }

    /// The start, or the position of a text, a code, or the name of an opening.
    #[pyo3(signature = (text=None, /))]
    fn position(&self, text: Option<&str>) -> PyResult<Position> {
        let inner = match text {
            None => self.inner.start(),
            Some(text) => self.inner.parse(text).map_err(errors::position)?,
        };
        Ok(Position { game: Arc::clone(&self.inner), inner })
    }

    fn __repr__(&self) -> String {
        format!("tabia.game({:?})", self.inner.id())
    }
}

/// The game with this name, or the only one whose name begins so.
#[pyfunction]
#[pyo3(signature = (name, /))]
pub(crate) fn game(name: &str) -> PyResult<Game> {
    Ok(Game { inner: registry().find_shared(name).map_err(errors::position)? })
}

/// All games that come with Tabia.
#[pyfunction]
pub(crate) fn games() -> PyResult<Vec<Game>> {
    registry().games().map(|known| game(known.id())).collect()
}
