//! The routes of the API, a file for each subject.

mod analyses;
mod annotations;
mod arrange;
mod codes;
mod five_visible;
mod games;
mod health;
mod jobs;
mod position;
mod recognise;
mod reports;
mod solve;
mod stats;

use crate::problem::Problem;
use crate::request::Request;
use crate::route::Route;
use tabia_app::AnyGame;

/// All routes.
pub(crate) fn all() -> Vec<Route> {
    let all = [
        games::routes(),
        position::routes(),
        recognise::routes(),
        codes::routes(),
        solve::routes(),
        stats::routes(),
        jobs::routes(),
        analyses::routes(),
        annotations::routes(),
        reports::routes(),
        arrange::routes(),
        five_visible::routes(),
        health::routes(),
    ];
    all.into_iter().flatten().collect()
}

/// Requests with many moves take longer than others.
fn has_many_moves(request: &Request) -> bool {
    request.query.len() + request.body.len() > 512
}

/// A refusal because the game does not have what was asked.
fn unsupported(game: &dyn AnyGame, what: &str) -> Problem {
    Problem::new(501, format!("{} has no {what}", game.view().name))
}
