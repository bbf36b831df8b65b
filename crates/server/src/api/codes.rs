//! Codes taken apart.

use super::position::PositionQuery;
use crate::error::Problem;
use crate::extract::{Path, Query};
use crate::route::Route;
use crate::state::Shared;
use axum::Json;
use axum::extract::State;
use axum::routing::get;
use schemars::JsonSchema;
use serde::Serialize;
use tabia_app::views::CodeField;

/// The numbers of a position's codes.
#[derive(Serialize, JsonSchema)]
struct Codes {
    /// One after the other.
    fields: Vec<CodeField>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/api/v1/games/{game}/codes",
            "getCodes",
            "The codes of a position taken apart: every bit with its meaning.",
            get(codes),
        )
        .query::<PositionQuery>()
        .answers::<Codes>()
        .problems(&[400, 404, 413, 422, 503]),
    ]
}

async fn codes(
    State(server): State<Shared>,
    Path(id): Path<String>,
    Query(query): Query<PositionQuery>,
) -> Result<Json<Codes>, Problem> {
    Ok(Json(Codes { fields: query.position(id, &server).await?.code_fields() }))
}
