//! Statistics of played games, and ways to put more of them into the book.

use super::game;
use super::position::PositionQuery;
use crate::book::failure;
use crate::error::Problem;
use crate::extract::{Json as Body, Path, Query};
use crate::jobs::{Job, JobView};
use crate::route::Route;
use crate::state::Shared;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use schemars::JsonSchema;
use serde::Deserialize;
use tabia_app::AnyGame;
use tabia_app::book::{BookFailure, BookView, Event, ImportRequest, QueryOptions, SelfplayRequest};
use tabia_app::search::PlayerSpec;

/// The most games of one self-play.
const MOST_GAMES: u64 = 10_000;
/// Remarks kept of one job.
const MOST_MESSAGES: usize = 20;

/// Which position.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatsQuery {
    /// Any text or code the game knows, or the name of an opening or board; the start when left out.
    pos: Option<String>,
    /// The format `pos` is in, when it is to be that one alone.
    format: Option<String>,
    /// Moves to play from there, separated by commas.
    play: Option<String>,
    /// Moves played in fewer games are left out; 1 when left out.
    min_games: Option<u64>,
}

/// A finished game.
#[derive(Debug, Deserialize, serde::Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GameRecord {
    /// What tells this game from others; without it the same moves are the same game.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Where it started; the start position when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// Its moves.
    moves: Vec<String>,
    /// 0, 1 or `draw`; left out, the end of the game tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Winner>,
}

/// Who won.
#[derive(Debug, Deserialize, serde::Serialize, JsonSchema)]
#[serde(untagged)]
enum Winner {
    /// Player 0 or 1.
    Player(u8),
    /// `draw`.
    Word(String),
}

/// Games of the engine against itself.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Selfplay {
    /// How many.
    games: u64,
    /// Where they start.
    pos: Option<String>,
    /// `random`, `greedy`, `depth=4`, `nodes=10000`, `mcts=1000` or `time=50ms`; `random` when left out.
    player: Option<String>,
    /// Random plies at the beginning of each game; 4 when left out.
    opening_plies: Option<u32>,
    /// Where the randomness starts.
    #[serde(default)]
    seed: u64,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/api/v1/games/{game}/stats",
            "getStats",
            "What happened in played games: for the position and for each move.",
            get(stats),
        )
        .query::<StatsQuery>()
        .answers::<BookView>()
        .problems(&[400, 404, 413, 422, 503]),
        Route::new(
            "post",
            "/api/v1/games/{game}/records",
            "recordGames",
            "Puts finished games into the book: one as JSON, or many as PGN, PDN, ACF or JSON lines.",
            post(records),
        )
        .body::<GameRecord>()
        .raw_body("application/x-ndjson")
        .raw_body("application/x-chess-pgn")
        .raw_body("text/plain")
        .status(202)
        .answers::<JobView>()
        .problems(&[400, 404, 413, 415, 422, 429, 503]),
        Route::new(
            "post",
            "/api/v1/games/{game}/selfplay",
            "selfplay",
            "Lets the engine play games against itself into the book.",
            post(selfplay),
        )
        .body::<Selfplay>()
        .status(202)
        .answers::<JobView>()
        .problems(&[400, 404, 413, 415, 422, 429, 503]),
    ]
}

async fn stats(
    State(server): State<Shared>,
    Path(id): Path<String>,
    Query(StatsQuery { pos, format, play, min_games }): Query<StatsQuery>,
) -> Result<Json<BookView>, Problem> {
    let position = PositionQuery::new(pos, format, play).position(id, &server).await?;
    let book = server.book.clone();
    let options = QueryOptions { min_games: min_games.unwrap_or(1), ..QueryOptions::default() };
    let work = move |_: &_| position.book()?.query(book.reader()?, options).map_err(failure);
    server.work.run(work).await?.map(Json)
}

fn accepted(job: &Job) -> Response {
    let place = format!("/api/v1/jobs/{}", job.view().id);
    (StatusCode::ACCEPTED, [(header::LOCATION, place)], Json(job.view())).into_response()
}

/// Runs a job on a thread of its own, and notes how it ended.
fn begin(
    server: &Shared,
    about: String,
    work: impl FnOnce(&Job) -> Result<(), Problem> + Send + 'static,
) -> Result<Job, Problem> {
    let place = server.work.place()?;
    let job = server.jobs.begin(about);
    let mine = job.clone();
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let ended = work(&mine);
        mine.update(|view| match ended {
            Ok(()) => view.status = "done",
            Err(problem) => {
                view.status = "failed";
                view.messages.push(problem.detail);
            }
        });
    });
    Ok(job)
}

async fn selfplay(
    State(server): State<Shared>,
    Path(id): Path<String>,
    Body(request): Body<Selfplay>,
) -> Result<Response, Problem> {
    let game = game(&id)?;
    server.book.store()?;
    if !(1..=MOST_GAMES).contains(&request.games) {
        let detail = format!("{} games are not between 1 and {MOST_GAMES}", request.games);
        return Err(Problem::new(StatusCode::BAD_REQUEST, detail));
    }
    let player: PlayerSpec = request.player.as_deref().unwrap_or("random").parse()?;
    let request = SelfplayRequest {
        pos: request.pos,
        games: request.games,
        player,
        opening_plies: request.opening_plies.unwrap_or(4).min(100),
        seed: request.seed,
        threads: 1,
    };
    let book = server.book.clone();
    let about = format!("{} games of {} by {}", request.games, game.id(), request.player);
    let job = begin(&server, about, move |job| {
        let mut told = |view: &tabia_app::book::SelfplayView| {
            job.update(|known| {
                known.games = view.games;
                known.positions = view.plies;
            });
        };
        game.book()?.selfplay(book.store()?, &request, &mut told, &job.stop).map(drop).map_err(failure)
    })?;
    Ok(accepted(&job))
}

async fn records(
    State(server): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let game = game(&id)?;
    server.book.store()?;
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match media.split(';').next().unwrap_or_default().trim() {
        "application/json" => one_record(&server, game, &body).await,
        "application/x-ndjson" | "application/jsonl" => many_records(&server, game, "jsonl", body),
        "application/x-chess-pgn" | "text/plain" | "application/octet-stream" => {
            let kinds = game.book()?.import_kinds();
            let kind = kinds.first().map_or("jsonl", |(kind, _)| kind);
            many_records(&server, game, kind, body)
        }
        other => {
            let detail = format!(
                "games are not read from {other:?} but from application/json, application/x-ndjson, application/x-chess-pgn or text/plain"
            );
            Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail))
        }
    }
}

async fn one_record(server: &Shared, game: &'static dyn AnyGame, body: &[u8]) -> Result<Response, Problem> {
    let record: GameRecord = serde_json::from_slice(body).map_err(|error| {
        Problem::new(StatusCode::BAD_REQUEST, format!("the game cannot be read: {error}"))
    })?;
    let text = serde_json::to_string(&record).unwrap_or_default();
    let (book, job) = (server.book.clone(), server.jobs.begin(format!("one game of {}", game.id())));
    let recorded = server.work.run(move |_| game.book()?.record(book.store()?, &text).map_err(failure)).await;
    let recorded = recorded.and_then(|recorded| recorded);
    job.update(|view| view.status = if recorded.is_ok() { "done" } else { "failed" });
    let recorded = recorded?;
    job.update(|view| {
        view.games = u64::from(recorded.counted);
        view.positions = if recorded.counted { recorded.plies as u64 } else { 0 };
        if !recorded.counted {
            view.messages.push("this game had been counted before".to_owned());
        }
    });
    Ok(accepted(&job))
}

/// Imports read files, so the body becomes one until it has been read.
fn many_records(
    server: &Shared,
    game: &'static dyn AnyGame,
    kind: &str,
    body: Bytes,
) -> Result<Response, Problem> {
    let (book, kind) = (server.book.clone(), kind.to_owned());
    let job = begin(server, format!("games of {} as {kind}", game.id()), move |job| {
        let no_file =
            |error: std::io::Error| Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string());
        let file = tempfile::NamedTempFile::new().map_err(no_file)?;
        std::fs::write(file.path(), &body).map_err(no_file)?;
        let request = ImportRequest {
            files: vec![file.path().to_path_buf()],
            kind: Some(kind),
            threads: 1,
            ..ImportRequest::default()
        };
        let told = |event: Event<'_>| match event {
            Event::Progress(_) => {}
            Event::Bad(bad) => job.update(|view| {
                if view.messages.len() < MOST_MESSAGES {
                    view.messages.push(format!("game {}, line {}: {}", bad.number, bad.line, bad.reason));
                }
            }),
        };
        let import = game.book()?.import(book.store()?, &request, &told, &job.stop);
        let report = import.map_err(|error: BookFailure| failure(error))?;
        job.update(|view| {
            view.games = report.games;
            view.positions = report.plies;
        });
        Ok(())
    })?;
    Ok(accepted(&job))
}
