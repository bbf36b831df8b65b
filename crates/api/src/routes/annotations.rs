//! Played games looked at again, and written with what was found.

use crate::analyses::Analysis;
use crate::answer::Answer;
use crate::problem::Problem;
use crate::route::{Call, Route};
use crate::routes::analyses::AnalysisBegun;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tabia_app::annotate::{AnnotateRequest, AnnotationView, DEFAULT_NODES};
use tabia_app::{GameText, Instant, LineText};

/// The most nodes for one position.
const MOST_NODES: u64 = 10_000_000;
/// Reports come no faster than this: each tells everything so far.
const PACE: Duration = Duration::from_millis(250);

/// A game to look at.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AnnotationRequest {
    /// Where it starts: any text or name the game knows; the start position when left out.
    start: Option<String>,
    /// Its moves.
    moves: Vec<String>,
    /// Nodes of the engine for each position that is not known exactly; 100,000 when left out.
    #[schemars(range(min = 1, max = MOST_NODES))]
    nodes: Option<u64>,
}

/// A game to write.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WriteRequest {
    /// Where it starts; the start position when left out.
    start: Option<String>,
    /// Its moves with what is said about them.
    line: LineText,
    /// What is known about it: players, event, date.
    #[serde(default)]
    tags: std::collections::BTreeMap<String, String>,
    /// `1-0` when player 0 won, `0-1`, `1/2-1/2`; nothing while unknown.
    result: Option<String>,
    /// `pgn`, `pdn` or `jsonl`; the game's own kind when left out.
    format: Option<String>,
    /// What was found about it, to be written as marks and values.
    annotation: Option<AnnotationView>,
}

/// A game as a file.
#[derive(Serialize, JsonSchema)]
struct Written {
    /// The file.
    text: String,
    /// A name for it.
    name: String,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "post",
            "/api/v1/games/{game}/annotations",
            "annotateGame",
            "Looks at every position of a game; its events (`report`: an `AnnotationView`) are those of an analysis.",
            begin,
        )
        .long(super::has_many_moves)
        .body::<AnnotationRequest>()
        .status(202)
        .answers::<AnalysisBegun>()
        .problems(&[400, 404, 413, 415, 422, 429, 501]),
        Route::new(
            "post",
            "/api/v1/games/{game}/write",
            "writeGame",
            "A game as a file: PGN, PDN or a line of JSON, with comments, variations, marks and values.",
            write,
        )
        .long(super::has_many_moves)
        .body::<WriteRequest>()
        .answers::<Written>()
        .problems(&[400, 404, 413, 415, 422, 501]),
    ]
}

fn begin(call: &Call<'_>) -> Result<Answer, Problem> {
    let AnnotationRequest { start, moves, nodes } = call.json()?;
    let game = call.api.game(call.part())?;
    game.annotate()?;
    let most = call.api.limits.moves;
    if moves.len() > most {
        return Err(Problem::new(
            413,
            format!("{} moves are more than the {most} of one request", moves.len()),
        ));
    }
    let nodes = nodes.unwrap_or(DEFAULT_NODES);
    if !(1..=MOST_NODES).contains(&nodes) {
        return Err(Problem::new(400, format!("{nodes} nodes are not between 1 and {MOST_NODES}")));
    }
    let text = game.whole_games().of_moves(start.as_deref(), &moves)?;
    let (longest, request) = (call.api.limits.analysis_time, AnnotateRequest { nodes, threads: 1 });
    let work = move |analysis: &Analysis| {
        let began = Instant::now();
        analysis.tell(&*game, PACE, |told| {
            let found = game.annotate()?.annotate(&text, &request, &analysis.stop, &mut |view| {
                // When the time is up, what was found until then is the answer.
                if began.elapsed() > longest {
                    analysis.stop.stop();
                }
                told(view);
            });
            Ok(found?)
        });
    };
    let id = call.api.analyses.begin(work)?.id;
    let begun = AnalysisBegun { id, events: format!("/api/v1/analyses/{id}/events") };
    Ok(Answer::json(202, &begun).with("location", format!("/api/v1/analyses/{id}")))
}

fn write(call: &Call<'_>) -> Result<Answer, Problem> {
    let WriteRequest { start, line, tags, result, format, annotation } = call.json()?;
    let game = call.api.game(call.part())?;
    let start = start.unwrap_or_else(|| game.start().text());
    let whole = game.whole_games();
    let kind =
        format.or_else(|| whole.text_kinds().first().map(|kind| (*kind).to_owned())).unwrap_or_default();
    let text = GameText { start, tags, result, line };
    let written = match &annotation {
        Some(found) => game.annotate()?.write_annotated(&kind, &text, found)?,
        None => whole.write_text(&kind, &text)?,
    };
    Ok(Answer::json(200, &Written { text: written, name: format!("game.{kind}") }))
}
