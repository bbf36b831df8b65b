//! Many games at once, with numpy arrays in and out.
//!
//! Arrays are made by numpy itself, so that one too large for the memory is a `MemoryError`; what is given is copied
//! or checked before the interpreter is released.

use crate::game::start_of;
use crate::position::Position;
use crate::{errors, options, run};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyImportError, PyIndexError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::sync::Arc;
use tabia_app::{AnyGame, BatchRequest, Stop};
use tabia_batch::{AnyBatch, BatchError};
use tabia_core::actions::mask_bytes;

/// `n` games of one kind.
#[pyclass(module = "tabia")]
pub(crate) struct Batch {
    game: Arc<dyn AnyGame>,
    variant: String,
    inner: Box<dyn AnyBatch>,
}

/// Bytes that a batch writes into.
type Bytes<'py> = Bound<'py, PyArrayDyn<u8>>;

fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numpy").map_err(|error| {
        // Ctrl-C during the import is no lack of numpy.
        if !error.is_instance_of::<PyImportError>(py) {
            return error;
        }
        let needed = PyImportError::new_err("tabia.Batch needs numpy: pip install 'tabia[batch]'");
        needed.set_cause(py, Some(error));
        needed
    })
}

/// A new array of bytes.
fn made<'py>(py: Python<'py>, shape: &[usize]) -> PyResult<Bytes<'py>> {
    // Looked up once: a search for it takes as long as a batch of small positions.
    static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let empty = EMPTY.get_or_try_init(py, || PyResult::Ok(numpy(py)?.getattr("empty")?.unbind()))?;
    let shape = PyTuple::new(py, shape)?;
    Ok(empty.bind(py).call1((shape, numpy::dtype::<u8>(py)))?.cast_into()?)
}

/// The array to write into: the caller's, if it has the shape, or a new one.
fn target<'py>(
    py: Python<'py>,
    out: Option<&Bound<'py, PyAny>>,
    shape: &[usize],
    kind: &str,
) -> PyResult<Bytes<'py>> {
    let Some(out) = out else { return made(py, shape) };
    let wrong = || {
        let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
        PyValueError::new_err(format!(
            "out is not a contiguous, writable {kind} array of shape ({})",
            shape.join(", ")
        ))
    };
    if out.getattr_opt(intern!(py, "dtype"))?.is_none() {
        return Err(PyTypeError::new_err("out is not a numpy array"));
    }
    let bytes = if kind == "bool" {
        out.cast::<PyArrayDyn<bool>>().map_err(|_| wrong())?.call_method1(intern!(py, "view"), ("uint8",))?
    } else {
        out.clone()
    };
    let bytes: Bytes<'py> = bytes.cast_into().map_err(|_| wrong())?;
    if bytes.shape() != shape || !bytes.is_c_contiguous() || bytes.try_readwrite().is_err() {
        return Err(wrong());
    }
    Ok(bytes)
}

/// Lets a batch write into an array while the interpreter is released.
fn fill(
    py: Python<'_>,
    out: &Bytes<'_>,
    write: impl FnOnce(&mut [u8]) -> Result<(), BatchError> + Send,
) -> PyResult<()> {
    let mut borrowed: PyReadwriteArrayDyn<'_, u8> =
        out.try_readwrite().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let bytes = borrowed.as_slice_mut().map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.detach(|| write(bytes)).map_err(errors::batch)
}

/// The whole numbers of an array or a list, all of them in the range of `T`.
fn numbers<T: Element + TryFrom<i64> + Copy>(
    py: Python<'_>,
    given: &Bound<'_, PyAny>,
    what: &str,
    outside: T,
) -> PyResult<Vec<T>> {
    if let Ok(array) = given.extract::<PyReadonlyArrayDyn<'_, T>>()
        && array.ndim() == 1
    {
        return Ok(array.as_array().iter().copied().collect());
    }
    let array = numpy(py)?.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let empty = array.getattr("size")?.extract::<usize>()? == 0;
    if !empty && kind != "i" && kind != "u" {
        return Err(PyTypeError::new_err(format!("{what} are whole numbers")));
    }
    if array.getattr("ndim")?.extract::<usize>()? != 1 {
        return Err(PyValueError::new_err(format!("{what} are an array of one dimension")));
    }
    let wide = array.call_method1("astype", ("int64",))?;
    let wide: PyReadonlyArrayDyn<'_, i64> = wide.extract()?;
    // Large unsigned numbers turn negative in int64, and a negative action is none: they are no action either.
    let unsigned = kind == "u";
    let narrow =
        |&number: &i64| if unsigned && number < 0 { outside } else { T::try_from(number).unwrap_or(outside) };
    Ok(wide.as_array().iter().map(narrow).collect())
}

impl Batch {
    fn answers<'py, T: Element + Send>(
        &mut self,
        py: Python<'py>,
        ask: impl FnOnce(&mut dyn AnyBatch) -> Result<Vec<T>, BatchError> + Send,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let inner = &mut *self.inner;
        Ok(py.detach(|| ask(inner)).map_err(errors::batch)?.into_pyarray(py))
    }

    /// Encodings: the bytes of every row, and how many of them count.
    fn codes<'py>(
        &mut self,
        py: Python<'py>,
        write: impl FnOnce(&mut dyn AnyBatch, &mut [u8], &mut [u8]) -> Result<(), BatchError> + Send,
    ) -> PyResult<(Bytes<'py>, Bound<'py, PyArray1<u8>>)> {
        let rows = self.inner.rows();
        let (out, mut lengths) = (made(py, &[rows, self.inner.packed_size().0])?, vec![0; rows]);
        let inner = &mut *self.inner;
        fill(py, &out, |bytes| write(inner, bytes, &mut lengths))?;
        Ok((out, lengths.into_pyarray(py)))
    }
}

#[pymethods]
impl Batch {
    /// `n` games of a game, or `n` games that start at a position.
    #[new]
    #[pyo3(signature = (game, n, *, seed=0, threads=1))]
    fn new(py: Python<'_>, game: &Bound<'_, PyAny>, n: usize, seed: u64, threads: usize) -> PyResult<Self> {
        numpy(py)?;
        let start = start_of(game)?;
        let request = BatchRequest { rows: n, seed, threads: options::threads(threads)? };
        let inner = py.detach(|| start.inner.batches()?.batch(request)).map_err(errors::input)?;
        Ok(Batch { variant: start.inner.variant(), game: start.game, inner })
    }

    fn __len__(&self) -> usize {
        self.inner.rows()
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// The game.
    #[getter]
    fn game(&self) -> crate::game::Game {
        crate::game::Game { inner: Arc::clone(&self.game) }
    }

    /// The number of actions of the game.
    #[getter]
    fn actions(&self) -> usize {
        self.inner.action_count()
    }

    /// The shape of one row's planes: how many, rows, columns.
    #[getter]
    fn planes(&self) -> (usize, usize, usize) {
        let planes = self.inner.planes();
        (planes.channels, planes.height, planes.width)
    }

    /// The legal actions of all rows, one after the other: where those of each row begin (and the last ones end),
    /// and the actions.
    fn legal<'py>(
        &mut self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>)> {
        let inner = &mut *self.inner;
        let legal = py.detach(|| inner.legal()).map_err(errors::batch)?;
        Ok((legal.offsets.into_pyarray(py), legal.actions.into_pyarray(py)))
    }

    /// Which actions are legal: for every row a bool for each action, or a bit, the lowest first.
    #[pyo3(signature = (out=None, *, bits=false))]
    fn mask<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        bits: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rows, actions) = (self.inner.rows(), self.inner.action_count());
        let inner = &mut *self.inner;
        if bits {
            let mask = target(py, out, &[rows, mask_bytes(actions)], "uint8")?;
            fill(py, &mask, |bytes| inner.mask_bits(bytes))?;
            return Ok(mask.into_any());
        }
        let mask = target(py, out, &[rows, actions], "bool")?;
        fill(py, &mask, |bytes| inner.mask(bytes))?;
        match out {
            Some(out) => Ok(out.clone()),
            None => mask.call_method1("view", ("bool",)),
        }
    }

    /// Plays an action in every row; a negative number leaves a row alone, as a finished game needs it. If any is
    /// not legal, nothing is played and the error has the rows.
    #[pyo3(signature = (actions, /))]
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions: Vec<i32> = numbers(py, actions, "actions", i32::MAX)?;
        let inner = &mut *self.inner;
        py.detach(|| inner.step(&actions)).map_err(errors::batch)
    }

    /// Plays random moves in every game that is not over.
    #[pyo3(signature = (plies=1, /))]
    fn random(&mut self, py: Python<'_>, plies: u32) -> PyResult<()> {
        let inner = &mut *self.inner;
        if plies == 1 {
            return py.detach(|| inner.random()).map_err(errors::batch);
        }
        let stop = Stop::new();
        let played = run::interruptible(py, &stop, || {
            for _ in 0..plies {
                inner.random()?;
                if stop.is_stopped() {
                    break;
                }
            }
            Ok(())
        })?;
        played.map_err(errors::batch)
    }

    /// The positions as planes of bytes, from the side to move.
    #[pyo3(signature = (out=None))]
    fn observe<'py>(&mut self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bytes<'py>> {
        let (count, height, width) = self.planes();
        let planes = target(py, out, &[self.inner.rows(), count, height, width], "uint8")?;
        let inner = &mut *self.inner;
        fill(py, &planes, |bytes| inner.observe(bytes))?;
        Ok(planes)
    }

    /// For every row -1 while the game goes on, 0 or 1 for the winner, 2 for a draw; puzzles: 0 solved, 2 stuck.
    fn outcome<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.answers(py, |batch| batch.outcome())
    }

    /// Who is to move in every row: 0 or 1.
    fn side<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        self.answers(py, |batch| batch.side())
    }

    /// The 64-bit hash of every row.
    fn keys<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.answers(py, |batch| batch.keys())
    }

    /// The exact encodings, filled up with zeros, and their lengths.
    fn packed<'py>(&mut self, py: Python<'py>) -> PyResult<(Bytes<'py>, Bound<'py, PyArray1<u8>>)> {
        self.codes(py, |batch, bytes, lengths| batch.packed(bytes, lengths))
    }

    /// The encodings of the representatives under the game's symmetries, in the same form.
    fn canonical<'py>(&mut self, py: Python<'py>) -> PyResult<(Bytes<'py>, Bound<'py, PyArray1<u8>>)> {
        self.codes(py, |batch, bytes, lengths| batch.canonical(bytes, lengths))
    }

    /// Puts the positions of encodings into all rows; lengths may be left out where all encodings have one. If
    /// any is refused, nothing changes.
    #[pyo3(signature = (packed, lengths=None))]
    fn unpack(
        &mut self,
        py: Python<'_>,
        packed: &Bound<'_, PyAny>,
        lengths: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let size = self.inner.packed_size();
        let wrong = || {
            let (rows, width) = (self.inner.rows(), size.0);
            PyValueError::new_err(format!("packed is not a uint8 array of shape ({rows}, {width})"))
        };
        let packed: PyReadonlyArrayDyn<'_, u8> = packed.extract().map_err(|_| wrong())?;
        if packed.shape() != [self.inner.rows(), size.0] {
            return Err(wrong());
        }
        let lengths: Option<Vec<u8>> =
            lengths.map(|given| numbers(py, given, "lengths", u8::MAX)).transpose()?;
        if lengths.is_none() && !size.1 {
            return Err(PyValueError::new_err("the encodings of this game have several lengths: give them"));
        }
        let bytes: Vec<u8> = match packed.as_slice() {
            Ok(bytes) => bytes.to_vec(),
            Err(_) => packed.as_array().iter().copied().collect(),
        };
        let inner = &mut *self.inner;
        py.detach(|| inner.set_packed(&bytes, lengths.as_deref())).map_err(errors::batch)
    }

    /// Begins new games: in all rows, or in these.
    #[pyo3(signature = (rows=None, /))]
    fn reset(&mut self, py: Python<'_>, rows: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let Some(rows) = rows else {
            let inner = &mut *self.inner;
            return py.detach(|| inner.reset()).map_err(errors::batch);
        };
        let flags =
            rows.getattr_opt("dtype")?.map(|dtype| dtype.getattr("kind")?.extract::<String>()).transpose()?;
        let rows = if flags.as_deref() == Some("b") {
            if rows.len()? != self.inner.rows() {
                return Err(PyValueError::new_err("one flag for every row"));
            }
            numpy(py)?.call_method1("flatnonzero", (rows,))?
        } else {
            rows.clone()
        };
        let numbers: Vec<i64> = numbers(py, &rows, "rows", -1)?;
        let row =
            |&row: &i64| usize::try_from(row).map_err(|_| PyIndexError::new_err(format!("no row {row}")));
        let numbers = numbers.iter().map(row).collect::<PyResult<Vec<usize>>>()?;
        self.inner.reset_rows(&numbers).map_err(|error| PyIndexError::new_err(error.to_string()))
    }

    /// Begins a new game in every row whose game is over, and tells how many there were.
    fn reset_finished(&mut self, py: Python<'_>) -> PyResult<usize> {
        let inner = &mut *self.inner;
        py.detach(|| inner.reset_finished()).map_err(errors::batch)
    }

    /// Makes the randomness of every row anew.
    #[pyo3(signature = (seed, /))]
    fn reseed(&mut self, seed: u64) {
        self.inner.reseed(seed);
    }

    /// Plays random games to the end from every row: how many player 0 won, player 1 won, and were drawn. The rows
    /// stay where they are.
    #[pyo3(signature = (games, /))]
    fn playouts<'py>(&mut self, py: Python<'py>, games: u32) -> PyResult<Bound<'py, PyAny>> {
        let (stop, inner) = (Stop::new(), &mut *self.inner);
        let counts =
            run::interruptible(py, &stop, || inner.playouts(games, &stop))?.map_err(errors::batch)?;
        let rows = counts.len();
        let flat: Vec<u32> = counts.into_iter().flatten().collect();
        flat.into_pyarray(py).call_method1("reshape", ((rows, 3),))
    }

    /// The game's evaluation of every row for the side to move; 0 where the game is over.
    fn evaluate<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        self.answers(py, |batch| batch.evaluate())
    }

    /// The position of a row, as an object.
    #[pyo3(signature = (row, /))]
    fn position(&self, row: usize) -> PyResult<Position> {
        let no_row = || PyIndexError::new_err(format!("row {row} of a batch of {}", self.inner.rows()));
        let text = self.inner.text(row).ok_or_else(no_row)?;
        Position::new(&self.game, self.game.decode(&text, "text").map_err(errors::input)?)
    }

    fn __repr__(&self) -> String {
        format!("<tabia.Batch {} n={}>", self.variant, self.inner.rows())
    }
}
