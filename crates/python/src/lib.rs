//! The Python package `tabia`: its extension module.
//!
//! Python holds what the facade gives: [`game::Game`], [`position::Position`]. Everything that takes long runs without the
//! interpreter and can be stopped ([`run`]); everything that can be wrong is an exception ([`errors`]).

// The macros of PyO3 write functions that the interpreter calls.
#![allow(unsafe_code)]

mod errors;
mod game;
mod position;
mod run;

use pyo3::prelude::*;

/// The extension module; the package `tabia` shows its names.
#[pymodule]
mod _tabia {
    #[pymodule_export]
    use super::errors::{MoveError, PositionError, TabiaError, UnknownError, UnsupportedError};
    #[pymodule_export]
    use super::game::{Game, game, games};
    #[pymodule_export]
    use super::position::Position;
}
