//! What can be wrong, as Python exceptions: all of them are `ValueError`s with the place and the reasons.

use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tabia_app::solve::WorkError;
use tabia_app::{ErrorKind, InputError};

create_exception!(tabia, TabiaError, PyValueError, "Something that was asked or typed is wrong.");
create_exception!(tabia, PositionError, TabiaError, "A position that cannot be read, or cannot be.");
create_exception!(tabia, MoveError, TabiaError, "A move that cannot be read, or may not be played.");
create_exception!(tabia, UnknownError, TabiaError, "A name that nothing has.");
create_exception!(tabia, UnsupportedError, TabiaError, "Something that this game cannot be asked.");

/// What was being read when it went wrong.
#[derive(Clone, Copy)]
enum Subject {
    Position,
    Move,
}

/// The exception for a position that could not be read.
pub(crate) fn position(error: InputError) -> PyErr {
    exception(error, Subject::Position)
}

/// The exception for a move that could not be played.
pub(crate) fn mv(error: InputError) -> PyErr {
    exception(error, Subject::Move)
}

/// The exception for long work that failed.
pub(crate) fn work(error: WorkError) -> PyErr {
    if error.is_stopped() {
        return PyKeyboardInterrupt::new_err("stopped");
    }
    match error {
        WorkError::Input(error) => position(error),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

fn exception(error: InputError, subject: Subject) -> PyErr {
    let message = error.message.clone();
    let made = match (error.kind, subject) {
        (ErrorKind::Unknown, _) => UnknownError::new_err(message),
        (ErrorKind::Unsupported, _) => UnsupportedError::new_err(message),
        (ErrorKind::Illegal, _) | (_, Subject::Move) => MoveError::new_err(message),
        _ => PositionError::new_err(message),
    };
    Python::attach(|py| match details(made.value(py), error) {
        Ok(()) => made,
        Err(trouble) => trouble,
    })
}

/// The particulars, as attributes.
fn details(exception: &Bound<'_, pyo3::exceptions::PyBaseException>, error: InputError) -> PyResult<()> {
    exception.setattr("input", error.input)?;
    exception.setattr("offset", error.offset)?;
    exception.setattr("reasons", error.reasons)
}
