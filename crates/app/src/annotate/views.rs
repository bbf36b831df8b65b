//! What was found about a game, as front ends show it and send it back.

use crate::InputError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tabia_core::{Present, Record, RecordedGame, Side};
use tabia_report::{Annotation, Mark, Ply, Source, Verdict, Worth};

/// What was found about a game, or about its beginning so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnnotationView {
    /// The positions that have been judged, from the start.
    pub plies: Vec<PlyView>,
    /// The players, player 0 first.
    pub players: Vec<PlayerView>,
    /// How marks and accuracy are computed.
    pub method: String,
    /// Positions judged.
    pub done: usize,
    /// Positions of the game.
    pub total: usize,
}

/// A position of the game and the move that was played from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlyView {
    /// Moves played before it.
    pub ply: usize,
    /// What it is worth for the side to move.
    pub value: WorthView,
    /// `exact`, `table` or `engine`.
    pub source: String,
    /// The expected result for player 0, from -1 to 1.
    pub score: f64,
    /// The value in words or figures, from player 0's point of view.
    pub text: String,
    /// The best move.
    #[serde(default)]
    pub best: Option<String>,
    /// The best move as people see it.
    #[serde(default)]
    pub best_shown: Option<String>,
    /// The move that was played; none in the last position.
    #[serde(default)]
    pub played: Option<String>,
    /// Whether every move but the best would be a mistake.
    #[serde(default)]
    pub only: bool,
    /// `?!`, `?` or `??`, about the move that was played.
    #[serde(default)]
    pub mark: Option<String>,
}

/// What a position is worth: `{"win": plies}`, `{"loss": plies}` (no number where the distance is not known),
/// `{"draw": true}` or `{"estimate": hundredths}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WorthView {
    /// The side to move wins in so many plies.
    Win(Option<u16>),
    /// The side to move loses in so many plies.
    Loss(Option<u16>),
    /// Proven to be a draw; always true.
    Draw(bool),
    /// A guess, in hundredths of a man, pawn or brick.
    Estimate(i32),
}

/// How a player did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerView {
    /// From 0 to 100; nothing while no move has been judged.
    pub accuracy: Option<f64>,
    /// How many moves have each mark.
    pub mistakes: BTreeMap<String, usize>,
}

impl From<Worth> for WorthView {
    fn from(worth: Worth) -> Self {
        match worth {
            Worth::Win(plies) => WorthView::Win(plies),
            Worth::Loss(plies) => WorthView::Loss(plies),
            Worth::Draw => WorthView::Draw(true),
            Worth::Estimate(value) => WorthView::Estimate(value),
        }
    }
}

impl From<WorthView> for Worth {
    fn from(view: WorthView) -> Self {
        match view {
            WorthView::Win(plies) => Worth::Win(plies),
            WorthView::Loss(plies) => Worth::Loss(plies),
            WorthView::Draw(_) => Worth::Draw,
            WorthView::Estimate(value) => Worth::Estimate(value),
        }
    }
}

/// How it is done, in words that a page can show.
fn method(nodes: u64) -> String {
    format!(
        "Every position is judged by the best that is known: an exact solution or table where there is one, otherwise \
         the engine with {nodes} nodes. A result that is proven counts 1, 0 or -1, an estimate of v hundredths \
         tanh(v/500). A move gives away the difference between before and after: from 0.1 it is doubtful (?!), from \
         0.2 a mistake (?), from 0.3 a blunder (??). Its accuracy is 100 exp(-2 x what it gives away), and a player's \
         accuracy is the mean over all moves."
    )
}

pub(super) fn view<G: Present>(
    game: &RecordedGame<G>,
    found: &Annotation<G::Move>,
    nodes: u64,
) -> AnnotationView {
    let (rules, mut state) = (&game.start.rules, game.start.state.clone());
    let names = rules.info().sides;
    let mut plies = Vec::with_capacity(found.plies.len());
    for (number, ply) in found.plies.iter().enumerate() {
        let text = |mv: G::Move| rules.format_move(&state, mv);
        let best = ply.verdict.best.map(text);
        plies.push(PlyView {
            ply: number,
            value: ply.verdict.worth.into(),
            source: ply.verdict.source.name().to_owned(),
            score: (ply.score() * 1000.0).round() / 1000.0,
            text: in_words(ply, &names, rules.players() == 1),
            best_shown: best.clone(),
            best,
            played: ply.played.map(text),
            only: ply.verdict.only,
            mark: ply.mark().map(|mark| mark.sign().to_owned()),
        });
        ply.played.into_iter().for_each(|mv| rules.play(&mut state, mv));
    }
    let player = |side: Side| PlayerView {
        accuracy: found.accuracy(side).map(|accuracy| (accuracy * 10.0).round() / 10.0),
        mistakes: Mark::ALL.map(|mark| (mark.sign().to_owned(), found.count(side, mark))).into(),
    };
    let sides = [Side::First, Side::Second].into_iter().take(rules.players().into());
    AnnotationView {
        players: sides.map(player).collect(),
        method: method(nodes),
        done: plies.len(),
        total: found.total,
        plies,
    }
}

/// The value of a position from player 0's point of view.
fn in_words<M>(ply: &Ply<M>, names: &[tabia_core::Name], alone: bool) -> String {
    let wins = |side: Side, plies: Option<u16>| {
        let name = names.get(side.index()).map_or("", |name| name);
        match plies {
            Some(plies) if plies > 0 => format!("{name} wins in {plies}"),
            _ => format!("{name} wins"),
        }
    };
    match ply.verdict.worth {
        Worth::Win(_) if alone => "solvable".to_owned(),
        Worth::Loss(_) if alone => "not solvable".to_owned(),
        Worth::Win(plies) => wins(ply.side, plies),
        Worth::Loss(plies) => wins(ply.side.other(), plies),
        Worth::Draw => "draw".to_owned(),
        Worth::Estimate(value) => {
            let sign = if ply.side == Side::First { 1.0 } else { -1.0 };
            format!("{:+.2}", sign * f64::from(value) / 100.0)
        }
    }
}

/// What a view says about the last position of a record; nothing where it says nothing.
pub(super) fn verdict<G: Present>(
    record: &Record<G>,
    found: &AnnotationView,
) -> Result<Option<Verdict<G::Move>>, InputError> {
    let number = record.moves().len();
    let Some(ply) = found.plies.get(number).filter(|ply| ply.ply == number) else { return Ok(None) };
    let read = |text: &String| {
        let mv = record.rules().parse_move(record.state(), text);
        mv.map_err(|error| InputError::mv(text, &error))
    };
    let best = ply.best.as_ref().map(read).transpose()?;
    let source = match ply.source.as_str() {
        "exact" => Source::Exact,
        "table" => Source::Table,
        _ => Source::Engine,
    };
    Ok(Some(Verdict { worth: ply.value.into(), best, only: ply.only, source }))
}
