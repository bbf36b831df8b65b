//! The exceptions that a game raises.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(tabia, TabiaError, PyValueError, "Something that was asked or typed is wrong.");
create_exception!(tabia, LawError, TabiaError, "A law that every game keeps, and this one breaks.");

/// The exception for a broken law.
pub fn law_error(py: Python<'_>, game: &str, law: &'static str, details: String) -> PyErr {
    let error = LawError::new_err(format!("{game}: the law «{law}» fails: {details}"));
    let value = error.value(py);
    match value.setattr("law", law).and_then(|()| value.setattr("details", details)) {
        Ok(()) => error,
        Err(trouble) => trouble,
    }
}
