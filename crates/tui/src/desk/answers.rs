//! What came back from engine and solver, and what is made of it.

use super::{Desk, Panel};
use crate::work::{Answer, Task};
use std::time::Duration;
use tabia_app::search::ScoreView;

/// How long the engine thinks when only a move is wanted.
const SHORT: Duration = Duration::from_secs(1);

impl Desk {
    /// Takes the answers that have come; whether anything changed.
    pub(crate) fn tick(&mut self) -> bool {
        let answers = self.work.answers();
        let changed = !answers.is_empty();
        answers.into_iter().for_each(|answer| self.take(answer));
        changed
    }

    pub(crate) fn take(&mut self, answer: Answer) {
        match answer {
            Answer::Lines(view) => {
                let worth = absolute(view.score, self.seen.view.side);
                self.tree.rate(self.tree.current, expected(worth));
                self.search = Some(view);
            }
            Answer::Solved(view) => self.solved = Some(*view),
            Answer::Judged(view) => {
                for (ply, id) in view.plies.iter().zip(&self.reviewed) {
                    self.tree.rate(*id, ply.score);
                }
                self.review = Some(view);
            }
            Answer::Failed(task, reason) => {
                self.trouble = reason;
                if task == Task::Engine {
                    self.engine_on = false;
                }
            }
            Answer::Ended(Task::Engine | Task::Solver) if self.awaited => self.play_best(),
            Answer::Ended(_) => {}
        }
    }

    /// The best move that is known here.
    fn best(&self) -> Option<String> {
        let solved = self.solved.as_ref().and_then(|solved| {
            let best = solved.moves.iter().find(|mv| mv.best).map(|mv| &mv.text);
            best.or_else(|| solved.line.first()).cloned()
        });
        let searched = || self.search.as_ref().and_then(|search| search.best.clone());
        let played = || self.stats.as_ref().and_then(|stats| stats.moves.first().map(|mv| mv.text.clone()));
        solved.or_else(searched).or_else(|| if self.position.as_search().is_none() { played() } else { None })
    }

    /// Plays the best move that is known; where none is, the engine thinks for a moment.
    pub(crate) fn play_best(&mut self) {
        if self.seen.view.outcome.is_some() || self.is_secret() {
            return;
        }
        self.awaited = false;
        match self.best() {
            Some(mv) => self.play(&mv),
            None if self.position.as_search().is_some() => {
                self.message = "thinking …".to_owned();
                self.awaited = true;
                self.work.search(self.position.history().alone(), 1, Some(SHORT));
            }
            None if self.solved.is_none() => {
                self.message = "looking for a solution …".to_owned();
                self.awaited = true;
                self.ask_solver();
            }
            None => self.show(Panel::Solver),
        }
    }

    /// What moves are worth, beside the cells they lead to (or begin from, while nothing is touched).
    pub(super) fn notes(&self) -> Vec<(String, char)> {
        if !self.values || self.is_secret() {
            return Vec::new();
        }
        let mut notes: Vec<(String, char, u8)> = Vec::new();
        for mv in self.solved.iter().flat_map(|solved| &solved.moves) {
            let Some(view) = self.seen.moves.iter().find(|view| view.text == mv.text) else { continue };
            let Some(cell) =
                view.steps.get(self.touched.len()).filter(|_| view.steps.starts_with(&self.touched))
            else {
                continue;
            };
            let (sign, rank) = sign(mv.value);
            match notes.iter_mut().find(|(known, ..)| known == cell) {
                Some(known) if known.2 < rank => *known = (cell.clone(), sign, rank),
                Some(_) => {}
                None => notes.push((cell.clone(), sign, rank)),
            }
        }
        notes.into_iter().map(|(cell, sign, _)| (cell, sign)).collect()
    }
}

/// A sign for a value, and how good it is for the one who moves.
fn sign(value: &str) -> (char, u8) {
    match value {
        "win" | "solvable" => ('+', 3),
        "draw" => ('=', 2),
        "loss" | "unsolvable" => ('-', 0),
        _ => ('?', 1),
    }
}

/// A score as player 0 sees it.
pub(crate) fn absolute(score: ScoreView, side: usize) -> ScoreView {
    match score {
        _ if side == 0 => score,
        ScoreView::Win(plies) => ScoreView::Loss(plies),
        ScoreView::Loss(plies) => ScoreView::Win(plies),
        ScoreView::Estimate(value) => ScoreView::Estimate(-value),
        ScoreView::Draw(_) => score,
    }
}

/// The expected result, from -1 to 1, as the review of games computes it.
fn expected(score: ScoreView) -> f64 {
    match score {
        ScoreView::Win(_) => 1.0,
        ScoreView::Loss(_) => -1.0,
        ScoreView::Draw(_) => 0.0,
        ScoreView::Estimate(value) => (f64::from(value) / 500.0).tanh(),
    }
}
