//! Puzzles: one move is right.

use super::{Desk, Panel};
use crate::tree::Tree;
use tabia_app::puzzles::PuzzleRecord;

/// How a puzzle stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trial {
    Open,
    /// This was tried.
    Wrong(String),
    Solved,
    /// The solution was asked for.
    Shown,
}

/// A puzzle that is being solved.
#[derive(Clone, Debug)]
pub(crate) struct Trainer {
    pub(crate) puzzle: PuzzleRecord,
    pub(crate) trial: Trial,
    /// Its number, the easiest first.
    number: usize,
}

impl Trainer {
    /// Whether its solution is not to be seen yet.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.trial, Trial::Open | Trial::Wrong(_))
    }
}

impl Desk {
    /// Puts the next puzzle on the board, or the one before: they go from easy to hard.
    pub(crate) fn next_puzzle(&mut self, by: isize) {
        let all = self.game.puzzles().shipped().all();
        let now = self.trainer.as_ref().map(|trainer| trainer.number);
        let number = now.map_or(Some(0), |now| now.checked_add_signed(by)).unwrap_or(0);
        let Some(puzzle) = all.get(number).or(all.first()).cloned() else {
            self.message = "this game has no puzzles".to_owned();
            return;
        };
        let number = if number < all.len() { number } else { 0 };
        match self.game.parse(&puzzle.position) {
            Ok(position) => {
                self.trainer = Some(Trainer { puzzle, trial: Trial::Open, number });
                self.tags.clear();
                self.tree = Tree::new();
                (self.position, self.review, self.engine_on) = (position, None, false);
                self.look();
                self.show(Panel::Puzzles);
            }
            Err(error) => self.message = error.message,
        }
    }

    /// Touches the piece that moves.
    pub(crate) fn hint(&mut self) {
        let Some(trainer) = self.trainer.as_ref().filter(|trainer| trainer.is_open()) else { return };
        let right = self.seen.moves.iter().find(|mv| mv.text == trainer.puzzle.mv);
        self.touched = right.into_iter().filter_map(|mv| mv.steps.first().cloned()).collect();
    }

    /// Plays the right move.
    pub(crate) fn solution(&mut self) {
        let Some(trainer) = self.trainer.as_mut().filter(|trainer| trainer.is_open()) else { return };
        trainer.trial = Trial::Shown;
        let mv = trainer.puzzle.mv.clone();
        self.go(0);
        self.play(&mv);
    }

    /// Looks whether the first move was the right one; another is taken back.
    pub(super) fn judge_trial(&mut self) {
        let Some(trainer) = self.trainer.as_mut().filter(|trainer| trainer.is_open()) else { return };
        let Some(first) = self.tree.path(self.tree.current).first().copied() else { return };
        let tried = self.tree.node(first).text.clone();
        if tried == trainer.puzzle.mv {
            trainer.trial = Trial::Solved;
            let mut at = first;
            for mv in trainer.puzzle.line.clone() {
                at = self.tree.add(at, &mv);
            }
            return;
        }
        trainer.trial = Trial::Wrong(tried);
        self.go(0);
        self.tree.delete(first);
    }
}
