//! Files of recorded games: the vocabulary of readers and writers that live with their games.

mod lines;
mod notes;
mod walk;

pub use lines::Lines;
pub use notes::{Note, Variation, take_mark};
pub use walk::Step;

use crate::{Game, Outcome, Position};
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use thiserror::Error;

/// The tag that holds a given id, which tells a game apart from all others.
pub const ID_TAG: &str = "GameId";

/// A kind of game file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// The word for it on the command line: `pdn`, `pgn`, `acf`.
    pub id: &'static str,
    /// File name endings, without the dot, lower case.
    pub extensions: &'static [&'static str],
    /// What it is, in a few words.
    pub about: &'static str,
}

/// A game read from a file: all its moves were legal.
#[derive(Clone, Debug)]
pub struct RecordedGame<G: Game> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line it begins on, from 1.
    pub line: u64,
    /// Tag pairs in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Where it started; the game's usual start where the file says nothing.
    pub start: Position<G>,
    /// The moves.
    pub moves: Vec<G::Move>,
    /// The result the file claims; `None` for unfinished or unknown.
    pub outcome: Option<Outcome>,
    /// Marks and comments on the moves, in the order of the moves.
    pub notes: Vec<Note>,
    /// Moves that could have been played instead, in the order in which the file tells them.
    pub variations: Vec<Variation<G::Move>>,
    /// A remark that does not make the game unusable, such as a result that contradicts the board.
    pub warning: Option<String>,
}

impl<G: Game> RecordedGame<G> {
    /// A game with nothing said about it, the first of its file.
    pub fn new(start: Position<G>, moves: Vec<G::Move>, outcome: Option<Outcome>) -> Self {
        RecordedGame {
            number: 1,
            line: 1,
            tags: Vec::new(),
            start,
            moves,
            outcome,
            notes: Vec::new(),
            variations: Vec::new(),
            warning: None,
        }
    }
}

/// A game in a file that could not be used. The games after it still can.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {number}, line {line}: {message}")]
pub struct FileError {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line of the trouble, from 1.
    pub line: u64,
    /// What was wrong, naming the move.
    pub message: String,
}

/// What a reader hands on, one game at a time; it answers whether to go on.
pub type GameSink<'a, G> = dyn FnMut(Result<RecordedGame<G>, FileError>) -> ControlFlow<()> + 'a;

/// Readers and writers of game files, streaming: memory does not grow with the file.
pub trait ReadGames: Game {
    /// The kinds of file this game has.
    fn game_files(&self) -> &'static [GameFile];

    /// Reads all games of a file. Only trouble with the file itself is an `Err`.
    fn read_games(
        &self,
        kind: &str,
        input: &mut dyn BufRead,
        sink: &mut GameSink<'_, Self>,
    ) -> std::io::Result<()>;

    /// Writes one game in a kind of file; kinds that cannot be written give `Unsupported`.
    fn write_game(
        &self,
        kind: &str,
        game: &RecordedGame<Self>,
        output: &mut dyn Write,
    ) -> std::io::Result<()>;
}
