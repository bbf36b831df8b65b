//! Positions: values that never change.

use crate::answer::{answer, plain};
use crate::game::Game;
use crate::moves::{Move, Moves};
use crate::record::Record;
use crate::search::Search;
use crate::{errors, options, run};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyString};
use std::sync::Arc;
use tabia_app::search::{Player, PlayerSpec};
use tabia_app::solve::SolveRequest;
use tabia_app::views::outcome_name;
use tabia_app::{AnyGame, AnyPosition, EnumerateRequest, PerftRequest, PlayoutRequest, draw};

/// A position.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Position {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) inner: Box<dyn AnyPosition>,
}

impl Position {
    /// A position without the moves that led to it.
    pub(crate) fn new(game: &Arc<dyn AnyGame>, inner: Box<dyn AnyPosition>) -> PyResult<Self> {
        errors::trusted(&**game)?;
        Ok(Position { game: Arc::clone(game), inner })
    }

    /// The position after the move with a number.
    pub(crate) fn after(&self, number: usize) -> PyResult<Position> {
        if let Some(inner) = self.inner.listed().after(number) {
            return Self::new(&self.game, inner);
        }
        errors::trusted(&*self.game)?;
        let count = self.inner.listed().count();
        Err(PyIndexError::new_err(format!("there are {count} legal moves, none with number {number}")))
    }

    /// Whether two positions are the same, under the same rules.
    pub(crate) fn same(&self, other: &Position) -> bool {
        std::ptr::eq(self, other)
            || self.inner.key() == other.inner.key()
                && self.inner.variant() == other.inner.variant()
                && self.inner.text() == other.inner.text()
    }

    /// The number of the legal move that Python names by an object, a text or a number; `None` for a text
    /// that may stand for several moves in a row.
    pub(crate) fn number_of(&self, mv: &Bound<'_, PyAny>) -> PyResult<Result<usize, String>> {
        // By type, as a failed attempt would cost more than all the rest, and the cheapest to tell first.
        if let Ok(number) = mv.cast::<PyInt>()
            && let Ok(number) = number.extract::<usize>()
        {
            return Ok(Ok(number));
        }
        if let Ok(mv) = mv.cast::<Move>() {
            let mv = mv.get();
            return if self.same(mv.position.get()) {
                Ok(Ok(mv.number as usize))
            } else {
                Ok(Err(mv.written()?))
            };
        }
        if let Ok(text) = mv.cast::<PyString>() {
            return Ok(Err(text.extract()?));
        }
        mv.extract::<usize>().map(Ok).map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(mv.py()) {
                PyIndexError::new_err(format!("there is no legal move with number {mv}"))
            } else if error.is_instance_of::<PyTypeError>(mv.py()) {
                PyTypeError::new_err("a move is a tabia.Move, a text or a number")
            } else {
                error
            }
        })
    }
}

#[pymethods]
impl Position {
    /// The game it is a position of.
    #[getter]
    fn game(&self) -> Game {
        Game { inner: Arc::clone(&self.game) }
    }

    /// The game's own text of the position.
    #[getter]
    fn text(&self) -> PyResult<String> {
        errors::asked(&*self.game, Ok(self.inner.text()))
    }

    /// The game with its rule options that are not default.
    #[getter]
    fn variant(&self) -> String {
        self.inner.variant()
    }

    /// The player to move: 0 or 1.
    #[getter]
    fn side(&self) -> usize {
        self.inner.side().index()
    }

    /// What the player to move is called.
    #[getter]
    fn side_name(&self) -> String {
        self.game.view().sides.get(self.side()).map(ToString::to_string).unwrap_or_default()
    }

    /// `win0`, `win1` or `draw`; `None` while the game goes on.
    #[getter]
    fn outcome(&self) -> PyResult<Option<&'static str>> {
        let outcome = self.inner.outcome().map(outcome_name);
        errors::trusted(&*self.game)?;
        Ok(outcome)
    }

    /// The 64-bit hash of the position.
    #[getter]
    fn key(&self) -> u64 {
        self.inner.key().0
    }

    /// The exact encoding as bytes.
    #[getter]
    fn packed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        errors::asked(&*self.game, Ok(PyBytes::new(py, &self.inner.packed())))
    }

    /// Every code of the position by its format.
    #[getter]
    fn codes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        errors::asked(&*self.game, plain(py, &self.inner.view().codes))
    }

    /// The position in one of the formats.
    #[pyo3(signature = (format, /))]
    fn code(&self, format: &str) -> PyResult<String> {
        errors::asked(&*self.game, self.inner.encode(format).map_err(errors::input))
    }

    /// The representative of the position under the game's symmetries, and the symmetry that leads there.
    fn canonical(&self) -> PyResult<(Position, String)> {
        let (inner, symmetry) = self.inner.canonical();
        Ok((Position::new(&self.game, inner)?, symmetry))
    }

    /// The number of legal moves.
    #[getter]
    fn count(&self) -> PyResult<usize> {
        let count = self.inner.listed().count();
        errors::trusted(&*self.game)?;
        Ok(count)
    }

    /// The legal moves.
    fn moves(slf: Bound<'_, Self>) -> Moves {
        Moves { position: slf.unbind() }
    }

    /// The position after a move: an object, a text, or its number among the legal moves.
    #[pyo3(name = "play", signature = (r#move, /))]
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Position> {
        match self.number_of(r#move)? {
            Ok(number) => self.after(number),
            Err(text) => {
                let mut next = self.inner.boxed_clone();
                errors::asked(&*self.game, next.play(&text).map_err(errors::mv))?;
                Position::new(&self.game, next.history().alone())
            }
        }
    }

    /// A game that starts here.
    fn record(&self) -> PyResult<Record> {
        Record::from_position(self)
    }

    /// Everything that can be said about the position without working anything out.
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let view = self.inner.view();
        errors::trusted(&*self.game)?;
        plain(py, &view)
    }

    /// The board as an SVG picture.
    fn svg(&self) -> PyResult<String> {
        errors::asked(&*self.game, Ok(draw::svg(&self.inner.board())))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    /// The board as text.
    #[pyo3(signature = (*, ascii=false))]
    fn picture(&self, ascii: bool) -> PyResult<String> {
        let style = if ascii { draw::TextStyle::Ascii } else { draw::TextStyle::Unicode };
        errors::asked(&*self.game, Ok(draw::text(&self.inner.board(), style)))
    }

    /// The number of sequences of so many moves.
    #[pyo3(signature = (depth, *, count=None, threads=1, hash_mb=0, progress=None))]
    fn perft(
        &self,
        py: Python<'_>,
        depth: u32,
        count: Option<String>,
        threads: usize,
        hash_mb: u32,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<u128> {
        let request = PerftRequest {
            depth: options::depth(depth)?,
            divide: false,
            count,
            threads: options::threads(threads)?,
            hash_bytes: options::bytes(hash_mb) as usize,
        };
        let counted =
            run::watched(py, &*self.game, progress, |watch| self.inner.counting().perft(&request, watch))?;
        Ok(counted.map_err(errors::work)?.nodes.0)
    }

    /// The number of sequences of so many moves below each legal move.
    #[pyo3(signature = (depth, *, count=None, threads=1, hash_mb=0, progress=None))]
    fn divide<'py>(
        &self,
        py: Python<'py>,
        depth: u32,
        count: Option<String>,
        threads: usize,
        hash_mb: u32,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let request = PerftRequest {
            depth: options::depth(depth)?,
            divide: true,
            count,
            threads: options::threads(threads)?,
            hash_bytes: options::bytes(hash_mb) as usize,
        };
        let counted =
            run::watched(py, &*self.game, progress, |watch| self.inner.counting().perft(&request, watch))?;
        let parts = PyDict::new(py);
        for part in counted.map_err(errors::work)?.divide.unwrap_or_default() {
            parts.set_item(part.text, part.nodes.0)?;
        }
        Ok(parts)
    }

    /// The positions that can be reached from here, ply by ply.
    #[pyo3(signature = (*, symmetry=false, depth=None, goal=None, solvable=false, dead_ends=false, threads=1, memory_mb=1024, progress=None))]
    fn enumerate<'py>(
        &self,
        py: Python<'py>,
        symmetry: bool,
        depth: Option<u32>,
        goal: Option<String>,
        solvable: bool,
        dead_ends: bool,
        threads: usize,
        memory_mb: u32,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = EnumerateRequest {
            symmetry,
            depth,
            dead_ends,
            solvable,
            goal,
            threads: options::threads(threads)?,
            memory: options::bytes(memory_mb),
        };
        let found = run::watched(py, &*self.game, progress, |watch| {
            self.inner.counting().enumerate(&request, watch, &mut |_| ())
        })?;
        answer(py, "Enumeration", &found.map_err(errors::work)?)
    }

    /// Random games from here: how they end, how long they are.
    #[pyo3(signature = (games=None, *, time=None, seed=0, threads=1))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        games: Option<u64>,
        time: Option<f64>,
        seed: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let games = if games.is_none() && time.is_none() { Some(1000) } else { games };
        let time = time.map(options::time).transpose()?;
        let request = PlayoutRequest { time, games, threads: options::threads(threads)?, seed };
        let played =
            run::watched(py, &*self.game, None, |watch| self.inner.counting().playouts(&request, watch))?;
        answer(py, "Playouts", &played.map_err(errors::work)?)
    }

    /// The best move, as far as a search can tell; without any limit it searches for a second.
    #[pyo3(signature = (*, time=None, depth=None, nodes=None, lines=1, method=None, threads=1, hash_mb=64, seed=0, progress=None))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        time: Option<f64>,
        depth: Option<u32>,
        nodes: Option<u64>,
        lines: usize,
        method: Option<&str>,
        threads: usize,
        hash_mb: u32,
        seed: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = options::search(time, depth, nodes, lines, method, threads, hash_mb, seed)?;
        let position = self.inner.search().map_err(errors::input)?;
        let listener = run::Listener::new(progress);
        let found = run::told(py, &*self.game, &listener, || {
            let mut tell = |view: &_| listener.tell(|py| answer(py, "SearchReport", view));
            position.search(&request, &listener.stop, &mut tell)
        })?;
        answer(py, "SearchReport", &found.map_err(errors::input)?)
    }

    /// A search as an iterator of reports, each better than the one before; the last is the answer.
    #[pyo3(signature = (*, time=None, depth=None, nodes=None, lines=1, method=None, threads=1, hash_mb=64, seed=0))]
    fn searching(
        &self,
        time: Option<f64>,
        depth: Option<u32>,
        nodes: Option<u64>,
        lines: usize,
        method: Option<&str>,
        threads: usize,
        hash_mb: u32,
        seed: u64,
    ) -> PyResult<Search> {
        let request = options::search(time, depth, nodes, lines, method, threads, hash_mb, seed)?;
        self.inner.search().map_err(errors::input)?;
        Search::start(Arc::clone(&self.game), self.inner.boxed_clone(), request)
    }

    /// The move that a player chooses: `random`, `greedy`, `depth=4`, `nodes=10000`, `mcts=1000`, `time=50ms`.
    #[pyo3(signature = (player, *, seed=0))]
    fn choose(slf: &Bound<'_, Self>, player: &str, seed: u64) -> PyResult<Option<Move>> {
        let (py, here) = (slf.py(), slf.get());
        let spec = PlayerSpec::of_this_machine(player).map_err(errors::input)?;
        let position = here.inner.search().map_err(errors::input)?;
        let mut player = Player::new(spec, seed).map_err(errors::input)?;
        let listener = run::Listener::new(None);
        let chosen = run::told(py, &*here.game, &listener, || position.choose(&mut player, &listener.stop))?;
        let number = |text: String| here.inner.listed().number_of(&text).map_err(errors::mv);
        let number = chosen.map_err(errors::input)?.map(number).transpose()?;
        Ok(number.map(|number| Move { position: slf.clone().unbind(), number: number as u32 }))
    }

    /// The exact value of the position, as far as it can be worked out in the time.
    #[pyo3(signature = (*, time=10.0, method=None, tables=None, goal=None, fewest_moves=false, count=false, hints=false, threads=1, memory_mb=256, progress=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        time: f64,
        method: Option<String>,
        tables: Option<std::path::PathBuf>,
        goal: Option<String>,
        fewest_moves: bool,
        count: bool,
        hints: bool,
        threads: usize,
        memory_mb: u32,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = SolveRequest {
            method,
            tables,
            goal,
            fewest_moves,
            count,
            hints,
            threads: options::threads(threads)?,
            memory: options::bytes(memory_mb),
            time: options::time(time)?,
        };
        let position = self.inner.solve().map_err(errors::input)?;
        let solved = run::watched(py, &*self.game, progress, |watch| position.solve(&request, watch))?;
        answer(py, "Solution", &solved.map_err(errors::work)?)
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<tabia.Position {} {:?}>", self.inner.variant(), self.inner.text())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let answer = match (other.cast::<Position>(), op) {
            (Ok(other), CompareOp::Eq) => self.same(other.get()),
            (Ok(other), CompareOp::Ne) => !self.same(other.get()),
            _ => return Ok(py.NotImplemented()),
        };
        Ok(pyo3::types::PyBool::new(py, answer).to_owned().into_any().unbind())
    }

    fn __hash__(&self) -> u64 {
        self.inner.key().0
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Game, String))> {
        Ok((py.import("tabia._tabia")?.getattr("_position")?, (self.game(), self.inner.text())))
    }
}

/// A position again, from what it was pickled as.
#[pyfunction]
pub(crate) fn _position(game: &Bound<'_, Game>, text: &str) -> PyResult<Position> {
    let game = &game.get().inner;
    Position::new(game, errors::asked(&**game, game.decode(text, "text").map_err(errors::input))?)
}
