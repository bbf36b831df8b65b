//! The command line, for the command `tabia` that the package installs.

use crate::game::registry;
use pyo3::prelude::*;

/// Does what the words say, as the program `tabia` does, and returns its exit code.
#[pyfunction]
#[pyo3(signature = (words, /))]
pub(crate) fn command(py: Python<'_>, words: Vec<String>) -> u8 {
    let words = std::iter::once("tabia".to_owned()).chain(words);
    py.detach(|| tabia_cli::run_words(registry().clone(), words))
}
