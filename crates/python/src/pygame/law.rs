//! `tabia.check`: the law suite for an inventor's game.

use super::class::rules_of;
use crate::run;
use pyo3::prelude::*;
use tabia_core::Game;
use tabia_python_game::{PyRules, law_error, verdict};
use tabia_testkit::laws::{Effort, Verdict};

/// Plays random games and asks in every position whether the laws of all games hold there. The first that does not
/// is raised as `LawError`, with the law and the position; an exception of the game itself is raised as it is.
#[pyfunction]
#[pyo3(signature = (game, /, *, games=12, plies=120, seed=0x7ab1a))]
pub(crate) fn check(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    games: u32,
    plies: u32,
    seed: u64,
) -> PyResult<()> {
    // Rules of its own: what other calls remember and are told is left alone.
    let rules = PyRules::new(rules_of(game)?.object(py))?;
    rules.be_careful();
    let effort = Effort { games, plies, seed };
    let call = rules.enter();
    let found = suite(py, &rules, effort);
    call.leave(py)?;
    found?.map_err(|broken| law_error(py, rules.id(), broken.law, broken.details))
}

/// Runs the laws without the interpreter. After Ctrl-C the rules say nothing more, which ends them.
fn suite(py: Python<'_>, rules: &PyRules, effort: Effort) -> PyResult<Verdict> {
    run::interruptible(py, rules.switch(), || verdict(rules, effort))
}
