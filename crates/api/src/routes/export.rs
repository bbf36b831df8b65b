//! The book of a game, to take away.

use crate::answer::Answer;
use crate::book::failure;
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::Deserialize;
use tabia_app::book::ExportRequest;

/// Larger books are written out by the command line, which needs no memory for it.
const MOST_ROWS: u64 = 1_000_000;

/// Which rules, and in which form.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    /// A position that names the rules, where they are not the usual ones.
    pos: Option<String>,
    /// `jsonl` or `csv`; `jsonl` when left out.
    format: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/api/v1/games/{game}/book",
            "exportBook",
            "Everything the book knows of a game, a line for each position, or for each move as CSV.",
            export,
        )
        .long(|_| true)
        .query::<ExportQuery>()
        .raw("application/x-ndjson")
        .raw("text/csv")
        .problems(&[400, 404, 413, 422, 503]),
    ]
}

fn export(call: &Call<'_>) -> Result<Answer, Problem> {
    let ExportQuery { pos, format } = call.query()?;
    let game = call.api.game(call.part())?;
    let (format, media) = match format.as_deref() {
        None | Some("jsonl") => ("jsonl", "application/x-ndjson"),
        Some("csv") => ("csv", "text/csv"),
        Some(other) => {
            return Err(Problem::new(400, format!("a book is not sent as {other:?} but as jsonl or csv")));
        }
    };
    let reader = call.api.book.reader()?;
    let rows = reader.info().map_err(|error| failure(error.into()))?.rows;
    if rows > MOST_ROWS {
        let detail =
            format!("the book has {rows} positions, more than {MOST_ROWS}: `tabia book export` writes it");
        return Err(Problem::new(413, detail));
    }
    let mut out = Vec::new();
    let request = ExportRequest { pos: pos.as_deref(), format, all: true };
    game.book()?.export(reader, request, &mut out).map_err(failure)?;
    Ok(Answer::bytes(media, out))
}
