//! A game looked at position by position.

use crate::judging::{Mark, accuracy, expected};
use crate::{Verdict, Worth};
use tabia_core::{Game, Position, Record, Side};

/// A position of the game and the move that was played from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply<M> {
    /// Who is to move.
    pub side: Side,
    /// What is said about the position.
    pub verdict: Verdict<M>,
    /// The move that was played; none in the last position.
    pub played: Option<M>,
    /// What the move gave away, once the position after it has its verdict.
    pub given_away: Option<f64>,
}

impl<M: Copy + Eq> Ply<M> {
    /// The expected result for player 0.
    pub fn score(&self) -> f64 {
        for_first(self.verdict.worth, self.side)
    }

    /// What is to be said about the move.
    pub fn mark(&self) -> Option<Mark> {
        self.given_away.and_then(Mark::of)
    }

    /// Whether the player found the only move that was not a mistake.
    pub fn found_only(&self) -> bool {
        self.verdict.only && self.played.is_some() && self.played == self.verdict.best
    }
}

fn for_first(worth: Worth, side: Side) -> f64 {
    if side == Side::First { expected(worth) } else { -expected(worth) }
}

/// What was found about a game, or about its beginning while the work goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation<M> {
    /// The positions that have their verdict, from the start.
    pub plies: Vec<Ply<M>>,
    /// The positions of the game.
    pub total: usize,
}

impl<M: Copy + Eq> Annotation<M> {
    /// The mean accuracy of a player; `None` while no move of the player has been judged.
    pub fn accuracy(&self, side: Side) -> Option<f64> {
        let judged: Vec<f64> = self.of(side).filter_map(|ply| ply.given_away).map(accuracy).collect();
        (!judged.is_empty()).then(|| judged.iter().sum::<f64>() / judged.len() as f64)
    }

    /// How many moves of a player have this mark.
    pub fn count(&self, side: Side, mark: Mark) -> usize {
        self.of(side).filter(|ply| ply.mark() == Some(mark)).count()
    }

    /// Whether every position has its verdict.
    pub fn is_complete(&self) -> bool {
        self.plies.len() == self.total
    }

    fn of(&self, side: Side) -> impl Iterator<Item = &Ply<M>> {
        self.plies.iter().filter(move |ply| ply.side == side)
    }

    /// Adds the verdict on the next position, and judges the move that led to it.
    fn add(&mut self, side: Side, verdict: Verdict<M>, played: Option<M>) {
        if let Some(last) = self.plies.last_mut() {
            let after = for_first(verdict.worth, side);
            let lost = if last.side == Side::First { last.score() - after } else { after - last.score() };
            // Two verdicts of an engine differ a little even where the best move was played.
            let best = last.played.is_some() && last.played == last.verdict.best;
            last.given_away = Some(if best { 0.0 } else { lost.max(0.0) });
        }
        self.plies.push(Ply { side, verdict, played, given_away: None });
    }
}

/// Looks at every position of a game. `judge` is asked about each, with everything that was played before it, and
/// answers nothing when the work is to end; `told` hears of what is known so far. Positions in which the game is over
/// are not asked about.
pub fn annotate<G: Game, E>(
    start: Position<G>,
    moves: &[G::Move],
    judge: &mut dyn FnMut(&Record<G>) -> Result<Option<Verdict<G::Move>>, E>,
    told: &mut dyn FnMut(&Annotation<G::Move>),
) -> Result<Annotation<G::Move>, E> {
    let mut record = Record::new(start);
    let mut annotation = Annotation { plies: Vec::with_capacity(moves.len() + 1), total: moves.len() + 1 };
    for ply in 0..=moves.len() {
        let (side, played) = (record.rules().side(record.state()), moves.get(ply).copied());
        let over =
            record.rules().settled(record.state()).or_else(|| record.outcome().filter(|_| played.is_none()));
        let verdict = match over {
            Some(outcome) => Some(Verdict::over(outcome, side)),
            None => judge(&record)?,
        };
        let Some(verdict) = verdict else { break };
        annotation.add(side, verdict, played);
        told(&annotation);
        played.into_iter().for_each(|mv| record.play_unchecked(mv));
    }
    Ok(annotation)
}
