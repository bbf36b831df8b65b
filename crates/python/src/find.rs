//! Questions over positions, answered while Python takes what is found.

use crate::answer::plain;
use crate::stream::Stream;
use crate::{errors, options};
use pyo3::prelude::*;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Arc;
use tabia_app::book::{BookFailure, open_reader};
use tabia_app::find::{FindFailure, FindRequest, FindSource, FoundView};
use tabia_app::{AnyGame, Watch};

/// Positions found ahead of Python.
const AHEAD: usize = 256;

/// What a thread finds: a position, or why there are no more.
enum Item {
    Position(Box<FoundView>),
    Failed(PyErr),
}

/// The positions that a question has found, one by one, as dictionaries.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Found {
    items: Stream<Item>,
    game: Arc<dyn AnyGame>,
}

/// Where a question looks, owned by the thread that answers it.
enum Place {
    Tables,
    Enumerate(Option<u32>),
    Book(String),
    File(PathBuf),
}

/// The question of a call of Python.
pub(crate) struct Asked {
    pub(crate) request: FindRequest,
    pub(crate) source: String,
    pub(crate) depth: Option<u32>,
    pub(crate) book: Option<PathBuf>,
}

impl Found {
    pub(crate) fn new(game: &Arc<dyn AnyGame>, asked: Asked) -> PyResult<Self> {
        let Asked { request, source, depth, book } = asked;
        let usual = || crate::game::registry().settings().book.clone().unwrap_or_default();
        let place = match source.as_str() {
            "tables" => Place::Tables,
            "enumerate" => Place::Enumerate(depth.map(options::depth).transpose()?),
            "book" => Place::Book(book.unwrap_or_else(usual).to_string_lossy().into_owned()),
            path => Place::File(path.into()),
        };
        let (rules, shared) = (Arc::clone(game), Arc::clone(game));
        let items = Stream::start(AHEAD, move |stop, send| {
            let watch = Watch { stop, progress: &|_| () };
            let mut sink = |found: &FoundView| send(Item::Position(Box::new(found.clone())));
            let failed = match place {
                Place::Tables => {
                    failure(rules.finding().find(&request, FindSource::Tables, &watch, &mut sink))
                }
                Place::Enumerate(depth) => {
                    let source = FindSource::Enumerate { depth, symmetry: true };
                    failure(rules.finding().find(&request, source, &watch, &mut sink))
                }
                Place::Book(address) => match open_reader(&address) {
                    Ok(reader) => {
                        let source = FindSource::Book(reader.as_ref());
                        failure(rules.finding().find(&request, source, &watch, &mut sink))
                    }
                    Err(error) => Some(errors::book(BookFailure::Book(error))),
                },
                Place::File(path) => match std::fs::File::open(&path) {
                    Ok(file) => {
                        let mut lines: Box<dyn BufRead> = Box::new(BufReader::new(file));
                        let source = FindSource::Lines(&mut *lines);
                        failure(rules.finding().find(&request, source, &watch, &mut sink))
                    }
                    Err(error) => Some(error.into()),
                },
            };
            if let Some(error) = failed {
                let _ = send(Item::Failed(error));
            }
        })?;
        Ok(Found { items, game: shared })
    }
}

fn failure<T>(found: Result<T, FindFailure>) -> Option<PyErr> {
    Some(match found.err()? {
        FindFailure::Work(error) => errors::work(error),
        FindFailure::Book(error) => errors::book(error),
        other => errors::WorkError::new_err(other.to_string()),
    })
}

#[pymethods]
impl Found {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.items.next(py)? {
            Some(Item::Position(found)) => plain(py, &*found).map(Some),
            Some(Item::Failed(error)) => Err(error),
            None => errors::asked(&*self.game, Ok(None)),
        }
    }

    /// Ends the question.
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
