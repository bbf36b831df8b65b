//! Questions over positions.

use crate::answer::Answer;
use crate::book::failure;
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;
use tabia_app::find::{FieldView, FindFailure, FindRequest, FindSource, FindView, FoundView};
use tabia_app::{Instant, Progress, Stop, Watch};

/// Positions that are told when nothing else is said, and the most.
const LIMIT: usize = 20;
const MOST: usize = 1000;
/// The time of a question when none is asked for, and the longest, in seconds.
const SECONDS: f64 = 3.0;
const LONGEST: f64 = 20.0;

/// What to find, and where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindQuery {
    /// What must be true of a position, in CEL: `value == "win" && distance >= 20`.
    expression: String,
    /// Where to look: `tables`, `book` or `enumerate`; `tables` when left out.
    r#in: Option<String>,
    /// A position whose rules are used and from which positions are enumerated; the start when left out.
    pos: Option<String>,
    /// What to sort by: a field, or any expression.
    sort: Option<String>,
    /// The largest first.
    #[serde(default)]
    desc: bool,
    /// Look at everything, to count what fits beyond the limit.
    #[serde(default)]
    count: bool,
    /// The most positions to tell; 20 when left out, 1000 at most.
    #[schemars(range(max = MOST))]
    limit: Option<usize>,
    /// `enumerate`: stop after this many plies.
    depth: Option<u32>,
    /// Seconds to look; 3 when left out, 20 at most. What was found until then is the answer.
    #[schemars(range(min = 0, max = LONGEST))]
    time: Option<f64>,
}

/// What was found.
#[derive(Serialize, JsonSchema)]
struct Answered {
    /// The positions, in the order of the source or as they are sorted.
    positions: Vec<FoundView>,
    #[serde(flatten)]
    report: FindView,
}

/// The fields of a game.
#[derive(Serialize, JsonSchema)]
struct Fields {
    /// What questions may use.
    fields: Vec<FieldView>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/api/v1/games/{game}/find",
            "find",
            "The positions of tables, of the book, or of all that can be reached, which fit a condition.",
            find,
        )
        .long(|_| true)
        .query::<FindQuery>()
        .answers::<Answered>()
        .problems(&[400, 404, 413, 422, 501, 503]),
        Route::new(
            "get",
            "/api/v1/games/{game}/find/fields",
            "findFields",
            "The fields that conditions on positions of a game may use.",
            fields,
        )
        .answers::<Fields>()
        .problems(&[404]),
    ]
}

fn fields(call: &Call<'_>) -> Result<Answer, Problem> {
    let fields = call.api.game(call.part())?.finding().find_fields();
    Ok(Answer::json(200, &Fields { fields }))
}

fn find(call: &Call<'_>) -> Result<Answer, Problem> {
    let query: FindQuery = call.query()?;
    let game = call.api.game(call.part())?;
    let limit = query.limit.unwrap_or(LIMIT);
    if limit > MOST {
        return Err(Problem::new(400, format!("{limit} positions are more than {MOST}")));
    }
    let seconds = query.time.unwrap_or(SECONDS);
    if !(0.0..=LONGEST).contains(&seconds) {
        let detail = format!("time is {seconds}, not between 0 and {LONGEST} seconds");
        return Err(Problem::new(400, detail));
    }
    let request = FindRequest {
        expression: query.expression,
        sort: query.sort,
        descending: query.desc,
        limit,
        count: query.count,
        position: query.pos,
        memory: call.api.limits.answer_memory,
        ..FindRequest::default()
    };
    let source = match query.r#in.as_deref() {
        None | Some("tables") => FindSource::Tables,
        Some("book") => FindSource::Book(call.api.book.reader()?),
        Some("enumerate") => FindSource::Enumerate { depth: query.depth, symmetry: true },
        Some(other) => {
            return Err(Problem::new(400, format!("{other:?} is no source: tables, book or enumerate")));
        }
    };
    // The work ends in time for its answer to be heard.
    let longest = call.api.limits.answer_time.mul_f64(0.8).min(Duration::from_secs_f64(seconds));
    let (deadline, switch) = (Instant::now() + longest, Stop::new());
    let tell = |now: &Progress| {
        call.api.host.progress(now);
        if call.stop.is_stopped() || Instant::now() > deadline {
            switch.stop();
        }
    };
    let mut positions = Vec::new();
    let watch = Watch { stop: &switch, progress: &tell };
    let report = game.finding().find(&request, source, &watch, &mut |found| {
        positions.push(found.clone());
        ControlFlow::Continue(())
    });
    let report = report.map_err(|error| match error {
        FindFailure::Work(error) => error.into(),
        FindFailure::Book(error) => failure(error),
        other => Problem::new(503, other.to_string()),
    })?;
    Ok(Answer::json(200, &Answered { positions, report }))
}
