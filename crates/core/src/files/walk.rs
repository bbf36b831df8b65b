//! A game with its variations, step by step in the order in which files tell it.

use super::{ID_TAG, Note, RecordedGame};
use crate::{Game, Position};
use std::convert::Infallible;

/// What a file of games says next.
#[derive(Debug)]
pub enum Step<'a, G: Game> {
    /// A move.
    Move {
        /// The position it is played in.
        state: &'a G::State,
        /// The move.
        mv: G::Move,
        /// How many moves have been played before it from the start of the game.
        ply: usize,
        /// Whether it begins a line or comes after a comment or a variation: its number is then written.
        fresh: bool,
    },
    /// A remark.
    Note(&'a Note),
    /// A variation begins: its number (from 1) and where it starts.
    Open(usize, &'a G::State),
    /// A variation ends.
    Close,
}

/// A line on the way: how far it has been told.
struct Told<G: Game> {
    line: usize,
    /// Moves before the line, and moves of the line told so far.
    base: usize,
    ply: usize,
    notes: usize,
    branches: usize,
    state: G::State,
    /// The position before the last move, where the next variation begins.
    before: G::State,
}

impl<G: Game> Told<G> {
    fn new(line: usize, base: usize, state: G::State) -> Self {
        Told { line, base, ply: 0, notes: 0, branches: 0, before: state.clone(), state }
    }
}

impl<G: Game> RecordedGame<G> {
    /// The moves and remarks of a line: 0 is the game itself, n its n-th variation.
    fn line_of(&self, line: usize) -> (&[G::Move], &[Note]) {
        match line.checked_sub(1).and_then(|at| self.variations.get(at)) {
            Some(variation) => (&variation.moves, &variation.notes),
            None => (&self.moves, &self.notes),
        }
    }

    /// Tells the game with its remarks and variations: a variation after the move that it replaces.
    pub fn for_each_step<E>(&self, each: &mut dyn FnMut(Step<'_, G>) -> Result<(), E>) -> Result<(), E> {
        let mut branches = vec![Vec::new(); self.variations.len() + 1];
        for (number, variation) in (1..).zip(&self.variations) {
            // Only an earlier line can be left; what says otherwise belongs to no game.
            if variation.of < number {
                branches[variation.of].push(number);
            }
        }
        sort_by_ply(
            &mut branches,
            &self.variations.iter().map(|variation| variation.after).collect::<Vec<_>>(),
        );
        let mut open = vec![Told::<G>::new(0, 0, self.start.state.clone())];
        let mut fresh = true;
        while let Some(told) = open.last_mut() {
            let (moves, notes) = self.line_of(told.line);
            let ended = told.ply >= moves.len();
            while let Some(note) = notes.get(told.notes).filter(|note| ended || note.after <= told.ply) {
                each(Step::Note(note))?;
                told.notes += 1;
                fresh |= !note.comment.is_empty();
            }
            let branch = branches[told.line].get(told.branches).copied();
            let due = |number: &usize| ended || self.variations[number - 1].after < told.ply;
            if let Some(number) = branch.filter(due) {
                told.branches += 1;
                each(Step::Open(number, &told.before))?;
                let (base, start) = (told.base + told.ply.saturating_sub(1), told.before.clone());
                open.push(Told::new(number, base, start));
                fresh = true;
            } else if let Some(&mv) = moves.get(told.ply) {
                let ply = told.base + told.ply;
                each(Step::Move { state: &told.state, mv, ply, fresh })?;
                fresh = false;
                if branch.is_some() {
                    told.before = told.state.clone();
                }
                self.start.rules.play(&mut told.state, mv);
                told.ply += 1;
            } else {
                open.pop();
                if !open.is_empty() {
                    each(Step::Close)?;
                    fresh = true;
                }
            }
        }
        Ok(())
    }

    /// The game without its variations, and each variation as a game that starts where it leaves its
    /// line, so that no move counts twice. It has the result of the game, unless its own last position
    /// is decided, and the tag `Variation` with its number.
    pub fn lines(&self) -> Vec<RecordedGame<G>> {
        let mut lines = vec![RecordedGame { variations: Vec::new(), ..self.clone() }];
        let Ok(()) = self.for_each_step::<Infallible>(&mut |step| {
            if let Step::Open(number, start) = step {
                lines.extend(self.variation_as_game(number, start));
            }
            Ok(())
        });
        lines
    }

    /// `None` when the variation has no moves.
    fn variation_as_game(&self, number: usize, start: &G::State) -> Option<RecordedGame<G>> {
        let variation = self.variations.get(number - 1).filter(|variation| !variation.moves.is_empty())?;
        let rules = &self.start.rules;
        let mut last = start.clone();
        variation.moves.iter().for_each(|&mv| rules.play(&mut last, mv));
        let mut tags = self.tags.clone();
        // A given id names the whole game; its variations are others.
        let ids = tags.iter_mut().filter(|(name, _)| name == ID_TAG);
        ids.for_each(|(_, id)| id.push_str(&format!("/{number}")));
        tags.push(("Variation".to_owned(), number.to_string()));
        Some(RecordedGame {
            tags,
            start: Position { rules: rules.clone(), state: start.clone() },
            moves: variation.moves.clone(),
            outcome: rules.settled(&last).or(self.outcome),
            notes: variation.notes.clone(),
            variations: Vec::new(),
            warning: None,
            ..*self
        })
    }
}

/// Puts the variations that leave each line in the order of the plies after which they do; they are numbered from 1. Not part of anything
/// generic: the library's sort is large, and once is enough.
fn sort_by_ply(branches: &mut [Vec<usize>], after: &[usize]) {
    for of_line in branches {
        of_line.sort_by_key(|number| after[number - 1]);
    }
}
