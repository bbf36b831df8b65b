//! What can be wrong, as Python exceptions.
//!
//! What was asked or typed wrong is a [`TabiaError`], a `ValueError` with the place and all reasons; a solver, a file
//! or rules that failed are a [`WorkError`], a `RuntimeError`.

use pyo3::create_exception;
use pyo3::exceptions::{PyBaseException, PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tabia_app::book::BookFailure;
use tabia_app::solve;
use tabia_app::{AnyGame, ErrorKind, InputError};
use tabia_batch::BatchError;
pub(crate) use tabia_python_game::TabiaError;

create_exception!(tabia, PositionError, TabiaError, "A position that cannot be read, or cannot be.");
create_exception!(tabia, MoveError, TabiaError, "A move that cannot be read, or may not be played.");
create_exception!(tabia, ActionError, MoveError, "Actions of a batch that are not legal; `rows` says where.");
create_exception!(tabia, UnknownError, TabiaError, "A name that nothing has.");
create_exception!(tabia, UnsupportedError, TabiaError, "Something that this game cannot be asked.");
create_exception!(
    tabia,
    WorkError,
    PyRuntimeError,
    "A solver, a file, a book or the rules themselves failed."
);

/// What was being read when it went wrong.
#[derive(Clone, Copy)]
enum Subject {
    Position,
    Move,
}

/// The exception for a position, a name or an option that is wrong.
pub(crate) fn input(error: InputError) -> PyErr {
    exception(error, Subject::Position)
}

/// The exception for a move that could not be played.
pub(crate) fn mv(error: InputError) -> PyErr {
    exception(error, Subject::Move)
}

/// The exception for long work that failed.
pub(crate) fn work(error: solve::WorkError) -> PyErr {
    match error {
        solve::WorkError::Input(error) => input(error),
        // Only Ctrl-C and functions that raised throw the switch, and they are raised themselves.
        error if error.is_stopped() => PyKeyboardInterrupt::new_err("stopped"),
        other => WorkError::new_err(other.to_string()),
    }
}

/// The exception for a book in trouble.
pub(crate) fn book(error: BookFailure) -> PyErr {
    match error {
        BookFailure::Input(error) => input(error),
        other => WorkError::new_err(other.to_string()),
    }
}

/// The exception for a batch that refused something.
pub(crate) fn batch(error: BatchError) -> PyErr {
    match error {
        BatchError::Illegal { rows } => {
            let message = BatchError::Illegal { rows: rows.clone() }.to_string();
            let made = ActionError::new_err(message.clone());
            let plain = InputError::new(ErrorKind::Illegal, "", message);
            with(made, |exception| {
                details(exception, plain)?;
                exception.setattr("rows", rows)
            })
        }
        BatchError::Position { row, reason } => {
            let mut error = InputError::position("", &reason);
            error.message = format!("row {row}: {}", error.message);
            input(error)
        }
        BatchError::NoEvaluation { .. } => UnsupportedError::new_err(error.to_string()),
        BatchError::Stopped => PyKeyboardInterrupt::new_err("stopped"),
        BatchError::Fault(_) => WorkError::new_err(error.to_string()),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// Fails where the rules of a game failed: no answer they gave can be trusted. Rules written in Python fail with the
/// exception that they raised.
pub(crate) fn trusted(game: &dyn AnyGame) -> PyResult<()> {
    if let Some(rules) = tabia_python_game::behind(game) {
        return Python::attach(|py| rules.raise(py));
    }
    game.fault().map_or(Ok(()), |fault| Err(WorkError::new_err(fault)))
}

/// The answer to a short question, unless the rules failed meanwhile: then nothing they said counts.
pub(crate) fn asked<T>(game: &dyn AnyGame, answer: PyResult<T>) -> PyResult<T> {
    trusted(game)?;
    answer
}

fn exception(error: InputError, subject: Subject) -> PyErr {
    let message = error.message.clone();
    let made = match (error.kind, subject) {
        (ErrorKind::Unknown, _) => UnknownError::new_err(message),
        (ErrorKind::Unsupported, _) => UnsupportedError::new_err(message),
        (ErrorKind::Damaged, _) => WorkError::new_err(message),
        (ErrorKind::Illegal, _) | (_, Subject::Move) => MoveError::new_err(message),
        _ => PositionError::new_err(message),
    };
    with(made, |exception| details(exception, error))
}

fn with(made: PyErr, fill: impl FnOnce(&Bound<'_, PyBaseException>) -> PyResult<()>) -> PyErr {
    Python::attach(|py| match fill(made.value(py)) {
        Ok(()) => made,
        Err(trouble) => trouble,
    })
}

/// The particulars, as attributes.
fn details(exception: &Bound<'_, PyBaseException>, error: InputError) -> PyResult<()> {
    exception.setattr("input", error.input)?;
    exception.setattr("offset", error.offset)?;
    exception.setattr("expected", error.expected)?;
    exception.setattr("reasons", error.reasons)
}
