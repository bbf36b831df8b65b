//! [`AnyPosition`] for every game.

use super::Common;
use super::read::{encoded, formats, known_format};
use crate::arrange::ArrangePosition;
use crate::batches::BatchGame;
use crate::book::BookPosition;
use crate::counting::CountPosition;
use crate::film::Frame;
use crate::history::History;
use crate::listed::ListedMoves;
use crate::profile::ProfilePosition;
use crate::search::SearchPosition;
use crate::solve::SolvePosition;
use crate::views::{BoardView, MoveView, PositionView, outcome_name};
use crate::{AnyPosition, ErrorKind, InputError};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use tabia_core::symmetry::Symmetry;
use tabia_core::{CodeField, Key, Outcome, Packed, Position, Present, Record, Side};

/// A position of a known game, with the moves that led to it and what can be asked of it.
#[derive(Clone, Debug)]
pub(crate) struct Held<G: Present> {
    pub(crate) record: Record<G>,
    /// The legal moves, once they were asked for.
    pub(crate) listed: OnceLock<Vec<G::Move>>,
    pub(super) common: Arc<Common<G>>,
}

impl<G: Present> std::ops::Deref for Held<G> {
    type Target = Common<G>;

    fn deref(&self) -> &Common<G> {
        &self.common
    }
}

impl<G: Present> Held<G> {
    pub(crate) fn rules(&self) -> &G {
        self.record.rules()
    }

    pub(crate) fn state(&self) -> &G::State {
        self.record.state()
    }

    /// Another position of the same game.
    pub(crate) fn at(&self, position: Position<G>) -> Held<G> {
        Held { record: Record::new(position), listed: OnceLock::new(), common: Arc::clone(&self.common) }
    }

    /// The same, put together where it is wanted: programs that play object by object come here for every move.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(crate) fn standing_at(&self, state: G::State) -> Held<G> {
        let record = Record::beginning(self.rules().clone(), state);
        Held { record, listed: OnceLock::new(), common: Arc::clone(&self.common) }
    }

    fn code(&self, format: &str) -> Result<String, String> {
        encoded(self.rules(), self.state(), format)
    }
}

impl<G: Present> AnyPosition for Held<G> {
    fn game(&self) -> &str {
        self.rules().id()
    }

    fn variant(&self) -> String {
        self.rules().variant()
    }

    fn view(&self) -> PositionView {
        let (rules, state) = (self.rules(), self.state());
        let canonical = rules.canonicalise(state);
        let side = rules.side(state);
        let outcome = self.record.outcome();
        // One by one: collecting would sort them first, and a sort is eight kilobytes of code for every game.
        let mut codes = BTreeMap::new();
        for format in formats(rules) {
            if let Ok(code) = self.code(&format.id) {
                codes.insert(format.id.clone(), code);
            }
        }
        let code = |format: &str| codes.get(format).cloned().unwrap_or_default();
        PositionView {
            game: rules.id().to_owned().into(),
            variant: rules.variant(),
            position: code("text"),
            side: side.index(),
            side_name: rules.info().sides.get(side.index()).cloned().unwrap_or_default(),
            status: if outcome.is_some() { "finished" } else { "playing" }.into(),
            outcome: outcome.map(|outcome| outcome_name(outcome).into()),
            key: code("key"),
            canonical_key: encoded(rules, &canonical.state, "key").unwrap_or_default(),
            packed: code("packed"),
            canonical: rules.format(&canonical.state),
            symmetry: canonical.symmetry.name(),
            move_count: rules.count_moves(state),
            codes,
        }
    }

    fn text(&self) -> String {
        self.rules().format(self.state())
    }

    fn side(&self) -> Side {
        self.rules().side(self.state())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    fn key(&self) -> Key {
        self.rules().key(self.state())
    }

    fn canonical(&self) -> (Box<dyn AnyPosition>, String) {
        let canonical = self.rules().canonicalise(self.state());
        let position = Position { rules: self.rules().clone(), state: canonical.state };
        (Box::new(self.at(position)), canonical.symmetry.name())
    }

    fn packed(&self) -> Vec<u8> {
        self.rules().pack(self.state()).as_bytes().to_vec()
    }

    fn encode(&self, format: &str) -> Result<String, InputError> {
        known_format(self.rules(), format)?;
        self.code(format).map_err(|message| InputError::new(ErrorKind::Invalid, self.text(), message))
    }

    fn code_fields(&self) -> Vec<CodeField> {
        self.rules().code_fields(self.state())
    }

    fn move_count(&self) -> u64 {
        self.rules().count_moves(self.state())
    }

    fn move_texts(&self) -> Vec<String> {
        let text = |&mv| self.rules().format_move(self.state(), mv);
        self.moves_here().iter().map(text).collect()
    }

    fn moves(&self) -> Vec<MoveView> {
        self.moves_here().iter().map(|&mv| self.move_view(mv)).collect()
    }

    fn offered(&self) -> Vec<MoveView> {
        self.offered_moves()
    }

    fn refusal(&self, steps: &[String]) -> Option<String> {
        self.refused_steps(steps)
    }

    fn listed(&self) -> &dyn ListedMoves {
        self
    }

    fn play(&mut self, text: &str) -> Result<(), InputError> {
        let moves =
            self.rules().parse_moves(self.state(), text).map_err(|error| InputError::mv(text, &error))?;
        for mv in moves {
            self.record.play(mv).map_err(|error| InputError::mv(text, &error.into()))?;
            self.listed.take();
        }
        Ok(())
    }

    fn play_nth(&mut self, number: usize) -> Result<(), InputError> {
        let moves = self.moves_here();
        let illegal = |message: String| InputError::new(ErrorKind::Illegal, number.to_string(), message);
        let Some(&mv) = moves.get(number) else {
            return Err(illegal(format!(
                "there are {} legal moves here, none with number {number}",
                moves.len()
            )));
        };
        self.record.play_listed(mv).map_err(|error| illegal(error.message))?;
        self.listed.take();
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.listed.take();
        self.record.undo().is_some()
    }

    fn played(&self) -> Vec<String> {
        let moves = self.record.states().iter().zip(self.record.moves());
        moves.map(|(state, &mv)| self.rules().format_move(state, mv)).collect()
    }

    fn opening(&self) -> Option<&'static str> {
        self.last_opening()
    }

    fn history(&self) -> &dyn History {
        self
    }

    fn board(&self) -> BoardView {
        self.pictured(self.state())
    }

    fn film(&self, line: &[String]) -> Result<Vec<Frame>, InputError> {
        self.filmed(line)
    }

    fn parse_here(&self, text: &str) -> Result<Box<dyn AnyPosition>, InputError> {
        let position = self.rules().parse(text).map_err(|error| InputError::position(text, &error))?;
        Ok(Box::new(self.at(position)))
    }

    fn boxed_clone(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn counting(&self) -> &dyn CountPosition {
        self
    }

    fn as_search(&self) -> Option<&dyn SearchPosition> {
        (self.rules().players() == 2).then_some(self)
    }

    fn as_solve(&self) -> Option<&dyn SolvePosition> {
        self.capabilities.solve().is_some().then_some(self)
    }

    fn as_book(&self) -> Option<&dyn BookPosition> {
        Some(self)
    }

    fn as_arrange(&self) -> Option<&dyn ArrangePosition> {
        self.capabilities.arrange.is_some().then_some(self)
    }

    fn as_batches(&self) -> Option<&dyn BatchGame> {
        self.capabilities.batches.is_some().then_some(self)
    }

    fn as_profile(&self) -> Option<&dyn ProfilePosition> {
        self.capabilities.profile.is_some().then_some(self)
    }
}
