//! Analyses: begun, listened to, ended.

use super::position::PositionQuery;
use crate::analyses::Analysis;
use crate::answer::{Answer, Body};
use crate::api::Limits;
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tabia_app::search::{Method, SearchRequest, SearchView, Strength};

/// The most lines that can be asked for.
const MOST_LINES: usize = 8;
/// Reports come no faster than this, so that the first plies do not flood anybody.
const PACE: Duration = Duration::from_millis(40);

/// What to analyse.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AnalysisRequest {
    /// The game.
    game: String,
    /// Any text or code the game knows; the start when left out.
    pos: Option<String>,
    /// Moves to play from there, separated by commas.
    play: Option<String>,
    /// When to end.
    #[serde(default)]
    limits: AnalysisLimits,
    /// How many best lines to find, 1 to 8; 1 when left out.
    #[schemars(range(min = 1, max = MOST_LINES))]
    lines: Option<usize>,
    /// `alphabeta`, `mcts` or `proof`; the best the game has when left out.
    method: Option<String>,
    /// Where the randomness of `mcts` starts.
    #[serde(default)]
    seed: u64,
}

/// When an analysis ends; without any limit, when nobody listens any more.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AnalysisLimits {
    /// Seconds.
    #[schemars(range(min = 0))]
    time: Option<f64>,
    /// Plies to look ahead.
    depth: Option<u32>,
    /// Positions, or playouts.
    nodes: Option<u64>,
    /// Plays like one of the levels for people, 1 to 10: the best move as far as that level can tell.
    #[schemars(range(min = *Strength::LEVELS.start(), max = *Strength::LEVELS.end()))]
    level: Option<usize>,
}

/// An analysis that has begun.
#[derive(Serialize, JsonSchema)]
pub(super) struct AnalysisBegun {
    /// Its number.
    pub(super) id: u64,
    /// Where to listen.
    pub(super) events: String,
}

/// An event as it is sent.
#[derive(JsonSchema)]
#[schemars(rename = "AnalysisEvent")]
#[allow(dead_code)] // The transport writes it; this is its description.
struct SentEvent {
    /// `report`, then `done` or `failed`.
    event: &'static str,
    /// JSON: of `report` a `SearchView` (an `AnnotationView` where a game is looked at), of `failed` a `Problem`.
    data: String,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("post", "/api/v1/analyses", "beginAnalysis", "Begins an analysis.", begin)
            .long(super::has_many_moves)
            .body::<AnalysisRequest>()
            .status(201)
            .answers::<AnalysisBegun>()
            .problems(&[400, 404, 413, 415, 422, 429, 501]),
        Route::new(
            "get",
            "/api/v1/analyses/{id}/events",
            "followAnalysis",
            "What an analysis finds: events `report`, then `done` or `failed`; as lines of JSON on request.",
            follow,
        )
        .streams::<SentEvent>("text/event-stream")
        .streams::<SearchView>("application/x-ndjson")
        .problems(&[404]),
        Route::new("delete", "/api/v1/analyses/{id}", "endAnalysis", "Ends an analysis.", end)
            .status(204)
            .problems(&[404]),
    ]
}

impl AnalysisRequest {
    fn search(&self, game: &str, most: &Limits) -> Result<SearchRequest, Problem> {
        let longest = most.analysis_time;
        let lines = self.lines.unwrap_or(1);
        if !(1..=MOST_LINES).contains(&lines) {
            let detail = format!("{lines} lines are not between 1 and {MOST_LINES}");
            return Err(Problem::new(400, detail));
        }
        if let Some(level) = self.limits.level.filter(|level| !Strength::LEVELS.contains(level)) {
            let (least, most) = Strength::LEVELS.into_inner();
            return Err(Problem::new(400, format!("level {level} is not between {least} and {most}")));
        }
        let method = self.method.as_deref().map(str::parse::<Method>).transpose()?;
        let wrong = |time: f64| format!("time is {time}, which is no number of seconds");
        let time = match self.limits.time {
            None => longest,
            Some(time) => Duration::try_from_secs_f64(time).map_err(|_| Problem::new(400, wrong(time)))?,
        };
        Ok(SearchRequest {
            method,
            time: Some(time.min(longest)),
            depth: self.limits.depth,
            nodes: self.limits.nodes,
            hash_bytes: most.analysis_memory,
            lines,
            seed: self.seed,
            strength: self.limits.level.map(|level| Strength::of_level(game, level)),
            ..SearchRequest::default()
        })
    }
}

fn begin(call: &Call<'_>) -> Result<Answer, Problem> {
    let request: AnalysisRequest = call.json()?;
    let game = call.api.game(&request.game)?;
    let search = request.search(game.id(), &call.api.limits)?;
    if game.view().players != 2 {
        return Err(super::unsupported(&*game, "engine: it is a puzzle, and has a solver"));
    }
    let query = PositionQuery::new(request.pos, None, request.play);
    let position = query.position(game.id(), call.api)?;
    let id = game.id().to_owned();
    let work = move |analysis: &Analysis| {
        analysis.tell(&*game, PACE, |told| Ok(position.search()?.search(&search, &analysis.stop, told)?));
    };
    let analysis = call.api.analyses.begin(work)?;
    tracing::info!(id = analysis.id, game = id, "analysis begun");
    let id = analysis.id;
    let begun = AnalysisBegun { id, events: format!("/api/v1/analyses/{id}/events") };
    Ok(Answer::json(201, &begun).with("location", format!("/api/v1/analyses/{id}")))
}

fn follow(call: &Call<'_>) -> Result<Answer, Problem> {
    let events = call.api.analyses.listen(call.number()?)?;
    let as_lines = call.request.accept.contains("application/x-ndjson");
    let media = if as_lines { "application/x-ndjson" } else { "text/event-stream" };
    Ok(Answer { status: 200, media, headers: Vec::new(), body: Body::Events(events) })
}

fn end(call: &Call<'_>) -> Result<Answer, Problem> {
    call.api.analyses.stop(call.number()?)?;
    Ok(Answer::empty(204))
}
