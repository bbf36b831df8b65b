//! The legal moves of a position by their number: made when they are asked for, one at a time.
//!
//! Lists of texts and pictures are what people look at; a program that walks through positions needs the number
//! of moves and the position after one of them, and nothing else should cost it time.

use crate::adapter::Held;
use crate::views::{MoveView, hex_code};
use crate::{AnyPosition, InputError};
use std::collections::HashMap;
use tabia_core::{MoveError, Present, sort_few_by_key};

/// The legal moves of a position, from 0, in the order of [`AnyPosition::moves`].
pub trait ListedMoves: Send + Sync {
    /// How many there are.
    fn count(&self) -> usize;
    /// The text of one.
    fn nth_text(&self, number: usize) -> Option<String>;
    /// Everything that front ends show of one.
    fn nth_view(&self, number: usize) -> Option<MoveView>;
    /// Whether one takes pieces off the board: whether there are fewer after it.
    fn nth_captures(&self, number: usize) -> Option<bool>;
    /// The number of the move that a text stands for.
    fn number_of(&self, text: &str) -> Result<usize, InputError>;
    /// The position after one; it knows nothing of what was played before.
    fn after(&self, number: usize) -> Option<Box<dyn AnyPosition>>;
}

impl<G: Present> Held<G> {
    /// The legal moves; they are listed once.
    pub(crate) fn moves_here(&self) -> &[G::Move] {
        if let Some(moves) = self.listed.get() {
            return moves;
        }
        // Nobody waits for somebody else's list: rules in a foreign language may have a lock of their own.
        let mut moves = Vec::with_capacity(32);
        self.rules().moves(self.state(), &mut moves);
        let _ = self.listed.set(moves);
        self.listed.get().map_or(&[], Vec::as_slice)
    }

    fn state_after(&self, mv: G::Move) -> G::State {
        let mut state = self.state().clone();
        self.rules().play(&mut state, mv);
        state
    }

    /// The legal moves in the order in which people choose among those with the same steps.
    pub(crate) fn offered_moves(&self) -> Vec<MoveView> {
        let moves = self.moves_here();
        let views: Vec<MoveView> = moves.iter().map(|&mv| self.move_view(mv)).collect();
        let mut first: HashMap<&[String], usize> = HashMap::with_capacity(views.len());
        let groups: Vec<usize> =
            views.iter().enumerate().map(|(n, view)| *first.entry(&view.steps).or_insert(n)).collect();
        let ranked = groups.into_iter().zip(moves).zip(views);
        let mut ranked: Vec<_> =
            ranked.map(|((group, &mv), view)| ((group, self.rules().choice_rank(mv)), view)).collect();
        // Moves that nobody has to choose between stay where they are.
        sort_few_by_key(&mut ranked, |(place, _)| *place);
        ranked.into_iter().map(|(_, view)| view).collect()
    }

    /// Why no legal move begins with these steps; `None` when one does.
    pub(crate) fn refused_steps(&self, steps: &[String]) -> Option<String> {
        let (rules, state) = (self.rules(), self.state());
        let begins = |&mv: &G::Move| rules.steps(state, mv).starts_with(steps);
        if self.moves_here().iter().any(begins) {
            return None;
        }
        // One cell is rarely a move, and its name may be read as another one.
        let stuck = if let [cell] = steps { rules.stuck(state, cell) } else { None };
        if let Some(reason) = stuck.filter(|_| self.record.outcome().is_none()) {
            return Some(reason);
        }
        let read = rules.parse_move(state, &rules.text_of_steps(steps));
        Some(match (read, self.record.outcome()) {
            (Err(MoveError::Illegal(error)), _) => error.message,
            (_, Some(_)) => "the game is over".to_owned(),
            _ if steps.len() == 1 => format!("nothing can move from {} now", steps[0]),
            _ => "this is no move here".to_owned(),
        })
    }

    pub(crate) fn move_view(&self, mv: G::Move) -> MoveView {
        let (rules, state) = (self.rules(), self.state());
        MoveView {
            text: rules.format_move(state, mv),
            code: rules.move_code(state, mv).map(|code| hex_code(code, 2)),
            position: rules.format(&self.state_after(mv)),
            steps: rules.steps(state, mv),
            choice: rules.choice(state, mv),
        }
    }
}

impl<G: Present> ListedMoves for Held<G> {
    fn count(&self) -> usize {
        self.moves_here().len()
    }

    fn nth_text(&self, number: usize) -> Option<String> {
        let mv = *self.moves_here().get(number)?;
        Some(self.rules().format_move(self.state(), mv))
    }

    fn nth_view(&self, number: usize) -> Option<MoveView> {
        self.moves_here().get(number).map(|&mv| self.move_view(mv))
    }

    fn nth_captures(&self, number: usize) -> Option<bool> {
        let after = self.state_after(*self.moves_here().get(number)?);
        let pieces = |state| self.rules().picture(state).pieces.len();
        Some(pieces(&after) < pieces(self.state()))
    }

    fn number_of(&self, text: &str) -> Result<usize, InputError> {
        let read = self.rules().parse_move(self.state(), text);
        let mv = read.map_err(|error| InputError::mv(text, &error))?;
        let place = self.moves_here().iter().position(|&listed| listed == mv);
        place.ok_or_else(|| InputError::new(crate::ErrorKind::Illegal, text, "this move is not legal here"))
    }

    fn after(&self, number: usize) -> Option<Box<dyn AnyPosition>> {
        let mv = *self.moves_here().get(number)?;
        let mut state = self.state().clone();
        self.rules().play(&mut state, mv);
        Some(Box::new(self.standing_at(state)))
    }
}
