//! What somebody who knows positions says about one.

use crate::judging::{Mark, expected};
use tabia_core::{Game, Outcome, Probe, Side, Value};
use tabia_search::{Report, Score};
use tabia_solve::{SolveError, lines};

/// What a position is worth for the side to move; distances are in plies, where they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// The side to move wins.
    Win(Option<u16>),
    /// The side to move loses.
    Loss(Option<u16>),
    /// Nobody can force a win.
    Draw,
    /// A guess, in hundredths (of a man, pawn or brick).
    Estimate(i32),
}

impl Worth {
    /// The worth that a table knows, with distances or without; `None` when it does not know.
    pub fn of_value(value: Value, distances: bool) -> Option<Self> {
        match value {
            Value::Win(plies) => Some(Worth::Win(distances.then_some(plies))),
            Value::Loss(plies) => Some(Worth::Loss(distances.then_some(plies))),
            Value::Draw => Some(Worth::Draw),
            Value::Unknown => None,
        }
    }

    /// The worth of a finished game.
    pub fn of_outcome(outcome: Outcome, side: Side) -> Self {
        match outcome {
            Outcome::Draw => Worth::Draw,
            Outcome::Win(winner) if winner == side => Worth::Win(Some(0)),
            Outcome::Win(_) => Worth::Loss(Some(0)),
        }
    }

    /// Whether it is proven.
    pub const fn is_proven(self) -> bool {
        !matches!(self, Worth::Estimate(_))
    }
}

impl From<Score> for Worth {
    fn from(score: Score) -> Self {
        match score {
            Score::Win(plies) => Worth::Win(Some(plies)),
            Score::Loss(plies) => Worth::Loss(Some(plies)),
            Score::Draw => Worth::Draw,
            Score::Estimate(value) => Worth::Estimate(value),
        }
    }
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Proven: the game is over, or somebody solved it.
    Exact,
    /// Read off a table of endings.
    Table,
    /// An engine's opinion.
    Engine,
}

impl Source {
    /// `exact`, `table` or `engine`.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Exact => "exact",
            Source::Table => "table",
            Source::Engine => "engine",
        }
    }
}

/// What is said about one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict<M> {
    /// What it is worth for the side to move.
    pub worth: Worth,
    /// The best move; none when the game is over.
    pub best: Option<M>,
    /// Whether there is a choice and every other move would be a mistake.
    pub only: bool,
    /// Who says so.
    pub source: Source,
}

impl<M: Copy> Verdict<M> {
    /// The verdict on a finished game.
    pub fn over(outcome: Outcome, side: Side) -> Self {
        Verdict { worth: Worth::of_outcome(outcome, side), best: None, only: false, source: Source::Exact }
    }

    /// The verdict of a source of exact values; `None` when it does not have the position.
    pub fn of_probe<G: Game<Move = M>>(
        rules: &G,
        probe: &dyn Probe<G>,
        state: &G::State,
        source: Source,
    ) -> Result<Option<Self>, SolveError> {
        let value = probe.try_probe(state).map_err(SolveError::from)?;
        let Some(worth) = value.and_then(|value| Worth::of_value(value, probe.has_distances())) else {
            return Ok(None);
        };
        let moves = lines::moves(rules, probe, state)?;
        let best = moves.first().map(|first| first.mv);
        let kind = moves.first().map(|first| first.value.name());
        let (as_good, worse): (Vec<_>, Vec<_>) = moves.iter().partition(|mv| Some(mv.value.name()) == kind);
        // Moves that are the same by symmetry are one.
        let led_to = |mv: &&lines::ValuedMove<M>| {
            let mut after = state.clone();
            rules.play(&mut after, mv.mv);
            rules.pack_canonical(&after)
        };
        let first = as_good.first().map(led_to);
        let only = !worse.is_empty() && as_good.iter().all(|mv| Some(led_to(mv)) == first);
        Ok(Some(Verdict { worth, best, only, source }))
    }

    /// The verdict of a search; with two lines or more it knows whether there is an only move.
    pub fn of_report(report: &Report<M>) -> Self {
        let worth = Worth::from(report.score);
        let second = report.lines.get(1).map(|line| expected(line.score.into()));
        let only = second.is_some_and(|second| expected(worth) - second >= Mark::Mistake.least());
        let source = if worth.is_proven() { Source::Exact } else { Source::Engine };
        Verdict { worth, best: report.best(), only, source }
    }
}
