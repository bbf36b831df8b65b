//! A position, its codes and its moves.

use crate::answer::Answer;
use crate::api::Api;
use crate::problem::Problem;
use crate::route::{Call, Route};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tabia_app::AnyPosition;
use tabia_app::views::{BoardView, MoveView, PositionView};

/// How long each position of a movie is seen.
const SECONDS: f32 = 0.9;

/// Which position.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionQuery {
    /// Any text or code the game knows, or the name of an opening or board; the start when left out.
    pos: Option<String>,
    /// The format `pos` is in, when it is to be that one alone.
    format: Option<String>,
    /// Moves to play from there, separated by commas.
    play: Option<String>,
    /// Whether to answer with the board to draw.
    #[serde(default)]
    board: bool,
}

impl PositionQuery {
    /// The position of another kind of question.
    pub(super) fn new(pos: Option<String>, format: Option<String>, play: Option<String>) -> Self {
        PositionQuery { pos, format, play, board: false }
    }

    fn moves(&self) -> impl Iterator<Item = &str> {
        self.play.as_deref().unwrap_or("").split(',').map(str::trim).filter(|mv| !mv.is_empty())
    }

    /// The position before the moves.
    fn start(&self, id: &str, api: &Api) -> Result<Box<dyn AnyPosition>, Problem> {
        let game = api.game(id)?;
        let Some(text) = &self.pos else {
            let start = game.start();
            self.format.as_ref().map(|format| start.encode(format)).transpose()?;
            return Ok(start);
        };
        let most = api.limits.position_bytes;
        if text.len() > most {
            let detail = format!("a position may have {most} bytes, not {}", text.len());
            return Err(Problem::new(413, detail));
        }
        Ok(match &self.format {
            Some(format) => game.decode(text, format)?,
            None => game.parse(text)?,
        })
    }

    /// The position after the moves, and the cells of the last one.
    fn read(&self, id: &str, api: &Api) -> Result<Played, Problem> {
        let mut position = self.start(id, api)?;
        let start = position.encode("text")?;
        let count = self.moves().count();
        if count > api.limits.moves {
            let detail = format!("{count} moves are more than the {} of one request", api.limits.moves);
            return Err(Problem::new(413, detail));
        }
        let mut last = None;
        for (i, mv) in self.moves().enumerate() {
            let before = (i + 1 == count).then(|| position.boxed_clone());
            position.play(mv)?;
            last = before.and_then(|before| last_move(before.as_ref(), position.as_ref()));
        }
        Ok(Played { position, start, last })
    }

    /// Only the position.
    pub(super) fn position(&self, id: &str, api: &Api) -> Result<Box<dyn AnyPosition>, Problem> {
        Ok(self.read(id, api)?.position)
    }
}

struct Played {
    position: Box<dyn AnyPosition>,
    start: String,
    last: Option<LastMove>,
}

fn last_move(before: &dyn AnyPosition, after: &dyn AnyPosition) -> Option<LastMove> {
    let text = after.played().pop()?;
    let steps = before.moves().into_iter().find(|mv| mv.text == text).map(|mv| mv.steps);
    Some(LastMove { text, steps: steps.unwrap_or_default() })
}

/// The move that led to a position.
#[derive(Serialize, JsonSchema)]
struct LastMove {
    /// Its text.
    #[serde(rename = "move")]
    text: String,
    /// The cells it touched.
    steps: Vec<String>,
}

/// A position with its moves.
#[derive(Serialize, JsonSchema)]
struct PositionAnswer {
    #[serde(flatten)]
    view: PositionView,
    /// The text of the position the moves were played from.
    start: String,
    /// The moves played, as they are written here.
    played: Vec<String>,
    /// The last of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<LastMove>,
    /// The name of the opening that was played, where the game names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<&'static str>,
    /// The legal moves.
    moves: Vec<MoveView>,
    /// What to draw, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<BoardView>,
}

/// Which position, and where somebody clicked.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RefusalQuery {
    /// Any text or code the game knows, or the name of an opening or board; the start when left out.
    pos: Option<String>,
    /// The format `pos` is in, when it is to be that one alone.
    format: Option<String>,
    /// Moves to play from there, separated by commas.
    play: Option<String>,
    /// The cells that were clicked or dragged over, in order, separated by commas.
    steps: String,
}

/// Why a move cannot be played.
#[derive(Serialize, JsonSchema)]
struct Refusal {
    /// In a few words; nothing when a legal move begins like that.
    reason: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/api/v1/games/{game}/refusal",
            "getRefusal",
            "Why no legal move begins with clicks on these cells, in a few words.",
            refusal,
        )
        .long(super::has_many_moves)
        .query::<RefusalQuery>()
        .answers::<Refusal>()
        .problems(&[400, 404, 413, 422, 503]),
        Route::new(
            "get",
            "/api/v1/games/{game}/position",
            "getPosition",
            "A position: text, codes, key, canonical form, side, outcome, and the legal moves.",
            position,
        )
        .long(super::has_many_moves)
        .query::<PositionQuery>()
        .answers::<PositionAnswer>()
        .problems(&[400, 404, 413, 422, 503]),
        Route::new("get", "/api/v1/games/{game}/board.svg", "drawBoard", "A picture of a position.", svg)
            .long(super::has_many_moves)
            .query::<PositionQuery>()
            .raw("image/svg+xml")
            .problems(&[400, 404, 413, 422, 503]),
        Route::new(
            "get",
            "/api/v1/games/{game}/movie.svg",
            "drawMovie",
            "A picture that plays the moves, one after the other.",
            movie,
        )
        .long(super::has_many_moves)
        .query::<PositionQuery>()
        .raw("image/svg+xml")
        .problems(&[400, 404, 413, 422, 503]),
    ]
}

fn position(call: &Call<'_>) -> Result<Answer, Problem> {
    let query: PositionQuery = call.query()?;
    let Played { position, start, last } = query.read(call.part(), call.api)?;
    let board = query.board.then(|| position.board());
    let (view, played, moves) = (position.view(), position.played(), position.offered());
    let opening = position.opening();
    Ok(Answer::json(200, &PositionAnswer { view, start, played, last, opening, moves, board }))
}

fn refusal(call: &Call<'_>) -> Result<Answer, Problem> {
    let RefusalQuery { pos, format, play, steps } = call.query()?;
    let position = PositionQuery::new(pos, format, play).position(call.part(), call.api)?;
    let steps: Vec<String> = steps.split(',').map(|step| step.trim().to_owned()).collect();
    Ok(Answer::json(200, &Refusal { reason: position.refusal(&steps) }))
}

fn movie(call: &Call<'_>) -> Result<Answer, Problem> {
    let query: PositionQuery = call.query()?;
    let played = query.position(call.part(), call.api)?.played();
    let frames = query.start(call.part(), call.api)?.film(&played)?;
    Ok(Answer::text("image/svg+xml", tabia_app::draw::movie(&frames, SECONDS)))
}

fn svg(call: &Call<'_>) -> Result<Answer, Problem> {
    let position = call.query::<PositionQuery>()?.position(call.part(), call.api)?;
    Ok(Answer::text("image/svg+xml", tabia_app::draw::svg(&position.board())))
}
