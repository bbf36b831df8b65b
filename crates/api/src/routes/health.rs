//! For whoever watches over the server.

use crate::answer::Answer;
use crate::problem::Problem;
use crate::route::{Call, Route};
use std::collections::BTreeMap;
use std::sync::LazyLock;

static DESCRIPTION: LazyLock<String> = LazyLock::new(description);

#[cfg(feature = "schemas")]
fn description() -> String {
    crate::openapi::document().to_string()
}

/// What makes the description takes ten times its space.
#[cfg(not(feature = "schemas"))]
fn description() -> String {
    let file = serde_json::from_str(include_str!(env!("TABIA_OPENAPI")));
    file.map_or_else(|_| String::new(), |file: serde_json::Value| file.to_string())
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/api/v1/openapi.json", "describe", "This description.", describe)
            .answers::<BTreeMap<String, serde_json::Value>>(),
        Route::new("get", "/healthz", "health", "Whether the server is well.", health).raw("text/plain"),
        Route::new("get", "/metrics", "metrics", "Counters for Prometheus.", metrics)
            .raw("application/openmetrics-text"),
    ]
}

fn describe(_: &Call<'_>) -> Result<Answer, Problem> {
    if cfg!(target_family = "wasm") {
        return Err(Problem::unknown("the description of the API is a file in a browser"));
    }
    Ok(Answer::bytes("application/json", DESCRIPTION.as_bytes()))
}

#[allow(clippy::unnecessary_wraps)] // Handlers can fail.
fn health(_: &Call<'_>) -> Result<Answer, Problem> {
    Ok(Answer::text("text/plain; charset=utf-8", "ok\n"))
}

fn metrics(call: &Call<'_>) -> Result<Answer, Problem> {
    let counted = call.api.host.metrics(call.api.analyses.running());
    let (media, text) = counted.ok_or_else(|| Problem::new(501, "nobody counts here"))?;
    Ok(Answer::text(media, text))
}
