//! Exact answers.

use super::position::PositionQuery;
use crate::answer::Answer;
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;
use tabia_app::solve::{SolveRequest, SolveView};
use tabia_app::{AnyPosition, Instant, Progress, Stop, Watch};

/// The time for a search that might not end, when none is asked for, and the longest.
const SECONDS: f64 = 3.0;
const LONGEST: f64 = 20.0;

/// Which position, and how hard to try.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SolveQuery {
    /// Any text or code the game knows, or the name of an opening or board; the start when left out.
    pos: Option<String>,
    /// The format `pos` is in, when it is to be that one alone.
    format: Option<String>,
    /// Moves to play from there, separated by commas.
    play: Option<String>,
    /// How: `table`, `strong`, `proof`, or what the puzzle has; the first that can answer when left out.
    method: Option<String>,
    /// Seconds for a search that might not end; 3 when left out, 20 at most.
    #[schemars(range(min = 0, max = LONGEST))]
    time: Option<f64>,
    /// Puzzles: the goal.
    goal: Option<String>,
    /// Puzzles: also which moves keep it solvable.
    #[serde(default)]
    hints: bool,
    /// Puzzles: a solution with the fewest moves.
    #[serde(default)]
    fewest_moves: bool,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/api/v1/games/{game}/solve",
            "solve",
            "The exact value and distance of a position and of each move, best first, and where that comes from.",
            solve,
        )
        .long(|_| true)
        .query::<SolveQuery>()
        .answers::<SolveView>()
        .problems(&[400, 404, 413, 422, 501, 503]),
    ]
}

fn solve(call: &Call<'_>) -> Result<Answer, Problem> {
    let SolveQuery { pos, format, play, method, time, goal, hints, fewest_moves } = call.query()?;
    let position = PositionQuery::new(pos, format, play).position(call.part(), call.api)?;
    let seconds = time.unwrap_or(SECONDS);
    if !(0.0..=LONGEST).contains(&seconds) {
        let detail = format!("time is {seconds}, not between 0 and {LONGEST} seconds");
        return Err(Problem::new(400, detail));
    }
    let request = SolveRequest {
        method,
        goal,
        hints,
        fewest_moves,
        memory: call.api.limits.answer_memory,
        time: Duration::from_secs_f64(seconds),
        ..SolveRequest::default()
    };
    // The work ends in time for its answer to be heard.
    let deadline = Instant::now() + call.api.limits.answer_time.mul_f64(0.8);
    Ok(Answer::json(200, &work(position.as_ref(), &request, call, deadline)?))
}

fn work(
    position: &dyn AnyPosition,
    request: &SolveRequest,
    call: &Call<'_>,
    deadline: Instant,
) -> Result<SolveView, Problem> {
    // Every solver tells how far it is, ten times a second.
    let switch = Stop::new();
    let watch = |now: &Progress| {
        call.api.host.progress(now);
        if call.stop.is_stopped() || Instant::now() > deadline {
            switch.stop();
        }
    };
    Ok(position.solve()?.solve(request, &Watch { stop: &switch, progress: &watch })?)
}
