//! Whole games as text: read from files or from a plain list of moves, and written again, with comments, marks and
//! variations.

mod list;
mod read;
mod tell;
mod views;

pub(crate) use read::{known, read_kind, write_kind};
pub(crate) use tell::{recorded, told};
pub use views::{GameText, LineText, MoveText, Skipped};
pub(crate) use views::{result_of, result_word};

use crate::{Adapter, InputError};
use tabia_core::Present;

/// The games of a text.
#[derive(Clone, Debug, Default)]
pub struct ReadGames {
    /// As many as were asked for.
    pub games: Vec<GameText>,
    /// How many more there are.
    pub more: usize,
    /// The moves of all of them.
    pub plies: usize,
    /// The games that could not be used.
    pub skipped: Vec<Skipped>,
}

/// Games of any kind from text and as text; every game has this.
pub trait WholeGames: Send + Sync {
    /// The kinds of text, such as `pgn`; `jsonl` is always the last.
    fn text_kinds(&self) -> Vec<&'static str>;
    /// Reads the games of a text of a kind, and keeps so many of them.
    fn read_text(&self, kind: &str, text: &str, most: usize) -> Result<ReadGames, InputError>;
    /// Reads a plain list of moves, with or without numbers, from whichever named start it fits.
    fn read_list(&self, text: &str) -> Result<GameText, InputError>;
    /// A game from a start (a text, a name; the usual one when left out) and its moves.
    fn of_moves(&self, start: Option<&str>, moves: &[String]) -> Result<GameText, InputError>;
    /// A game with every move checked, and written as the game writes it.
    fn checked(&self, game: &GameText) -> Result<GameText, InputError>;
    /// Writes a game as a text of a kind.
    fn write_text(&self, kind: &str, game: &GameText) -> Result<String, InputError>;
}

impl<G: Present> WholeGames for Adapter<G> {
    fn text_kinds(&self) -> Vec<&'static str> {
        read::kinds(&self.rules, &self.common.capabilities)
    }

    fn read_text(&self, kind: &str, text: &str, most: usize) -> Result<ReadGames, InputError> {
        read::read_text(&self.rules, &self.common.capabilities, kind, text, most)
    }

    fn read_list(&self, text: &str) -> Result<GameText, InputError> {
        list::read(&self.rules, text).map(|game| told(&game))
    }

    fn of_moves(&self, start: Option<&str>, moves: &[String]) -> Result<GameText, InputError> {
        let start = tell::start_of(&self.rules, start)?;
        tell::played(start, moves).map(|game| told(&game))
    }

    fn checked(&self, game: &GameText) -> Result<GameText, InputError> {
        recorded(&self.rules, game).map(|game| told(&game))
    }

    fn write_text(&self, kind: &str, game: &GameText) -> Result<String, InputError> {
        write_kind(&self.rules, &self.common.capabilities, kind, &recorded(&self.rules, game)?)
    }
}
