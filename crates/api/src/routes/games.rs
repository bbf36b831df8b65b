//! The games and what they are.

use crate::answer::Answer;
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::Serialize;
use tabia_app::views::{BoardView, GameView};

/// All games.
#[derive(Serialize, JsonSchema)]
struct Games {
    /// In the order of the registry.
    games: Vec<GameView>,
}

/// A game and its board.
#[derive(Serialize, JsonSchema)]
struct Game {
    #[serde(flatten)]
    game: GameView,
    /// The board of the default position.
    board: BoardView,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/api/v1/games", "listGames", "The games.", list).answers::<Games>(),
        Route::new(
            "get",
            "/api/v1/games/{game}",
            "getGame",
            "A game: rules in short, notation, openings and boards, geometry.",
            one,
        )
        .answers::<Game>()
        .problems(&[404]),
    ]
}

#[allow(clippy::unnecessary_wraps)] // Handlers can fail.
fn list(call: &Call<'_>) -> Result<Answer, Problem> {
    let games = call.api.registry.games().map(tabia_app::AnyGame::view).collect();
    Ok(Answer::json(200, &Games { games }))
}

fn one(call: &Call<'_>) -> Result<Answer, Problem> {
    let game = call.api.game(call.part())?;
    Ok(Answer::json(200, &Game { game: game.view(), board: game.start().board() }))
}
