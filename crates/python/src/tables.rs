//! Tables of exact values.

use crate::answer::answer;
use crate::game::registry;
use crate::position::Position;
use crate::{errors, options, run};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia_app::tablebase::{self, AnyTable};
use tabia_app::{AnyGame, Stop, Watch};

/// Tables of exact values, in a file or a folder.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Tables {
    path: PathBuf,
    inner: Box<dyn AnyTable>,
    game: Arc<dyn AnyGame>,
}

fn opened(path: &Path) -> PyResult<(Box<dyn AnyTable>, Arc<dyn AnyGame>)> {
    let table = tablebase::open(registry(), path).map_err(errors::work)?;
    let variant = table.info().variant;
    let game = registry().of_variant(&variant).map(|game| game.id().to_owned());
    let game = game.ok_or_else(|| PyRuntimeError::new_err(format!("no game has the variant {variant}")))?;
    Ok((table, registry().find_shared(&game).map_err(errors::input)?))
}

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (path, /))]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let (inner, game) = py.detach(|| opened(&path))?;
        Ok(Tables { path, inner, game })
    }

    /// What the tables say about themselves.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        answer(py, "TableInfo", &self.inner.info())
    }

    /// The exact value of a position, given as an object or as text; `None` when the tables do not have it.
    #[pyo3(signature = (position, /))]
    fn probe<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let text = match position.cast::<Position>() {
            Ok(position) => position.get().inner.text(),
            Err(_) => position.extract()?,
        };
        let found = py.detach(|| self.inner.probe(&text)).map_err(errors::work)?;
        found.map(|found| answer(py, "Solution", &found)).transpose()
    }

    /// Works every value out again.
    #[pyo3(signature = (*, threads=1, progress=None))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let threads = options::threads(threads)?;
        let checked =
            run::watched(py, &*self.game, progress, |watch: &Watch<'_>| self.inner.verify(threads, watch))?;
        answer(py, "Verification", &checked.map_err(errors::work)?)
    }

    /// What is in the tables: by slice, by number of pieces, by value and distance.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stop = Stop::new();
        let stats = run::interruptible(py, &stop, || self.inner.stats(&stop))?;
        crate::answer::plain(py, &stats.map_err(errors::work)?)
    }

    fn __repr__(&self) -> String {
        format!("<tabia.Tables {} {}>", self.inner.info().variant, self.path.display())
    }
}
