//! Reports of what a game is like.

use super::position::PositionQuery;
use crate::analyses::Analysis;
use crate::answer::{Answer, Event};
use crate::problem::Problem;
use crate::route::{Call, Route};
use crate::routes::analyses::AnalysisBegun;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Mutex;
use std::time::Duration;
use tabia_app::profile::{Effort, Profile, ProfileRequest, html};
use tabia_app::{Instant, Progress, Watch};

/// Seconds for a report when nothing else is said.
const SECONDS: f64 = 20.0;
/// Progress is told no faster than this.
const PACE: Duration = Duration::from_millis(250);

/// What to report on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReportRequest {
    /// The opening, board or position that games start from, with its options; the start when left out.
    variant: Option<String>,
    /// Where randomness starts.
    #[serde(default)]
    seed: u64,
    /// Seconds for all of it; 20 when left out.
    #[schemars(range(min = 0))]
    time: Option<f64>,
    /// Pieces of work for each section instead, as an earlier report tells them: `random=16,strong=12`.
    effort: Option<String>,
}

/// How far a report is, and at last the report.
#[derive(Serialize)]
struct ReportView {
    /// What is being done.
    stage: String,
    /// How much of it is done.
    done: u64,
    /// All of it.
    total: Option<u64>,
    /// The figures, in the last event.
    profile: Option<Profile>,
    /// The same as a page.
    html: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "post",
            "/api/v1/games/{game}/reports",
            "reportGame",
            "Finds out what a game is like. Its events are those of an analysis: `report` tells `stage`, `done` and `total`, the \
             last one `profile` (the figures) and `html` (a page).",
            begin,
        )
        .body::<ReportRequest>()
        .status(202)
        .answers::<AnalysisBegun>()
        .problems(&[400, 404, 413, 415, 422, 429, 501]),
    ]
}

impl ReportRequest {
    fn work(&self, longest: Duration) -> Result<ProfileRequest, Problem> {
        let effort = self.effort.as_deref().map(str::parse::<Effort>).transpose();
        let effort = effort.map_err(|error| Problem::new(400, error.to_string()))?;
        let seconds = self.time.unwrap_or(SECONDS);
        let wrong = || Problem::new(400, format!("time is {seconds}, which is no number of seconds"));
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?.min(longest);
        let time = if effort.is_some() { None } else { Some(time) };
        Ok(ProfileRequest {
            seed: self.seed,
            effort: effort.unwrap_or_default(),
            time,
            threads: 1,
            ..ProfileRequest::default()
        })
    }
}

fn begin(call: &Call<'_>) -> Result<Answer, Problem> {
    let request: ReportRequest = call.json()?;
    let longest = call.api.limits.analysis_time;
    let wanted = request.work(longest)?;
    let game = call.api.game(call.part())?;
    let position = PositionQuery::new(request.variant, None, None).position(game.id(), call.api)?;
    position.profile()?;
    if position.outcome().is_some() {
        return Err(Problem::new(422, "the game is over in this position"));
    }
    let work = move |analysis: &Analysis| {
        let (began, last) = (Instant::now(), Mutex::new(None::<Instant>));
        let tell = |now: &Progress| {
            // A report of a given effort has its limit, too.
            if began.elapsed() > 2 * longest {
                analysis.stop.stop();
            }
            let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if last.is_none_or(|last| last.elapsed() >= PACE) {
                *last = Some(Instant::now());
                analysis.say(Event { name: "report", data: progress(now) });
            }
        };
        analysis.tell(&*game, Duration::ZERO, |_| {
            let watch = Watch { stop: &analysis.stop, progress: &tell };
            let profile = position.profile()?.report(&wanted, &watch)?;
            let html = Some(html(&profile));
            Ok(ReportView { stage: "done".to_owned(), done: 1, total: Some(1), profile: Some(profile), html })
        });
    };
    let id = call.api.analyses.begin(work)?.id;
    let begun = AnalysisBegun { id, events: format!("/api/v1/analyses/{id}/events") };
    Ok(Answer::json(202, &begun).with("location", format!("/api/v1/analyses/{id}")))
}

fn progress(now: &Progress) -> String {
    let view = ReportView {
        stage: now.stage.to_string(),
        done: now.done,
        total: now.total,
        profile: None,
        html: None,
    };
    serde_json::to_string(&view).unwrap_or_default()
}
