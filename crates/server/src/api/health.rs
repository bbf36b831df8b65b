//! For whoever watches over the server.

use crate::openapi;
use crate::route::Route;
use crate::state::Shared;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::LazyLock;

static DESCRIPTION: LazyLock<String> = LazyLock::new(|| openapi::document().to_string());

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/api/v1/openapi.json", "describe", "This description.", get(describe))
            .raw("application/json"),
        Route::new("get", "/healthz", "health", "Whether the server is well.", get(health)).raw("text/plain"),
        Route::new("get", "/metrics", "metrics", "Counters for Prometheus.", get(metrics)).raw("text/plain"),
    ]
}

async fn describe() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION.as_str())
}

async fn health() -> &'static str {
    "ok\n"
}

async fn metrics(State(server): State<Shared>) -> impl IntoResponse {
    let gauges = [
        ("tabia_analyses_running", "Analyses at work.", server.analyses.running()),
        ("tabia_work_running", "Pieces of long work under way.", server.work.taken()),
    ];
    let text = server.metrics.text(&gauges);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}
