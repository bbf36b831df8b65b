//! 5-Visible in the shapes of its public design, for clients that were written to it: a new game, a move
//! on a board view, and the winner of a match with its (board, move) hashcodes.

use crate::book::failure;
use crate::error::Problem;
use crate::extract::{Json as Body, Query};
use crate::games::registry;
use crate::route::Route;
use crate::state::Shared;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, patch, post};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tabia_app::protocol::five_visible::{self, BoardView};

/// The most plays of one match: a game of 200 plies is drawn.
const MOST_PLAYS: usize = 200;

/// Who begins.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct NewGame {
    /// 0 or 1.
    first_turn: u8,
    /// Read and ignored.
    #[serde(rename = "api-version")]
    _api_version: Option<String>,
}

/// Which brick goes where.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PlayQuery {
    /// The stack it is drawn from, or 9 for the player's stash.
    from_stack: i64,
    /// The stack it lands on; an id that no stack has is an empty position.
    to_stack: i64,
    /// Read and ignored.
    #[serde(rename = "api-version")]
    _api_version: Option<String>,
}

/// Nothing but a version.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatsQuery {
    /// Read and ignored.
    #[serde(rename = "api-version")]
    _api_version: Option<String>,
}

/// A match that was won.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "FiveVisibleMatch")]
#[serde(deny_unknown_fields)]
struct WinningStats {
    /// 0 or 1, or 2 for nobody.
    winner: u8,
    /// Every play of the match, the first first.
    plays: Vec<Play>,
}

/// A move on a board.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "FiveVisiblePlay")]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Play {
    /// The board before the move.
    board_hashcode: u64,
    /// The move.
    move_hashcode: u16,
}

/// An error in the shape of the public design.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FiveVisibleError")]
#[serde(rename_all = "kebab-case")]
struct ErrorResponse {
    /// What kind of mistake it was: the status the other routes would answer with.
    error_code: u16,
    /// What is wrong, in a sentence.
    message: String,
}

/// The design knows one status for every mistake of a client.
struct Refusal(Problem);

impl<T: Into<Problem>> From<T> for Refusal {
    fn from(problem: T) -> Self {
        Refusal(problem.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status =
            if self.0.status < 500 { StatusCode::BAD_REQUEST } else { StatusCode::SERVICE_UNAVAILABLE };
        let error = ErrorResponse { error_code: self.0.status, message: self.0.detail };
        (status, Json(error)).into_response()
    }
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/api/5visible/games",
            "fiveVisibleNewGame",
            "5-Visible: a new game.",
            get(new_game),
        )
        .query::<NewGame>()
        .answers::<BoardView>()
        .problems_as::<ErrorResponse>(&[400]),
        Route::new(
            "patch",
            "/api/5visible/games",
            "fiveVisiblePlay",
            "5-Visible: a move on a board.",
            patch(play),
        )
        .query::<PlayQuery>()
        .body::<BoardView>()
        .answers::<BoardView>()
        .problems_as::<ErrorResponse>(&[400]),
        Route::new(
            "post",
            "/api/5visible/stats",
            "fiveVisibleRecord",
            "5-Visible: the winner of a match, with all its (board, move) hashcodes.",
            post(record),
        )
        .query::<StatsQuery>()
        .body::<WinningStats>()
        .status(204)
        .problems_as::<ErrorResponse>(&[400, 503]),
    ]
}

async fn new_game(query: Result<Query<NewGame>, Problem>) -> Result<Json<BoardView>, Refusal> {
    Ok(Json(five_visible::new_game(query?.0.first_turn)?))
}

async fn play(
    query: Result<Query<PlayQuery>, Problem>,
    board: Result<Body<BoardView>, Problem>,
) -> Result<Json<BoardView>, Refusal> {
    let query = query?.0;
    Ok(Json(five_visible::play(&board?.0, query.from_stack, query.to_stack)?))
}

async fn record(
    State(server): State<Shared>,
    query: Result<Query<StatsQuery>, Problem>,
    stats: Result<Body<WinningStats>, Problem>,
) -> Result<StatusCode, Refusal> {
    query?;
    let stats = stats?.0;
    if stats.plays.len() > MOST_PLAYS {
        let detail =
            format!("{} plays are more than the {MOST_PLAYS} of the longest match", stats.plays.len());
        return Err(Problem::new(StatusCode::BAD_REQUEST, detail).into());
    }
    let game = registry().find("five-visible")?;
    let json = five_visible::record(stats.winner, &pairs(&stats))?;
    let book = server.book.clone();
    server.work.run(move |_| game.book()?.record(book.store()?, &json).map_err(failure)).await??;
    Ok(StatusCode::NO_CONTENT)
}

fn pairs(stats: &WinningStats) -> Vec<(u64, u16)> {
    stats.plays.iter().map(|play| (play.board_hashcode, play.move_hashcode)).collect()
}
