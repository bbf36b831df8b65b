//! Setting up positions piece by piece.

use super::position::PositionQuery;
use crate::answer::Answer;
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use tabia_app::{ArrangedView, Arrangement, PaletteView};

/// Pieces on cells.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pieces {
    /// Any position on the same board and by the same rules; the start when left out.
    pos: Option<String>,
    /// The letters of the pieces on each cell that is not empty, the bottom of a stack first.
    cells: BTreeMap<String, String>,
    /// Who is to move, 0 or 1.
    #[serde(default)]
    side: usize,
    /// What does not stand on a cell; the usual where it is left out.
    #[serde(default)]
    extras: BTreeMap<String, String>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/api/v1/games/{game}/palette",
            "getPalette",
            "What a board editor offers: pieces, extras, and the position taken apart.",
            palette,
        )
        .long(super::has_many_moves)
        .query::<PositionQuery>()
        .answers::<PaletteView>()
        .problems(&[400, 404, 413, 422, 501, 503]),
        Route::new(
            "post",
            "/api/v1/games/{game}/arrange",
            "arrange",
            "A position put together: its text and codes, or all rules that it breaks.",
            arrange,
        )
        .body::<Pieces>()
        .answers::<ArrangedView>()
        .problems(&[400, 404, 413, 415, 422, 501]),
    ]
}

fn palette(call: &Call<'_>) -> Result<Answer, Problem> {
    let position = call.query::<PositionQuery>()?.position(call.part(), call.api)?;
    Ok(Answer::json(200, &position.arrange()?.palette()))
}

fn arrange(call: &Call<'_>) -> Result<Answer, Problem> {
    let Pieces { pos, cells, side, extras } = call.json()?;
    let position = PositionQuery::new(pos, None, None).position(call.part(), call.api)?;
    Ok(Answer::json(200, &position.arrange()?.arrange(&Arrangement { cells, side, extras })?))
}
