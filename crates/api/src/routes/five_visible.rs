//! 5-Visible in the shapes of its public design, for clients that were written to it: a new game, a move
//! on a board view, and the winner of a match with its (board, move) hashcodes.

use crate::answer::Answer;
use crate::book::failure;
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tabia_app::protocol::five_visible::{self, WireBoard};

/// The most plays of one match: a game of 200 plies is drawn.
const MOST_PLAYS: usize = 200;

/// Who begins.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct NewGame {
    /// 0 or 1.
    #[schemars(range(max = 1))]
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
    #[schemars(range(max = 2))]
    winner: u8,
    /// Every play of the match, the first first.
    #[schemars(length(min = 1, max = MOST_PLAYS))]
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
fn refuse(problem: Problem) -> Answer {
    let status = if problem.status < 500 { 400 } else { 503 };
    Answer::json(status, &ErrorResponse { error_code: problem.status, message: problem.detail })
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/api/5visible/games", "fiveVisibleNewGame", "5-Visible: a new game.", new_game)
            .query::<NewGame>()
            .answers::<WireBoard>()
            .problems_as::<ErrorResponse>(&[400], refuse),
        Route::new("patch", "/api/5visible/games", "fiveVisiblePlay", "5-Visible: a move on a board.", play)
            .query::<PlayQuery>()
            .body::<WireBoard>()
            .answers::<WireBoard>()
            .problems_as::<ErrorResponse>(&[400], refuse),
        Route::new(
            "post",
            "/api/5visible/stats",
            "fiveVisibleRecord",
            "5-Visible: the winner of a match, with all its (board, move) hashcodes.",
            record,
        )
        .writes()
        .long(|_| true)
        .query::<StatsQuery>()
        .body::<WinningStats>()
        .status(204)
        .problems_as::<ErrorResponse>(&[400, 503], refuse),
    ]
}

fn new_game(call: &Call<'_>) -> Result<Answer, Problem> {
    let query: NewGame = call.query()?;
    Ok(Answer::json(200, &five_visible::new_game(query.first_turn)?))
}

fn play(call: &Call<'_>) -> Result<Answer, Problem> {
    let query: PlayQuery = call.query()?;
    let board: WireBoard = call.json()?;
    Ok(Answer::json(200, &five_visible::play(&board, query.from_stack, query.to_stack)?))
}

fn record(call: &Call<'_>) -> Result<Answer, Problem> {
    call.query::<StatsQuery>()?;
    let stats: WinningStats = call.json()?;
    if stats.plays.len() > MOST_PLAYS {
        let detail =
            format!("{} plays are more than the {MOST_PLAYS} of the longest match", stats.plays.len());
        return Err(Problem::new(400, detail));
    }
    let game = call.api.game("five-visible")?;
    let json = five_visible::record(stats.winner, &pairs(&stats))?;
    game.book()?.record(call.api.book.store()?, &json).map_err(failure)?;
    Ok(Answer::empty(204))
}

fn pairs(stats: &WinningStats) -> Vec<(u64, u16)> {
    stats.plays.iter().map(|play| (play.board_hashcode, play.move_hashcode)).collect()
}
