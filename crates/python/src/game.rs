//! The games.

use crate::answer::{answer, plain};
use crate::find::{Asked, Found};
use crate::position::Position;
use crate::pygame::PythonGame;
use crate::reader::GameReader;
use crate::record::Record;
use crate::{errors, options, run};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tabia_app::find::FindRequest;
use tabia_app::search::{MatchRequest, PlayerSpec};
use tabia_app::tablebase::BuildRequest;
use tabia_app::{AnyGame, Registry};

/// The games that come with Tabia, with the folders that the environment names.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| Registry::standard().with_settings(tabia_cli::settings::from_environment()))
}

/// A game: where positions come from.
#[pyclass(frozen, subclass, module = "tabia")]
pub(crate) struct Game {
    pub(crate) inner: Arc<dyn AnyGame>,
}

/// The position that Python names by a game, the name of one, or a position.
pub(crate) fn start_of(start: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(position) = start.cast::<Position>() {
        let position = position.get();
        return Position::new(&position.game, position.inner.boxed_clone());
    }
    game_of(start)?.position(None, None)
}

/// The game that Python names by itself, by its name or by a position of it.
pub(crate) fn game_of(game: &Bound<'_, PyAny>) -> PyResult<Game> {
    if let Ok(game) = game.cast::<Game>() {
        return Ok(Game { inner: Arc::clone(&game.get().inner) });
    }
    if let Ok(position) = game.cast::<Position>() {
        return Ok(Game { inner: Arc::clone(&position.get().game) });
    }
    match game.extract::<String>() {
        Ok(name) => self::game(&name),
        Err(_) => Err(PyTypeError::new_err("a game is a tabia.Game, its name, or a tabia.Position")),
    }
}

#[pymethods]
impl Game {
    /// The name in the registry.
    #[getter]
    fn id(&self) -> &str {
        self.inner.id()
    }

    /// The name that people know.
    #[getter]
    fn name(&self) -> String {
        self.inner.view().name.into_owned()
    }

    /// One or two.
    #[getter]
    fn players(&self) -> u8 {
        self.inner.view().players
    }

    /// What the players are called.
    #[getter]
    fn sides(&self) -> Vec<String> {
        self.inner.view().sides.iter().map(ToString::to_string).collect()
    }

    /// The names of openings and boards.
    #[getter]
    fn starts(&self) -> Vec<String> {
        self.inner.view().starts.iter().map(|start| start.id.to_string()).collect()
    }

    /// What can be asked of the game.
    #[getter]
    fn capabilities(&self) -> Vec<&'static str> {
        self.inner.capabilities()
    }

    /// Everything that the game says about itself.
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        errors::asked(&*self.inner, plain(py, &self.inner.view()))
    }

    /// The start, or the position of a text, a code, or the name of an opening; `format` says which code it is.
    #[pyo3(signature = (text=None, /, *, format=None))]
    fn position(&self, text: Option<&str>, format: Option<&str>) -> PyResult<Position> {
        let inner = match (text, format) {
            (None, _) => Ok(self.inner.start()),
            (Some(text), None) => self.inner.parse(text),
            (Some(code), Some(format)) => self.inner.decode(code, format),
        };
        let inner = errors::asked(&*self.inner, inner.map_err(errors::input))?;
        Position::new(&self.inner, inner)
    }

    /// A game to be played, from the start or the position of a text.
    #[pyo3(signature = (text=None, /))]
    fn record(&self, text: Option<&str>) -> PyResult<Record> {
        Record::from_position(&self.position(text, None)?)
    }

    /// The positions that can be reached from the start, ply by ply.
    #[pyo3(signature = (**options))]
    fn enumerate<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, pyo3::types::PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Bound::new(py, self.position(None, None)?)?.call_method("enumerate", (), options)
    }

    /// The games of a file, one by one: a path (`.gz` and `.zst` are unpacked) or an open file, of a kind (`pgn`,
    /// `pdn`, `jsonl`) that is named or told by the path. Games that cannot be used are raised, or skipped and
    /// kept in `errors`.
    #[pyo3(signature = (file, /, *, kind=None, skip=false))]
    fn read(&self, file: &Bound<'_, PyAny>, kind: Option<&str>, skip: bool) -> PyResult<GameReader> {
        GameReader::open(&self.inner, file, kind, skip)
    }

    /// A match of two players: pairs of games from random openings, each side once for either.
    #[pyo3(signature = (a, b, *, games=100, opening_plies=4, position=None, threads=1, seed=0, progress=None))]
    fn r#match<'py>(
        &self,
        py: Python<'py>,
        a: &str,
        b: &str,
        games: u64,
        opening_plies: u32,
        position: Option<&str>,
        threads: usize,
        seed: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = MatchRequest {
            a: PlayerSpec::of_this_machine(a).map_err(errors::input)?,
            b: PlayerSpec::of_this_machine(b).map_err(errors::input)?,
            games,
            opening_plies: options::depth(opening_plies)?,
            threads: options::threads(threads)?,
            seed,
            sprt: None,
            record: None,
        };
        let start = self.position(position, None)?;
        let players = start.inner.search().map_err(errors::input)?;
        let listener = run::Listener::new(progress);
        let played = run::told(py, &*self.inner, &listener, || {
            let mut tell = |view: &_| listener.tell(|py| answer(py, "MatchReport", view));
            players.play_match(&request, &mut std::io::sink(), &listener.stop, &mut tell)
        })?;
        answer(py, "MatchReport", &played.map_err(errors::input)?)
    }

    /// Finds positions that fit a condition in CEL: in `tables`, in the `book`, in everything that can be reached
    /// (`enumerate`), or in a file with a position on each line. They come one by one, as dictionaries.
    #[pyo3(signature = (expression, /, *, source="tables", limit=None, sort=None, descending=false, position=None, depth=None, tables=None, book=None, threads=1, memory_mb=1024))]
    fn find(
        &self,
        expression: String,
        source: &str,
        limit: Option<usize>,
        sort: Option<String>,
        descending: bool,
        position: Option<String>,
        depth: Option<u32>,
        tables: Option<PathBuf>,
        book: Option<PathBuf>,
        threads: usize,
        memory_mb: u32,
    ) -> PyResult<Found> {
        // Sorted positions are kept until the last is known: without a limit, a thousand of them.
        let usual = if sort.is_some() { 1000 } else { usize::MAX };
        let request = FindRequest {
            expression,
            sort,
            descending,
            limit: limit.unwrap_or(usual),
            count: false,
            position,
            tables,
            threads: options::threads(threads)?,
            memory: options::bytes(memory_mb),
        };
        Found::new(&self.inner, Asked { request, source: source.to_owned(), depth, book })
    }

    /// The fields that conditions of [`Game::find`] may use.
    fn find_fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.inner.finding().find_fields())
    }

    /// The puzzles that come with the game, the easiest first.
    fn puzzles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.inner.puzzles().shipped().all())
    }

    /// Builds tables of exact values in a file (for endings: a folder).
    #[pyo3(signature = (out, *, position=None, goal=None, pieces=None, slice=None, distances=true, threads=1, memory_mb=1024, progress=None))]
    fn build_tables<'py>(
        &self,
        py: Python<'py>,
        out: PathBuf,
        position: Option<String>,
        goal: Option<String>,
        pieces: Option<u32>,
        slice: Option<String>,
        distances: bool,
        threads: usize,
        memory_mb: u32,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = BuildRequest {
            out,
            position,
            goal,
            pieces,
            slice,
            distances,
            threads: options::threads(threads)?,
            memory: options::bytes(memory_mb),
        };
        let tables = self.inner.tables().map_err(errors::input)?;
        let built = run::watched(py, &*self.inner, progress, |watch| tables.build(&request, watch))?;
        answer(py, "TableInfo", &built.map_err(errors::work)?)
    }

    fn __repr__(&self) -> String {
        format!("<tabia.Game {}>", self.inner.id())
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    fn __hash__(&self) -> u64 {
        Arc::as_ptr(&self.inner).cast::<()>() as u64
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        if let Some(rules) = tabia_python_game::behind(&*self.inner) {
            return Ok((py.get_type::<PythonGame>().into_any(), (rules.object(py).clone(),)));
        }
        let known = registry().find_shared(self.inner.id());
        if known.is_ok_and(|known| Arc::ptr_eq(&known, &self.inner)) {
            return Ok((
                py.import("tabia._tabia")?.getattr("game")?,
                (self.inner.id().into_pyobject(py)?.into_any(),),
            ));
        }
        Err(PyTypeError::new_err(format!(
            "the game {} is not of this package: it cannot be pickled",
            self.inner.id()
        )))
    }
}

/// The game with this name, or the only one whose name begins so.
#[pyfunction]
#[pyo3(signature = (name, /))]
pub(crate) fn game(name: &str) -> PyResult<Game> {
    Ok(Game { inner: registry().find_shared(name).map_err(errors::input)? })
}

/// All games that come with Tabia.
#[pyfunction]
pub(crate) fn games() -> PyResult<Vec<Game>> {
    registry().games().map(|known| game(known.id())).collect()
}
