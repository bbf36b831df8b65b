//! Books: statistics of played games.

use crate::answer::{answer, plain};
use crate::game::game_of;
use crate::position::Position;
use crate::record::Record;
use crate::stream::same_process;
use crate::{errors, options, run};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use tabia_app::book::{
    BookFailure, Event, ExportRequest, ImportRequest, Keep, QueryOptions, Reader, SelfplayRequest, Side,
    Sort, Stoppable, Store, TopBy, TopOptions, open_reader, open_store,
};
use tabia_app::search::PlayerSpec;
use tabia_app::{Stop, Watch};

/// A book that is open, to be added to where that is possible.
enum Open {
    ToAdd(Box<dyn Store>),
    ToRead(Box<dyn Reader>),
}

impl Open {
    fn reader(&self) -> &dyn Reader {
        match self {
            Open::ToAdd(store) => store.as_reader(),
            Open::ToRead(reader) => &**reader,
        }
    }

    fn store(&self) -> PyResult<&dyn Store> {
        match self {
            Open::ToAdd(store) => Ok(&**store),
            Open::ToRead(_) => Err(PyValueError::new_err("the book is open to be read, not to be added to")),
        }
    }
}

/// Statistics of played games: a file, a folder of runs, or a PostgreSQL database.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Book {
    address: String,
    open: RwLock<Option<Arc<Open>>>,
    /// A fork takes the book along, but not its locks.
    process: u32,
}

impl Book {
    fn open(&self) -> PyResult<Arc<Open>> {
        same_process(self.process)?;
        let open = self.open.read().map_err(|_| PyRuntimeError::new_err("the book failed"))?;
        open.clone().ok_or_else(|| PyValueError::new_err("the book is closed"))
    }
}

impl Drop for Book {
    fn drop(&mut self) {
        // A store writes when it is closed, and after a fork the file is the parent's.
        if same_process(self.process).is_err()
            && let Ok(open) = self.open.get_mut()
        {
            std::mem::forget(open.take());
        }
    }
}

fn failed(error: tabia_app::book::BookError) -> PyErr {
    errors::book(BookFailure::Book(error))
}

fn sorted(sort: &str) -> PyResult<Sort> {
    match sort {
        "games" => Ok(Sort::Games),
        "score" => Ok(Sort::Score),
        "wins0" => Ok(Sort::Wins(Side::First)),
        "wins1" => Ok(Sort::Wins(Side::Second)),
        _ => Err(PyValueError::new_err(format!("sort is {sort:?}, not games, score, wins0 or wins1"))),
    }
}

fn top_by(by: &str) -> PyResult<TopBy> {
    match by {
        "games" => Ok(TopBy::Games),
        "one-sided" => Ok(TopBy::OneSided),
        _ => Err(PyValueError::new_err(format!("by is {by:?}, not games or one-sided"))),
    }
}

/// Writes a file under another name first, so that nobody sees half of it.
fn write_whole<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T, BookFailure>) -> PyResult<T> {
    let mut name = path.file_name().map(ToOwned::to_owned).unwrap_or_default();
    name.push(".tmp");
    let unfinished = path.with_file_name(name);
    let mut file = std::io::BufWriter::new(std::fs::File::create(&unfinished)?);
    let written = write(&mut file).map_err(errors::book).and_then(|answer| {
        file.flush()?;
        Ok(answer)
    });
    match written {
        Ok(answer) => {
            std::fs::rename(&unfinished, path)?;
            Ok(answer)
        }
        Err(error) => {
            let _ = std::fs::remove_file(&unfinished);
            Err(error)
        }
    }
}

#[pymethods]
impl Book {
    /// Opens a book; one to be added to is made where there is none.
    #[new]
    #[pyo3(signature = (address, /, *, readonly=false))]
    fn new(py: Python<'_>, address: &Bound<'_, PyAny>, readonly: bool) -> PyResult<Self> {
        let address = match address.extract::<String>() {
            Ok(address) => address,
            Err(_) => address.extract::<PathBuf>()?.to_string_lossy().into_owned(),
        };
        let open = py.detach(|| {
            if readonly {
                open_reader(&address).map(Open::ToRead)
            } else {
                open_store(&address).map(Open::ToAdd)
            }
        });
        let open = RwLock::new(Some(Arc::new(open.map_err(failed)?)));
        Ok(Book { address, open, process: std::process::id() })
    }

    /// Facts about the book: its kind, its size, its games.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let open = self.open()?;
        plain(py, &py.detach(|| open.reader().info()).map_err(failed)?)
    }

    /// The games with their options that the book knows, and what it has counted of them.
    #[getter]
    fn variants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let open = self.open()?;
        plain(py, &py.detach(|| open.reader().variants()).map_err(failed)?)
    }

    /// Counts the games of files; every game counts once, however often it is imported.
    #[pyo3(signature = (game, *files, kind=None, position=None, threads=1, distinct=false, variations=false, progress=None))]
    fn import_files<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, PyAny>,
        files: Vec<PathBuf>,
        kind: Option<String>,
        position: Option<String>,
        threads: usize,
        distinct: bool,
        variations: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (open, game) = (self.open()?, game_of(game)?.inner);
        let store = open.store()?;
        let threads = options::threads(threads)?;
        let request = ImportRequest {
            files,
            kind,
            pos: position,
            threads,
            runs: None,
            distinct,
            variations,
            keep: Keep::default(),
        };
        let book = game.book().map_err(errors::input)?;
        book.check_import(&request).map_err(errors::book)?;
        let listener = run::Listener::new(progress);
        let report = run::told(py, &*game, &listener, || {
            let tell = |event: Event<'_>| {
                if let Event::Progress(progress) = event {
                    listener.tell(|py| run::shown(py, &progress));
                }
            };
            book.import(store, &request, &tell, &listener.stop)
        })?;
        answer(py, "ImportReport", &report.map_err(errors::book)?)
    }

    /// Counts one finished game: a record, or a game as JSON. Says whether it was new.
    #[pyo3(signature = (record, /, *, game=None, id=None))]
    fn record(
        &self,
        py: Python<'_>,
        record: &Bound<'_, PyAny>,
        game: Option<&Bound<'_, PyAny>>,
        id: Option<String>,
    ) -> PyResult<bool> {
        let open = self.open()?;
        let (game, mut json) = match (record.cast::<Record>(), game) {
            (Ok(record), _) => {
                let record = record.try_borrow()?;
                (
                    Arc::clone(record.game()),
                    record.inner.history().written("jsonl", &[]).map_err(errors::input)?,
                )
            }
            (Err(_), Some(game)) => (game_of(game)?.inner, record.extract::<String>()?),
            (Err(_), None) => return Err(PyTypeError::new_err("a game as JSON needs `game`")),
        };
        if let Some(id) = id {
            json = with_id(&json, id)?;
        }
        let (store, book) = (open.store()?, game.book().map_err(errors::input)?);
        Ok(py.detach(|| book.record(store, &json)).map_err(errors::book)?.counted)
    }

    /// Fills the book with games of a player against itself.
    #[pyo3(signature = (game, games, player, *, position=None, opening_plies=8, seed=0, threads=1, progress=None))]
    fn selfplay<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, PyAny>,
        games: u64,
        player: &str,
        position: Option<String>,
        opening_plies: u32,
        seed: u64,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (open, game) = (self.open()?, game_of(game)?.inner);
        let store = open.store()?;
        if games > 100_000_000 {
            return Err(PyValueError::new_err(format!("games is {games}, more than 100,000,000")));
        }
        let request = SelfplayRequest {
            pos: position,
            games,
            player: PlayerSpec::of_this_machine(player).map_err(errors::input)?,
            opening_plies: options::depth(opening_plies)?,
            seed,
            threads: options::threads(threads)?,
            keep: false,
        };
        let book = game.book().map_err(errors::input)?;
        let listener = run::Listener::new(progress);
        let played = run::told(py, &*game, &listener, || {
            let tell = |progress: &_| listener.tell(|py| run::shown(py, progress));
            book.selfplay(store, &request, &Watch { stop: &listener.stop, progress: &tell })
        })?;
        answer(py, "SelfplayReport", &played.map_err(errors::book)?)
    }

    /// What the book knows about a position.
    #[pyo3(signature = (position, /, *, sort="games", min_games=1))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, Position>,
        sort: &str,
        min_games: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (open, position) = (self.open()?, position.get());
        let options = QueryOptions { sort: sorted(sort)?, min_games };
        let known = position.inner.book().map_err(errors::input)?;
        let view = py.detach(|| known.query(open.reader(), options)).map_err(errors::book)?;
        errors::trusted(&*position.game)?;
        answer(py, "BookReport", &view)
    }

    /// The positions that stand out: met by many games, or nearly always won by one side.
    #[pyo3(signature = (game, limit=10, *, by="games", min_games=1, position=None))]
    fn top<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, PyAny>,
        limit: usize,
        by: &str,
        min_games: u64,
        position: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (open, game) = (self.open()?, game_of(game)?.inner);
        let options = TopOptions { by: top_by(by)?, limit, min_games };
        let book = game.book().map_err(errors::input)?;
        let stop = Stop::new();
        let reader = Stoppable { reader: open.reader(), stop: &stop };
        let top = run::interruptible(py, &stop, || book.top(&reader, position, options))?;
        let view = top.map_err(errors::book)?;
        plain(py, &view.positions)
    }

    /// Writes the rows of a game to a file: `csv`, `jsonl`, `codes`, `parquet` or `polyglot`. Returns how many.
    #[pyo3(signature = (game, path, *, format="csv", position=None))]
    fn export(
        &self,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        path: PathBuf,
        format: &str,
        position: Option<&str>,
    ) -> PyResult<u64> {
        let (open, game) = (self.open()?, game_of(game)?.inner);
        let request = ExportRequest { pos: position, format, all: false };
        let book = game.book().map_err(errors::input)?;
        let stop = Stop::new();
        let reader = Stoppable { reader: open.reader(), stop: &stop };
        run::interruptible(py, &stop, || {
            write_whole(&path, |out| Ok(book.export(&reader, request, out)?.entries))
        })?
    }

    /// Writes the rows of a game to a Parquet file, for pandas, Polars and databases. Returns how many.
    #[pyo3(signature = (path, game, *, position=None))]
    fn to_parquet(
        &self,
        py: Python<'_>,
        path: PathBuf,
        game: &Bound<'_, PyAny>,
        position: Option<&str>,
    ) -> PyResult<u64> {
        self.export(py, game, path, "parquet", position)
    }

    /// Closes the book; whatever is asked of it afterwards is refused.
    fn close(&self) -> PyResult<()> {
        same_process(self.process)?;
        self.open.write().map_err(|_| PyRuntimeError::new_err("the book failed"))?.take();
        Ok(())
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close()
    }

    fn __repr__(&self) -> String {
        format!("<tabia.Book {}>", self.address)
    }
}

/// A game as JSON with an id of its own.
fn with_id(json: &str, id: String) -> PyResult<String> {
    let wrong = |error: serde_json::Error| PyValueError::new_err(error.to_string());
    let mut game: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).map_err(wrong)?;
    game.insert("id".to_owned(), id.into());
    serde_json::to_string(&game).map_err(wrong)
}
