//! Statistics of played games, and ways to put more of them into the book.

use super::position::PositionQuery;
use crate::answer::Answer;
use crate::book::{Book, failure};
use crate::host::Host;
use crate::jobs::{Job, JobView};
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use tabia_app::book::{
    BadGame, BookView, Event, GameFilter, ImportRequest, Keep, QueryOptions, SelfplayRequest, Side,
};
use tabia_app::search::PlayerSpec;
use tabia_app::{AnyGame, GameText, Outcome, Progress, Watch};

/// The most games of one self-play.
const MOST_GAMES: u64 = 10_000;
/// Sample games that are listed when nothing else is said, and the most.
const SAMPLES: usize = 8;
const MOST_SAMPLES: usize = 100;
/// Tags that are kept of games that are sent, when nothing else is said, and the most.
const KEPT_TAGS: [&str; 4] = ["White", "Black", "Event", "Date"];
const MOST_TAGS: usize = 16;
/// Remarks kept of one job.
const MOST_MESSAGES: usize = 20;
/// One game as JSON is counted before it is answered.
const JSON: &str = "application/json";

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
    /// How many sample games to list, where the book keeps tags; 8 when left out, 100 at most.
    #[schemars(range(max = MOST_SAMPLES))]
    samples: Option<usize>,
    /// Only games that ended like this: `1-0` (player 0 won), `0-1` or `1/2-1/2`.
    result: Option<String>,
    /// Only games of a player whose name contains this.
    player: Option<String>,
    /// Only games of this year or later.
    from: Option<u16>,
    /// Only games of this year or earlier.
    to: Option<u16>,
    /// `no` leaves out self-play, and all games that the book keeps nothing but counts of.
    selfplay: Option<String>,
}

impl StatsQuery {
    /// Which kept games count; `None` for all games.
    fn filter(&self) -> Result<Option<GameFilter>, Problem> {
        let outcome = match self.result.as_deref() {
            None => None,
            Some("1-0") => Some(Outcome::Win(Side::First)),
            Some("0-1") => Some(Outcome::Win(Side::Second)),
            Some("1/2-1/2") => Some(Outcome::Draw),
            Some(other) => {
                return Err(Problem::new(400, format!("{other:?} is no result: 1-0, 0-1 or 1/2-1/2")));
            }
        };
        let named_only = match self.selfplay.as_deref() {
            None | Some("yes") => false,
            Some("no") => true,
            Some(other) => return Err(Problem::new(400, format!("selfplay is yes or no, not {other:?}"))),
        };
        let (player, from, to) = (self.player.clone(), self.from, self.to);
        let filter = GameFilter { outcome, player, from, to, without_selfplay: named_only };
        Ok((filter != GameFilter::default()).then_some(filter))
    }
}

/// What is kept of the games of a file beside their counts.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct KeepQuery {
    /// The names of the tags, separated by commas; White, Black, Event and Date when left out, none when empty.
    tags: Option<String>,
    /// `no` leaves out the moves: the games can be listed then, but not shown.
    moves: Option<String>,
}

impl KeepQuery {
    fn keep(&self) -> Result<Keep, Problem> {
        let moves = match self.moves.as_deref() {
            None | Some("yes") => true,
            Some("no") => false,
            Some(other) => return Err(Problem::new(400, format!("moves is yes or no, not {other:?}"))),
        };
        let Some(tags) = &self.tags else {
            return Ok(Keep { tags: KEPT_TAGS.map(str::to_owned).to_vec(), moves });
        };
        let tags: Vec<String> =
            tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
        if tags.len() > MOST_TAGS {
            return Err(Problem::new(400, format!("{} tags are more than {MOST_TAGS}", tags.len())));
        }
        Ok(Keep { tags, moves })
    }
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
    #[schemars(range(min = 1, max = MOST_GAMES))]
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
            stats,
        )
        .long(|_| true)
        .query::<StatsQuery>()
        .answers::<BookView>()
        .problems(&[400, 404, 413, 422, 503]),
        Route::new(
            "post",
            "/api/v1/games/{game}/records",
            "recordGames",
            "Puts finished games into the book: one as JSON, or many as PGN, PDN, ACF or JSON lines.",
            records,
        )
        .writes()
        .long(|request| request.media_type() == JSON)
        .query::<KeepQuery>()
        .body::<GameRecord>()
        .raw_body("application/x-ndjson")
        .raw_body("application/x-chess-pgn")
        .raw_body("text/plain")
        .status(202)
        .answers::<JobView>()
        .problems(&[400, 404, 413, 415, 422, 429, 503]),
        Route::new(
            "get",
            "/api/v1/games/{game}/records/{id}",
            "getRecord",
            "A game that the book kept with its moves, by the id that `getStats` lists.",
            one_kept,
        )
        .long(|_| true)
        .answers::<GameText>()
        .problems(&[404, 422, 503]),
        Route::new(
            "post",
            "/api/v1/games/{game}/selfplay",
            "selfplay",
            "Lets the engine play games against itself into the book.",
            selfplay,
        )
        .writes()
        .body::<Selfplay>()
        .status(202)
        .answers::<JobView>()
        .problems(&[400, 404, 413, 415, 422, 429, 503]),
    ]
}

fn stats(call: &Call<'_>) -> Result<Answer, Problem> {
    let query: StatsQuery = call.query()?;
    let filter = query.filter()?;
    let samples = query.samples.unwrap_or(SAMPLES);
    if samples > MOST_SAMPLES {
        return Err(Problem::new(400, format!("{samples} sample games are more than {MOST_SAMPLES}")));
    }
    let StatsQuery { pos, format, play, min_games, .. } = query;
    let position = PositionQuery::new(pos, format, play).position(call.part(), call.api)?;
    let options = QueryOptions { min_games: min_games.unwrap_or(1), ..QueryOptions::default() };
    let (book, reader) = (position.book()?, call.api.book.reader()?);
    let view = book.query_games(reader, options, filter.as_ref(), samples).map_err(failure)?;
    Ok(Answer::json(200, &view))
}

fn one_kept(call: &Call<'_>) -> Result<Answer, Problem> {
    let game = call.api.game(call.part())?;
    let kept = game.book()?.kept(call.api.book.reader()?, call.second_part());
    Ok(Answer::json(200, &kept.map_err(failure)?))
}

fn accepted(job: &Job) -> Answer {
    let view = job.view();
    Answer::json(202, &view).with("location", format!("/api/v1/jobs/{}", view.id))
}

fn selfplay(call: &Call<'_>) -> Result<Answer, Problem> {
    let request: Selfplay = call.json()?;
    let game = call.api.game(call.part())?;
    call.api.book.store()?;
    if !(1..=MOST_GAMES).contains(&request.games) {
        let detail = format!("{} games are not between 1 and {MOST_GAMES}", request.games);
        return Err(Problem::new(400, detail));
    }
    let player: PlayerSpec = request.player.as_deref().unwrap_or("random").parse()?;
    let request = SelfplayRequest {
        pos: request.pos,
        games: request.games,
        player,
        opening_plies: request.opening_plies.unwrap_or(4).min(100),
        seed: request.seed,
        threads: 1,
        keep: call.api.book.store()?.keeps_games(),
    };
    let (book, host) = (call.api.book.clone(), Arc::clone(&call.api.host));
    let about = format!("{} games of {} by {}", request.games, game.id(), request.player);
    let job = call.api.jobs.begin(call.api.host.as_ref(), about, move |job| {
        let told = |now: &Progress| {
            host.progress(now);
            job.update(|known| known.games = now.done);
        };
        let watch = Watch { stop: &job.stop, progress: &told };
        let played = game.book()?.selfplay(book.store()?, &request, &watch).map_err(failure)?;
        job.update(|known| {
            known.games = played.games;
            known.positions = played.plies;
        });
        Ok(())
    })?;
    Ok(accepted(&job))
}

fn records(call: &Call<'_>) -> Result<Answer, Problem> {
    let game = call.api.game(call.part())?;
    call.query::<KeepQuery>()?.keep()?;
    call.api.book.store()?;
    match call.request.media_type().as_str() {
        JSON => one_record(call, game),
        "application/x-ndjson" | "application/jsonl" => many_records(call, game, "jsonl"),
        "application/x-chess-pgn" | "text/plain" | "application/octet-stream" => {
            let kinds = game.book()?.import_kinds();
            many_records(call, game, kinds.first().map_or("jsonl", |(kind, _)| kind))
        }
        other => {
            let detail = format!(
                "games are not read from {other:?} but from application/json, application/x-ndjson, application/x-chess-pgn or text/plain"
            );
            Err(Problem::new(415, detail))
        }
    }
}

fn one_record(call: &Call<'_>, game: Arc<dyn AnyGame>) -> Result<Answer, Problem> {
    let record: GameRecord = call.json()?;
    let text = serde_json::to_string(&record).unwrap_or_default();
    let recorded = game.book()?.record(call.api.book.store()?, &text).map_err(failure)?;
    let job = call.api.jobs.new_job(format!("one game of {}", game.id()));
    job.update(|view| {
        view.games = u64::from(recorded.counted);
        view.positions = if recorded.counted { recorded.plies as u64 } else { 0 };
        if !recorded.counted {
            view.messages.push("this game had been counted before".to_owned());
        }
    });
    job.end(Ok(()));
    Ok(accepted(&job))
}

/// Imports read files, so the body becomes one until it has been read.
fn many_records(call: &Call<'_>, game: Arc<dyn AnyGame>, kind: &str) -> Result<Answer, Problem> {
    let (book, host, kind) = (call.api.book.clone(), Arc::clone(&call.api.host), kind.to_owned());
    let (body, keep) = (call.request.body.clone(), call.query::<KeepQuery>()?.keep()?);
    let about = format!("games of {} as {kind}", game.id());
    let job = call.api.jobs.begin(call.api.host.as_ref(), about, move |job| {
        import(job, host.as_ref(), &*game, &book, (&kind, &body, keep))
    })?;
    Ok(accepted(&job))
}

fn import(
    job: &Job,
    host: &dyn Host,
    game: &dyn AnyGame,
    book: &Book,
    (kind, body, keep): (&str, &[u8], Keep),
) -> Result<(), Problem> {
    let store = book.store()?;
    // A store that keeps no games still counts.
    let keep = if store.keeps_games() { keep } else { Keep::default() };
    let file = host.file(body).map_err(|error| Problem::new(503, error.to_string()))?;
    let request = ImportRequest {
        files: vec![file.path.clone()],
        kind: Some(kind.to_owned()),
        threads: 1,
        keep,
        ..ImportRequest::default()
    };
    let message = |game: &BadGame, counted: &str| {
        job.update(|view| {
            if view.messages.len() < MOST_MESSAGES {
                let BadGame { number, line, reason, .. } = game;
                view.messages.push(format!("game {number}, line {line}: {counted}{reason}"));
            }
        });
    };
    let told = |event: Event<'_>| match event {
        Event::Progress(now) => host.progress(&now),
        Event::Bad(game) => message(game, ""),
        Event::Remark(game) => message(game, "counted, with a remark: "),
    };
    let report = game.book()?.import(store, &request, &told, &job.stop).map_err(failure)?;
    job.update(|view| {
        view.games = report.games;
        view.positions = report.plies;
    });
    Ok(())
}
