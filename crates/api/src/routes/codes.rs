//! Codes taken apart.

use super::position::PositionQuery;
use crate::answer::Answer;
use crate::problem::Problem;
use crate::route::{Call, Route};
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
            codes,
        )
        .long(super::has_many_moves)
        .query::<PositionQuery>()
        .answers::<Codes>()
        .problems(&[400, 404, 413, 422, 503]),
    ]
}

fn codes(call: &Call<'_>) -> Result<Answer, Problem> {
    let position = call.query::<PositionQuery>()?.position(call.part(), call.api)?;
    Ok(Answer::json(200, &Codes { fields: position.code_fields() }))
}
