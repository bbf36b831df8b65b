//! The puzzles that come with the program.

use crate::answer::Answer;
use crate::problem::Problem;
use crate::route::{Call, Route};
use tabia_app::puzzles::{PuzzleListView, PuzzleView};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/api/v1/games/{game}/puzzles",
            "listPuzzles",
            "The puzzles of a game, the easiest first, without their solutions.",
            list,
        )
        .answers::<PuzzleListView>()
        .problems(&[404]),
        Route::new(
            "get",
            "/api/v1/games/{game}/puzzles/{id}",
            "getPuzzle",
            "A puzzle with its solution, and how that was verified.",
            one,
        )
        .answers::<PuzzleView>()
        .problems(&[404]),
    ]
}

fn list(call: &Call<'_>) -> Result<Answer, Problem> {
    Ok(Answer::json(200, &call.api.game(call.part())?.puzzles().shipped().list()))
}

fn one(call: &Call<'_>) -> Result<Answer, Problem> {
    let (game, id) = (call.api.game(call.part())?, call.second_part());
    let unknown = || Problem::unknown(format!("{} has no puzzle {id:?}", game.view().name));
    let puzzle = game.puzzles().shipped().find(id).ok_or_else(unknown)?;
    Ok(Answer::json(200, &PuzzleView::from(puzzle)))
}
