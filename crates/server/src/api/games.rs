//! The games and what they are.

use super::game;
use crate::error::Problem;
use crate::extract::Path;
use crate::games::registry;
use crate::route::Route;
use axum::Json;
use axum::routing::get;
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
        Route::new("get", "/api/v1/games", "listGames", "The games.", get(list)).answers::<Games>(),
        Route::new(
            "get",
            "/api/v1/games/{game}",
            "getGame",
            "A game: rules in short, notation, openings and boards, geometry.",
            get(one),
        )
        .answers::<Game>()
        .problems(&[404]),
    ]
}

async fn list() -> Json<Games> {
    Json(Games { games: registry().games().map(tabia_app::AnyGame::view).collect() })
}

async fn one(Path(id): Path<String>) -> Result<Json<Game>, Problem> {
    let game = game(&id)?;
    Ok(Json(Game { game: game.view(), board: game.start().board() }))
}
