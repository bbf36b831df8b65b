//! The routes of the API, a file for each subject.

mod analyses;
mod codes;
mod five_visible;
mod games;
mod health;
mod jobs;
mod position;
mod solve;
mod stats;

use crate::error::Problem;
use crate::games::registry;
use crate::route::Route;
use axum::http::StatusCode;
use tabia_app::{AnyGame, InputError};

/// All routes.
pub(crate) fn routes() -> Vec<Route> {
    let all = [
        games::routes(),
        position::routes(),
        codes::routes(),
        solve::routes(),
        stats::routes(),
        jobs::routes(),
        analyses::routes(),
        five_visible::routes(),
        health::routes(),
    ];
    all.into_iter().flatten().collect()
}

/// The game with exactly this name: addresses are kept, so beginnings of names are not enough.
fn game(id: &str) -> Result<&'static dyn AnyGame, Problem> {
    match registry().find(id) {
        Ok(game) if game.id() == id => Ok(game),
        Ok(game) => Err(Problem::unknown(format!("no game is called {id:?}; did you mean {}?", game.id()))),
        Err(error) => Err(error.into()),
    }
}

/// A refusal because the game does not have what was asked.
fn unsupported(game: &dyn AnyGame, what: &str) -> Problem {
    Problem::new(StatusCode::NOT_IMPLEMENTED, format!("{} has no {what}", game.view().name))
}

/// The error of the text form, unless one of the game's codes reads the text.
fn read_any(game: &dyn AnyGame, text: &str) -> Result<Box<dyn tabia_app::AnyPosition>, InputError> {
    let error = match game.parse(text) {
        Ok(position) => return Ok(position),
        Err(error) => error,
    };
    let formats = game.view().formats.into_iter().filter(|format| format.reversible && format.id != "text");
    formats.into_iter().find_map(|format| game.decode(text, &format.id).ok()).ok_or(error)
}
