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
//!
//! It is a crate of its own because everything that can be asked of a game is compiled for it here, for size: the interpreter
//! takes the time.

mod errors;
mod faults;
mod hooks;
mod memory;
mod moves;
mod notation;
mod present;
mod rules;
mod state;
mod symmetry;

pub use errors::{LawError, TabiaError, law_error};
pub use faults::Call;
pub use moves::PyMove;
pub use rules::PyRules;
pub use state::{Code, Node, PyState};
pub use symmetry::Places;

use std::any::Any;
use std::sync::Arc;
use tabia_app::{Adapter, AnyGame, Registry};
use tabia_testkit::laws::{Effort, Verdict, game_verdict, search_verdict};

/// The rules behind a game, where they are written in Python.
pub fn behind(game: &dyn AnyGame) -> Option<&PyRules> {
    let game: &dyn Any = game;
    game.downcast_ref::<Adapter<PyRules>>().map(Adapter::rules)
}

/// Everything that can be asked of the rules.
fn adapter(rules: PyRules) -> Adapter<PyRules> {
    let evaluated = rules.has_evaluation();
    // An object of this process cannot be on other machines.
    let adapter = Adapter::on_one_machine(rules);
    if evaluated { adapter.with_search() } else { adapter }
}

/// The game of these rules.
#[inline(never)]
pub fn game(rules: PyRules) -> Arc<dyn AnyGame> {
    adapter(rules).into()
}

/// A registry with the game of these rules.
#[inline(never)]
pub fn registered(registry: Registry, rules: PyRules) -> Registry {
    registry.with(adapter(rules))
}

/// Whether the rules keep the laws of all games.
#[inline(never)]
pub fn verdict(rules: &PyRules, effort: Effort) -> Verdict {
    game_verdict(rules, effort, |_| Vec::new())?;
    if rules.has_evaluation() { search_verdict(rules, effort) } else { Ok(()) }
}
