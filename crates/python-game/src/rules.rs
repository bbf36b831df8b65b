//! The rules: questions of the core, put to Python.

use super::errors::law_error;
use super::faults::{Call, Faults};
use super::hooks::{About, Hook, Hooks};
use super::memory::{Codes, Texts};
use super::moves::{MoveTable, PyMove};
use super::state::{Answers, Code, MOST_BYTES, PyState};
use super::symmetry::{Places, group};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tabia_core::packed::to_hex;
use tabia_core::{
    Canonical, DrawRules, Evaluate, Game, Key, Notation, Outcome, Packed, PositionError, Side, Stop, Symmetry,
};

/// The largest value an evaluation may have.
const MOST: i32 = 20_000;

/// A game written in Python, as rules of the core.
#[derive(Clone)]
pub struct PyRules {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) object: Py<PyAny>,
    pub(super) hooks: Hooks,
    pub(super) about: About,
    pub(super) moves: MoveTable,
    pub(super) codes: Codes,
    pub(super) texts: Texts,
    symmetries: Vec<Places>,
    /// The symmetries as Python sees them.
    images: HashMap<Places, Py<PyTuple>>,
    start: PyState,
    faults: Faults,
    stop: Stop,
    /// Whether to look twice, as the law suite does.
    careful: AtomicBool,
}

impl PyRules {
    /// The rules of an inventor's object; what is missing or plainly wrong is an exception at once.
    pub fn new(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = game.py();
        let (hooks, about) = (Hooks::of(game)?, About::of(game)?);
        let first = hooks.start.call0(py)?;
        be_values(first.bind(py), hooks.start.call0(py)?.bind(py))?;
        let start = position(py, &hooks, first.into_bound(py))?;
        let (symmetries, images) = symmetries(py, &hooks)?;
        let inner = Inner {
            object: game.clone().unbind(),
            hooks,
            about,
            moves: MoveTable::new(py),
            codes: Codes::new(),
            texts: Texts::new(),
            symmetries,
            images,
            start,
            faults: Faults::default(),
            stop: Stop::new(),
            careful: AtomicBool::new(false),
        };
        Ok(PyRules { inner: Arc::new(inner) })
    }

    /// The inventor's object.
    pub fn object<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.inner.object.bind(py)
    }

    /// Whether there is an evaluation to search with.
    pub fn has_evaluation(&self) -> bool {
        self.inner.hooks.evaluate.is_some()
    }

    /// Long work begins.
    pub fn enter(&self) -> Call {
        self.inner.faults.enter()
    }

    /// Raises what the rules raised while they were asked something short.
    pub fn raise(&self, py: Python<'_>) -> PyResult<()> {
        self.inner.faults.raise(py)
    }

    /// From now on, asks twice where that finds mistakes.
    pub fn be_careful(&self) {
        self.inner.careful.store(true, Relaxed);
    }

    /// The switch that ends work soon which has none of its own.
    pub fn switch(&self) -> &Stop {
        &self.inner.stop
    }

    /// Asks Python. Where that fails the exception is kept, and the answer is `None` from then on.
    pub(super) fn ask<T>(&self, question: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        let faults = &self.inner.faults;
        if faults.is_set() || self.inner.stop.is_stopped() {
            return None;
        }
        let answer = Python::try_attach(|py| question(py).map_err(|error| faults.keep(py, error)).ok());
        answer.unwrap_or_else(|| {
            faults.keep_shutdown();
            None
        })
    }

    /// A position that Python gave.
    pub(super) fn state(&self, object: Bound<'_, PyAny>) -> PyResult<PyState> {
        position(object.py(), &self.inner.hooks, object)
    }

    /// What the rules say of a position, worked out once.
    fn answers<'a>(&self, state: &'a PyState) -> Option<&'a Answers> {
        if let Some(answers) = state.answers.get() {
            return Some(answers);
        }
        let answers = self.ask(|py| self.work_out(py, state))?;
        Some(state.answers.get_or_init(|| answers))
    }

    fn work_out(&self, py: Python<'_>, state: &PyState) -> PyResult<Answers> {
        let hooks = &self.inner.hooks;
        let outcome = outcome_of(hooks.outcome.bind(py).call1((&state.object,))?)?;
        if outcome.is_some() {
            return Ok(Answers { outcome, moves: Vec::new() });
        }
        let mut moves = Vec::new();
        for value in hooks.moves.bind(py).call1((&state.object,))?.try_iter()? {
            moves.push(self.inner.moves.number(py, &value?)?);
        }
        if moves.is_empty() {
            let details = format!("{state:?} has neither moves nor an outcome");
            return Err(law_error(
                py,
                &self.inner.about.id,
                "a game is over exactly when there is no move",
                details,
            ));
        }
        Ok(Answers { outcome, moves })
    }

    fn played(&self, py: Python<'_>, state: &PyState, mv: PyMove) -> PyResult<PyState> {
        let value = self.inner.moves.value(py, mv)?;
        let next = self.inner.hooks.play.bind(py).call1((&state.object, value))?;
        if next.is_none() {
            return Err(PyTypeError::new_err("play gave None: it gives the next position"));
        }
        if self.inner.careful.load(Relaxed) && self.state(state.object.bind(py).clone())?.code != state.code {
            let details = format!("{state:?} was {} before", to_hex(state.code.as_bytes()));
            return Err(law_error(
                py,
                &self.inner.about.id,
                "playing leaves the position as it was",
                details,
            ));
        }
        self.state(next)
    }

    /// The Python form of a symmetry of this game.
    fn image<'py>(&self, py: Python<'py>, symmetry: Places) -> PyResult<&Bound<'py, PyTuple>> {
        let foreign = || PyValueError::new_err(format!("{symmetry:?} is no symmetry of this game"));
        self.inner.images.get(&symmetry).map(|image| image.bind(py)).ok_or_else(foreign)
    }
}

/// The hooks of symmetries are there whenever there are symmetries.
fn bound<'a, 'py>(py: Python<'py>, hook: Option<&'a Hook>) -> PyResult<&'a Bound<'py, PyAny>> {
    hook.map(|hook| hook.bind(py)).ok_or_else(|| PyTypeError::new_err("a method is missing"))
}

/// Positions are kept, compared and looked up: two that are equal must be equal, and none may change.
fn be_values(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<()> {
    let kind = one.get_type().name()?;
    let advice = "positions are values, like a string, a tuple or a frozen dataclass";
    one.hash().map_err(|_| PyTypeError::new_err(format!("{kind} cannot be hashed: {advice}")))?;
    if !one.eq(other).unwrap_or(false) {
        let message = format!("two start positions of type {kind} are not equal: {advice}");
        return Err(PyTypeError::new_err(message));
    }
    Ok(())
}

/// A Python value as a position: who is to move there, and its bytes.
fn position(py: Python<'_>, hooks: &Hooks, object: Bound<'_, PyAny>) -> PyResult<PyState> {
    let side = side_of(&hooks.side.bind(py).call1((&object,))?, "side")?;
    let packed = hooks.pack.bind(py).call1((&object,))?;
    let bytes = packed
        .cast::<PyBytes>()
        .map_err(|_| PyTypeError::new_err(format!("pack gives bytes, not {}", packed.get_type())))?
        .as_bytes();
    let mut code = Code::new();
    let fits = code.push(side.index() as u8) && bytes.iter().all(|&byte| code.push(byte));
    if !fits {
        let message = format!("pack gave {} bytes; a code has at most {}", bytes.len(), MOST_BYTES - 1);
        return Err(PyValueError::new_err(message));
    }
    Ok(PyState::new(object.unbind(), side, code))
}

fn side_of(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Side> {
    let side = value.extract::<usize>().ok().and_then(Side::from_index);
    side.ok_or_else(|| PyValueError::new_err(format!("{what} gives 0 or 1, not {value}")))
}

fn outcome_of(value: Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
    if value.is_none() {
        return Ok(None);
    }
    if value.extract::<&str>().is_ok_and(|word| word == "draw") {
        return Ok(Some(Outcome::Draw));
    }
    let winner = side_of(&value, "outcome").map_err(|_| {
        PyValueError::new_err(format!("outcome gives None, the winner (0 or 1) or \"draw\", not {value}"))
    })?;
    Ok(Some(Outcome::Win(winner)))
}

type Symmetries = (Vec<Places>, HashMap<Places, Py<PyTuple>>);

/// The group that the game's permutations generate, and how Python sees its elements.
fn symmetries(py: Python<'_>, hooks: &Hooks) -> PyResult<Symmetries> {
    let Some(listed) = &hooks.symmetries else { return Ok((Vec::new(), HashMap::new())) };
    if hooks.map_state.is_none() || hooks.map_move.is_none() {
        let message = "a game with symmetries has map_state(position, places) and map_move(move, places)";
        return Err(PyTypeError::new_err(message));
    }
    let listed: Vec<Vec<usize>> = listed.call0(py)?.extract(py)?;
    let count = listed.first().map_or(0, Vec::len);
    let wrong = |places: &Vec<usize>| {
        PyValueError::new_err(format!("{places:?} is no permutation of the numbers below {count}"))
    };
    let places = |places: &Vec<usize>| {
        Places::new(places, false).filter(|_| places.len() == count).ok_or_else(|| wrong(places))
    };
    let generators = listed.iter().map(places).collect::<PyResult<Vec<_>>>()?;
    let too_many = || PyValueError::new_err("the symmetries generate more than 400 elements");
    let mut all = group(&generators).ok_or_else(too_many)?;
    let mut images = HashMap::new();
    for element in &mut all {
        let image = PyTuple::new(py, element.images(count))?;
        if let Some(swaps) = &hooks.swaps {
            *element = element.with_swap(swaps.bind(py).call1((&image,))?.extract()?);
        }
        images.insert(*element, image.unbind());
    }
    Ok((all, images))
}

impl std::fmt::Debug for PyRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PyRules").field(&self.inner.about.id).finish()
    }
}

impl Game for PyRules {
    type State = PyState;
    type Move = PyMove;
    type Symmetry = Places;
    type Packed = Code;

    fn id(&self) -> &str {
        &self.inner.about.id
    }

    fn players(&self) -> u8 {
        self.inner.about.players
    }

    fn start(&self) -> PyState {
        self.inner.start.clone()
    }

    fn side(&self, state: &PyState) -> Side {
        state.side
    }

    fn outcome(&self, state: &PyState) -> Option<Outcome> {
        // After a failure every game is over, so that work comes to an end.
        self.answers(state).map_or(Some(Outcome::Draw), |answers| answers.outcome)
    }

    fn moves(&self, state: &PyState, out: &mut Vec<PyMove>) {
        if let Some(answers) = self.answers(state) {
            out.extend_from_slice(&answers.moves);
        }
    }

    fn count_moves(&self, state: &PyState) -> u64 {
        self.answers(state).map_or(0, |answers| answers.moves.len() as u64)
    }

    fn play(&self, state: &mut PyState, mv: PyMove) {
        if let Some(next) = self.ask(|py| self.played(py, state, mv)) {
            *state = next;
        }
    }

    fn key(&self, state: &PyState) -> Key {
        state.key
    }

    fn pack(&self, state: &PyState) -> Code {
        if self.inner.hooks.unpack.is_none() {
            let first = self.inner.codes.first(state.code, state);
            if first != *state {
                let details = format!("{first:?} and {state:?} have the same bytes");
                self.ask(|py| -> PyResult<()> {
                    Err(law_error(py, self.id(), "unpacking gives the position", details))
                });
            }
        }
        state.code
    }

    fn unpack(&self, packed: &Code) -> Result<PyState, PositionError> {
        let Some(unpack) = &self.inner.hooks.unpack else {
            let unknown = "no position with these bytes was met, and the game has no unpack to read them";
            return self.inner.codes.get(packed).ok_or_else(|| PositionError::rule(unknown));
        };
        let bytes = packed.as_bytes().get(1..).unwrap_or_default();
        let state = self.read(|py| unpack.bind(py).call1((PyBytes::new(py, bytes),)))?;
        if state.code != *packed {
            return Err(PositionError::rule("these are not the bytes that pack gives for this position"));
        }
        Ok(state)
    }

    fn symmetries(&self, _: &PyState) -> &[Places] {
        &self.inner.symmetries
    }

    fn map_state(&self, state: &PyState, symmetry: Places) -> PyState {
        if symmetry == Places::IDENTITY {
            return state.clone();
        }
        let image = self.ask(|py| {
            let map = bound(py, self.inner.hooks.map_state.as_ref())?;
            self.state(map.call1((&state.object, self.image(py, symmetry)?))?)
        });
        image.unwrap_or_else(|| state.clone())
    }

    fn map_move(&self, mv: PyMove, symmetry: Places) -> PyMove {
        if symmetry == Places::IDENTITY {
            return mv;
        }
        let image = self.ask(|py| {
            let map = bound(py, self.inner.hooks.map_move.as_ref())?;
            let value = self.inner.moves.value(py, mv)?;
            self.inner.moves.number(py, &map.call1((value, self.image(py, symmetry)?))?)
        });
        image.unwrap_or(mv)
    }

    fn canonicalise(&self, state: &PyState) -> Canonical<PyState, Places> {
        // As by default, but only the representative is remembered.
        let mut best = Canonical { state: state.clone(), symmetry: Places::IDENTITY };
        for &symmetry in self.inner.symmetries.iter().skip(1) {
            let image = self.map_state(state, symmetry);
            if image.code < best.state.code {
                best = Canonical { state: image, symmetry };
            }
        }
        best
    }

    fn draw_rules(&self) -> DrawRules {
        self.inner.about.draws
    }

    fn fault(&self) -> Option<String> {
        self.inner.faults.reason()
    }
}

impl PyRules {
    /// A position that Python reads from outside: a `ValueError` refuses the input, anything else is a failure.
    pub(super) fn read<'a>(
        &self,
        question: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>> + 'a,
    ) -> Result<PyState, PositionError> {
        let read = self.ask(|py| match question(py).and_then(|object| self.state(object)) {
            Ok(state) => Ok(Ok(state)),
            Err(error) if error.is_instance_of::<PyValueError>(py) => Ok(Err(error.value(py).to_string())),
            Err(error) => Err(error),
        });
        match read {
            Some(read) => read.map_err(PositionError::rule),
            None => Err(PositionError::rule(self.fault().unwrap_or_default())),
        }
    }
}

impl Evaluate for PyRules {
    fn evaluate(&self, state: &PyState) -> i32 {
        let value = self.ask(|py| {
            let Some(evaluate) = &self.inner.hooks.evaluate else { return Ok(0) };
            let value = evaluate.bind(py).call1((&state.object,))?;
            let within = value.extract::<i32>().ok().filter(|value| value.abs() <= MOST);
            within.ok_or_else(|| {
                let text = self.format(state);
                let message = format!("evaluate gives a whole number within ±{MOST}, not {value} for {text}");
                PyValueError::new_err(message)
            })
        });
        value.unwrap_or(0)
    }
}
