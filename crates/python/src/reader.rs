//! Files of recorded games, read while Python takes the games.

use crate::answer::answer;
use crate::errors;
use crate::errors::WorkError;
use crate::stream::Stream;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tabia_app::book::open_games;
use tabia_app::{AnyGame, GameRecord, RecordSink};

/// Games read ahead of Python.
const AHEAD: usize = 64;

/// What a thread reads: a game, or what was wrong with one, or with the file.
enum Item {
    Game(Box<GameRecord>),
    Bad(String),
    Failed(PyErr),
}

/// A file-like object of Python.
struct PythonFile {
    file: Py<PyAny>,
    rest: Vec<u8>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl PythonFile {
    fn chunk(&self) -> PyResult<Vec<u8>> {
        Python::attach(|py| {
            let chunk = self.file.bind(py).call_method1("read", (1 << 16,))?;
            if let Ok(bytes) = chunk.cast::<PyBytes>() {
                Ok(bytes.as_bytes().to_vec())
            } else if let Ok(text) = chunk.cast::<PyString>() {
                Ok(text.to_cow()?.as_bytes().to_vec())
            } else {
                Err(PyTypeError::new_err("read() of a file returns bytes or str"))
            }
        })
    }
}

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.chunk().map_err(|error| {
                let message = error.to_string();
                self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                std::io::Error::other(message)
            })?;
        }
        let count = buffer.len().min(self.rest.len());
        for (to, from) in buffer.iter_mut().zip(self.rest.drain(..count)) {
            *to = from;
        }
        Ok(count)
    }
}

/// The games of a file, one by one.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct GameReader {
    items: Stream<Item>,
    skip: bool,
    errors: Mutex<Vec<String>>,
}

impl GameReader {
    pub(crate) fn open(
        rules: &Arc<dyn AnyGame>,
        file: &Bound<'_, PyAny>,
        kind: Option<&str>,
        skip: bool,
    ) -> PyResult<Self> {
        let book = rules.book().map_err(errors::input)?;
        let raised = Arc::new(Mutex::new(None));
        let (path, source): (PathBuf, Option<PythonFile>) = if file.hasattr("read")? {
            let name = file.getattr("name").ok().and_then(|name| name.extract().ok());
            let source =
                PythonFile { file: file.clone().unbind(), rest: Vec::new(), raised: Arc::clone(&raised) };
            (name.unwrap_or_default(), Some(source))
        } else {
            (file.extract()?, None)
        };
        let kind = book.kind_of(&path, kind).map_err(errors::input)?;
        if source.is_none() {
            // What is wrong with the file is told here, not when the first game is taken.
            std::fs::File::open(&path)?;
        }
        let rules = Arc::clone(rules);
        let items = Stream::start(AHEAD, move |stop, send| {
            let mut sink = |game: Result<GameRecord, _>| {
                let item = match game {
                    Ok(game) => Item::Game(Box::new(game)),
                    Err(error) => Item::Bad(format!("{error}")),
                };
                if stop.is_stopped() { ControlFlow::Break(()) } else { send(item) }
            };
            let read = read_all(&*rules, &kind, &path, source, &mut sink);
            let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
            match (raised, read) {
                (Some(error), _) => drop(send(Item::Failed(error))),
                (None, Err(message)) => drop(send(Item::Failed(WorkError::new_err(message)))),
                (None, Ok(())) => {}
            }
        })?;
        Ok(GameReader { items, skip, errors: Mutex::new(Vec::new()) })
    }
}

/// Reads the games of a file or of an object of Python.
fn read_all(
    rules: &dyn AnyGame,
    kind: &str,
    path: &Path,
    source: Option<PythonFile>,
    sink: &mut RecordSink<'_>,
) -> Result<(), String> {
    let mut input: Box<dyn BufRead> = match source {
        Some(source) => Box::new(BufReader::new(source)),
        None => open_games(path).map_err(|error| error.to_string())?,
    };
    let book = rules.book().map_err(|error| error.message)?;
    book.read_games(kind, path, &mut *input, sink).map_err(|error| error.message)
}

#[pymethods]
impl GameReader {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            match self.items.next(py)? {
                None => return Ok(None),
                Some(Item::Game(game)) => return answer(py, "GameRecord", &*game).map(Some),
                Some(Item::Failed(error)) => return Err(error),
                Some(Item::Bad(message)) if self.skip => {
                    self.errors.lock().unwrap_or_else(PoisonError::into_inner).push(message);
                }
                Some(Item::Bad(message)) => return Err(PyValueError::new_err(message)),
            }
        }
    }

    /// What was wrong with the games that were skipped.
    #[getter]
    fn errors(&self) -> Vec<String> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends the reading.
    fn close(&self, py: Python<'_>) {
        self.items.end(py);
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.items.end(py);
    }
}
