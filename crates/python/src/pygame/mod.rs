//! A game written in Python, as a game like the others.
//!
//! An inventor's class answers a handful of questions about positions, which are values of its own choice
//! ([`hooks`]). Here they become rules of `tabia-core`:
//!
//! - a position is the Python value with its exact bytes ([`state`]);
//! - a move is the number of a Python value in a list that grows ([`moves`]);
//! - a symmetry is a permutation, known to the whole process by a number ([`symmetry`]);
//! - an exception is kept, every later answer is harmless, and whoever called from Python gets the exception
//!   ([`faults`]): the core knows of it by `Game::fault`.
//!
//! Work may run on any thread: each call attaches to the interpreter for itself, and nothing is locked
//! meanwhile.

mod class;
mod faults;
mod hooks;
mod law;
mod memory;
mod moves;
mod notation;
mod present;
mod rules;
mod state;
mod symmetry;

pub(crate) use class::{PythonGame, adapter, behind, rules_of};
pub(crate) use faults::Call;
pub(crate) use law::{LawError, check};
pub(crate) use rules::PyRules;
