//! A position as the last one of a game: what came before it, and the game as a file tells it.

use crate::adapter::Held;
use crate::whole::write_kind;
use crate::{AnyPosition, InputError};
use tabia_core::{DrawReason, Position, Present, RecordedGame};

/// The game that led to a position.
pub trait History: Send + Sync {
    /// The position now, without what came before.
    fn alone(&self) -> Box<dyn AnyPosition>;
    /// All positions of the game, the first first, each without what came before.
    fn positions(&self) -> Vec<Box<dyn AnyPosition>>;
    /// The number of moves played.
    fn plies(&self) -> usize;
    /// How often the position now has occurred, this time included.
    fn occurrences(&self) -> u32;
    /// Plies since the last progress, as the game's rules count it.
    fn quiet_plies(&self) -> u32;
    /// Why history makes the game a draw, in words; `None` where it does not.
    fn draw_reason(&self) -> Option<&'static str>;
    /// The kinds of files that the game can be written in; `jsonl` is always one of them.
    fn file_kinds(&self) -> Vec<&'static str>;
    /// The game as it stands in a file of this kind, with these tags.
    fn written(&self, kind: &str, tags: &[(String, String)]) -> Result<String, InputError>;
}

impl<G: Present> History for Held<G> {
    fn alone(&self) -> Box<dyn AnyPosition> {
        Box::new(self.standing(self.state().clone()))
    }

    fn positions(&self) -> Vec<Box<dyn AnyPosition>> {
        let boxed = |state: &G::State| -> Box<dyn AnyPosition> { Box::new(self.standing(state.clone())) };
        self.record.states().iter().map(boxed).collect()
    }

    fn plies(&self) -> usize {
        self.record.moves().len()
    }

    fn occurrences(&self) -> u32 {
        self.record.occurrences()
    }

    fn quiet_plies(&self) -> u32 {
        self.record.quiet_plies()
    }

    fn draw_reason(&self) -> Option<&'static str> {
        self.record.draw_reason().map(DrawReason::name)
    }

    fn file_kinds(&self) -> Vec<&'static str> {
        let own = self.capabilities.files.map_or_else(Default::default, |files| (files.kinds)(self.rules()));
        own.iter().map(|file| file.id).chain(["jsonl"]).collect()
    }

    fn written(&self, kind: &str, tags: &[(String, String)]) -> Result<String, InputError> {
        write_kind(self.rules(), &self.capabilities, kind, &self.recorded(tags))
    }
}

impl<G: Present> Held<G> {
    /// Another position under the same rules, without a history.
    fn standing(&self, state: G::State) -> Self {
        self.at(Position { rules: self.rules().clone(), state })
    }

    fn recorded(&self, tags: &[(String, String)]) -> RecordedGame<G> {
        let state = self.record.states().first().unwrap_or(self.state()).clone();
        let start = Position { rules: self.rules().clone(), state };
        let game = RecordedGame::new(start, self.record.moves().to_vec(), self.record.outcome());
        RecordedGame { tags: tags.to_vec(), ..game }
    }
}
