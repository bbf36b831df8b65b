//! The Python package `tabia`: its extension module.
//!
//! Python holds what the facade gives: [`game::Game`], [`position::Position`], [`record::Record`]. Everything that takes
//! long runs without the interpreter and can be stopped ([`run`], [`stream`]); everything that can be wrong is an
//! exception ([`errors`]); answers are objects of classes written in Python ([`answer`]).

// The macros of PyO3 write functions that the interpreter calls.
#![allow(unsafe_code)]

mod answer;
mod batch;
mod book;
mod command;
mod errors;
mod find;
mod game;
mod moves;
mod options;
mod position;
mod pygame;
mod reader;
mod record;
mod run;
mod search;
mod serve;
mod stream;
mod tables;

use pyo3::prelude::*;

/// The extension module; the package `tabia` shows its names.
#[pymodule]
mod _tabia {
    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)] // Python's own name for it
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::book::Book;
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::errors::{
        ActionError, MoveError, PositionError, TabiaError, UnknownError, UnsupportedError, WorkError,
    };
    #[pymodule_export]
    use super::find::Found;
    #[pymodule_export]
    use super::game::{Game, game, games};
    #[pymodule_export]
    use super::moves::{_move, Move, Moves};
    #[pymodule_export]
    use super::position::{_position, Position};
    #[pymodule_export]
    use super::pygame::{PythonGame, check};
    #[pymodule_export]
    use super::reader::GameReader;
    #[pymodule_export]
    use super::record::Record;
    #[pymodule_export]
    use super::search::Search;
    #[pymodule_export]
    use super::serve::Server;
    #[pymodule_export]
    use super::stream::_end;
    #[pymodule_export]
    use super::tables::Tables;
    #[pymodule_export]
    use tabia_python_game::LawError;
}
