//! Anything that somebody pastes.

use crate::answer::Answer;
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::Deserialize;
use tabia_app::Recognised;

/// A text that might be anything.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pasted {
    /// The text.
    text: String,
    /// The game whose board is open: it is asked first.
    game: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "post",
            "/api/v1/recognise",
            "recognise",
            "What a text is: a position or code of any game, games as PGN, PDN or JSON lines, a list of moves, a link.",
            recognise,
        )
        .long(|_| true)
        .body::<Pasted>()
        .answers::<Recognised>()
        .problems(&[400, 404, 413, 415, 422, 501, 503]),
    ]
}

fn recognise(call: &Call<'_>) -> Result<Answer, Problem> {
    let Pasted { text, game } = call.json()?;
    Ok(Answer::json(200, &tabia_app::recognise(&call.api.registry, &text, game.as_deref())?))
}
