//! Games and positions without their types: what the front ends hold.
//!
//! [`AnyGame`] and [`AnyPosition`] are what every game has. What only some have is a trait of its own,
//! reached as an `Option`:
//!
//! | capability | trait | reached by |
//! |---|---|---|
//! | `perft`, `enumerate`, `playout` | [`CountPosition`] | [`AnyPosition::counting`] |
//! | `search` | [`SearchPosition`] | [`AnyPosition::as_search`] |
//! | `solve` | [`SolvePosition`] | [`AnyPosition::as_solve`] |
//! | `book` | [`BookPosition`], [`BookGame`] | [`AnyPosition::as_book`], [`AnyGame::as_book`] |
//! | `tablebase` | [`TablesGame`] | [`AnyGame::as_tables`] |
//! | `device` | [`DeviceGame`] | [`AnyGame::as_device`] |
//! | `files` | [`FilesGame`] | [`AnyGame::as_files`] |
//! | `annotate` | [`AnnotateGame`] | [`AnyGame::as_annotate`] |
//! | `report` | [`ProfilePosition`] | [`AnyPosition::as_profile`] |
//! | `arrange` | [`ArrangePosition`] | [`AnyPosition::as_arrange`] |
//! | `batch` | [`BatchGame`] | [`AnyGame::as_batches`], [`AnyPosition::as_batches`] |
//!
//! Callers that cannot go on without one use the methods that return a [`Result`] instead
//! (`position.search()?`): the error names the game and what it lacks.

use crate::annotate::AnnotateGame;
use crate::arrange::ArrangePosition;
use crate::batches::BatchGame;
use crate::book::{BookGame, BookPosition};
use crate::counting::CountPosition;
use crate::device::DeviceGame;
use crate::files::FilesGame;
use crate::film::Frame;
use crate::history::History;
use crate::listed::ListedMoves;
use crate::profile::ProfilePosition;
use crate::puzzles::PuzzlesGame;
use crate::search::SearchPosition;
use crate::solve::SolvePosition;
use crate::tablebase::TablesGame;
use crate::views::{BoardView, GameView, MoveView, PositionView};
use crate::whole::WholeGames;
use crate::{ErrorKind, InputError, Settings};
use std::any::Any;
use std::sync::Arc;
use tabia_core::{CodeField, Key, Outcome, Side};

/// A game of the registry. It can be asked for its type again, as [`Any`].
pub trait AnyGame: Any + Send + Sync {
    /// The name in the registry.
    fn id(&self) -> &str;
    /// The introduction.
    fn view(&self) -> GameView;
    /// The default position.
    fn start(&self) -> Box<dyn AnyPosition>;
    /// A position from anything the game knows: the name of an opening or board, a text, or a code that can
    /// be read back. They are tried in this order; an error speaks of what the input looked most like, and a code that
    /// stands for different positions in two formats is refused.
    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, InputError>;
    /// A position from a code of one format.
    fn decode(&self, code: &str, format: &str) -> Result<Box<dyn AnyPosition>, InputError>;
    /// A code straight from text, for codes that are defined for more than legal positions.
    fn encode_text(&self, text: &str, format: &str) -> Result<String, InputError>;
    /// Why the rules themselves have failed, if they have: no answer given since can be trusted.
    fn fault(&self) -> Option<String>;
    /// The same game with these settings.
    fn with_settings(&self, settings: &Arc<Settings>) -> Arc<dyn AnyGame>;
    /// Whole games as text.
    fn whole_games(&self) -> &dyn WholeGames;
    /// Questions over positions.
    #[cfg(not(target_family = "wasm"))]
    fn finding(&self) -> &dyn crate::find::FindGame;
    /// Work on many machines.
    #[cfg(feature = "cluster")]
    fn as_cluster(&self) -> Option<&dyn crate::cluster::ClusterGame>;
    /// Puzzles.
    fn puzzles(&self) -> &dyn PuzzlesGame;
    /// Files of recorded games.
    fn as_files(&self) -> Option<&dyn FilesGame>;
    /// Played games looked at again.
    fn as_annotate(&self) -> Option<&dyn AnnotateGame>;
    /// Tables of exact values.
    fn as_tables(&self) -> Option<&dyn TablesGame>;
    /// Ending tables on a GPU.
    fn as_device(&self) -> Option<&dyn DeviceGame>;
    /// Books of played games.
    fn as_book(&self) -> Option<&dyn BookGame>;
    /// Many games at once.
    fn as_batches(&self) -> Option<&dyn BatchGame>;
}

/// A position, with the moves that led to it.
pub trait AnyPosition: Send + Sync {
    /// The game's id.
    fn game(&self) -> &str;
    /// The game with its rule options that are not default.
    fn variant(&self) -> String;
    /// The position and its codes.
    fn view(&self) -> PositionView;
    /// The game's own text of the position.
    fn text(&self) -> String;
    /// Who is to move.
    fn side(&self) -> Side;
    /// How the game ended, on the board or by its history; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// The 64-bit hash.
    fn key(&self) -> Key;
    /// The representative of the position's class under symmetry, and the name of the symmetry that leads there.
    fn canonical(&self) -> (Box<dyn AnyPosition>, String);
    /// The exact encoding, without its variant.
    fn packed(&self) -> Vec<u8>;
    /// The position in one of the formats.
    fn encode(&self, format: &str) -> Result<String, InputError>;
    /// The codes taken apart, bit by bit.
    fn code_fields(&self) -> Vec<CodeField>;

    /// The number of legal moves.
    fn move_count(&self) -> u64;
    /// The texts of the legal moves.
    fn move_texts(&self) -> Vec<String>;
    /// The legal moves with everything that front ends show.
    fn moves(&self) -> Vec<MoveView>;
    /// The same in the order in which people are offered a choice between moves with the same steps.
    fn offered(&self) -> Vec<MoveView>;
    /// Why no legal move begins with clicks on these cells, in a few words; `None` when one does.
    fn refusal(&self, steps: &[String]) -> Option<String>;
    /// The legal moves by their number.
    fn listed(&self) -> &dyn ListedMoves;
    /// Plays a move (or several in a row, where the game writes them as one).
    fn play(&mut self, text: &str) -> Result<(), InputError>;
    /// Plays the legal move with this number, from 0, in the order of [`AnyPosition::moves`].
    fn play_nth(&mut self, number: usize) -> Result<(), InputError>;
    /// Takes back the last move; `false` at the start.
    fn undo(&mut self) -> bool;
    /// The moves so far.
    fn played(&self) -> Vec<String>;
    /// The name of the opening that they are, or began with, where the game names it.
    fn opening(&self) -> Option<&'static str>;

    /// The game that led here.
    fn history(&self) -> &dyn History;

    /// What to draw.
    fn board(&self) -> BoardView;
    /// The pictures of a line of moves: this position, then the position after each of them.
    fn film(&self, line: &[String]) -> Result<Vec<Frame>, InputError>;

    /// Another position under the rules (options, board) of this one.
    fn parse_here(&self, text: &str) -> Result<Box<dyn AnyPosition>, InputError>;
    /// The same position again.
    fn boxed_clone(&self) -> Box<dyn AnyPosition>;

    /// Counting what can come.
    fn counting(&self) -> &dyn CountPosition;
    /// Searching for the best move.
    fn as_search(&self) -> Option<&dyn SearchPosition>;
    /// Exact answers.
    fn as_solve(&self) -> Option<&dyn SolvePosition>;
    /// What books of played games know.
    fn as_book(&self) -> Option<&dyn BookPosition>;
    /// Setting up positions piece by piece, on this board and by these rules.
    fn as_arrange(&self) -> Option<&dyn ArrangePosition>;
    /// Many games at once that start here.
    fn as_batches(&self) -> Option<&dyn BatchGame>;
    /// Reports of what the game is like from here.
    fn as_profile(&self) -> Option<&dyn ProfilePosition>;
}

/// What a game lacks.
pub(crate) fn lacks(game: &str, what: &str) -> InputError {
    InputError::new(ErrorKind::Unsupported, game, format!("{game} has no {what}"))
}

impl dyn AnyGame + '_ {
    /// Files of recorded games.
    pub fn files(&self) -> Result<&dyn FilesGame, InputError> {
        self.as_files().ok_or_else(|| lacks(self.id(), "files of recorded games"))
    }

    /// Played games looked at again.
    pub fn annotate(&self) -> Result<&dyn AnnotateGame, InputError> {
        self.as_annotate().ok_or_else(|| lacks(self.id(), "judge of positions"))
    }

    /// Ending tables on a GPU.
    pub fn device(&self) -> Result<&dyn DeviceGame, InputError> {
        self.as_device().ok_or_else(|| crate::device::unsupported(self.id()))
    }

    /// Work on many machines.
    #[cfg(feature = "cluster")]
    pub fn cluster(&self) -> Result<&dyn crate::cluster::ClusterGame, InputError> {
        self.as_cluster().ok_or_else(|| lacks(self.id(), "work on many machines"))
    }

    /// Tables of exact values.
    pub fn tables(&self) -> Result<&dyn TablesGame, InputError> {
        self.as_tables().ok_or_else(|| lacks(self.id(), "tables of exact values"))
    }

    /// Books of played games.
    pub fn book(&self) -> Result<&dyn BookGame, InputError> {
        self.as_book().ok_or_else(|| lacks(self.id(), "books of played games"))
    }

    /// Many games at once.
    pub fn batches(&self) -> Result<&dyn BatchGame, InputError> {
        self.as_batches().ok_or_else(|| lacks(self.id(), "batches"))
    }

    /// The names of what can be asked of the game.
    pub fn capabilities(&self) -> Vec<&'static str> {
        let start = self.start();
        let optional = [
            ("search", start.as_search().is_some()),
            ("solve", start.as_solve().is_some()),
            ("tablebase", self.as_tables().is_some()),
            ("book", self.as_book().is_some()),
            ("files", self.as_files().is_some()),
            ("annotate", self.as_annotate().is_some()),
            ("batch", self.as_batches().is_some()),
            ("arrange", start.as_arrange().is_some()),
            ("report", start.as_profile().is_some()),
        ];
        let has = optional.into_iter().filter(|(_, has)| *has).map(|(name, _)| name);
        ["perft", "enumerate", "playout"].into_iter().chain(has).collect()
    }
}

impl dyn AnyPosition + '_ {
    /// Searching for the best move.
    pub fn search(&self) -> Result<&dyn SearchPosition, InputError> {
        self.as_search().ok_or_else(|| lacks(self.game(), "opponent to search against: it is for one player"))
    }

    /// Exact answers.
    pub fn solve(&self) -> Result<&dyn SolvePosition, InputError> {
        self.as_solve().ok_or_else(|| lacks(self.game(), "solver"))
    }

    /// What books of played games know.
    pub fn book(&self) -> Result<&dyn BookPosition, InputError> {
        self.as_book().ok_or_else(|| lacks(self.game(), "books of played games"))
    }

    /// Setting up positions piece by piece.
    pub fn arrange(&self) -> Result<&dyn ArrangePosition, InputError> {
        self.as_arrange().ok_or_else(|| lacks(self.game(), "way to set up positions piece by piece"))
    }

    /// Many games at once that start here.
    pub fn batches(&self) -> Result<&dyn BatchGame, InputError> {
        self.as_batches().ok_or_else(|| lacks(self.game(), "batches"))
    }

    /// Reports of what the game is like from here.
    pub fn profile(&self) -> Result<&dyn ProfilePosition, InputError> {
        self.as_profile().ok_or_else(|| lacks(self.game(), "reports in this program"))
    }
}
