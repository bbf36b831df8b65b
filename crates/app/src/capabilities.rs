//! What a game can be asked beyond its rules.
//!
//! A capability is a function pointer, instantiated for the game by the `with_...` method of
//! [`crate::Adapter`] that requires the trait behind it: so the registry's one line decides, the
//! compiler checks, and nothing inside the function is dynamic.

use crate::adapter::Held;
use crate::enumerate::LevelsFn;
use crate::search::Searching;
use crate::solve::{SolveFn, SolveView};
use crate::tablebase::Tables;
use std::io::{BufRead, Write};
use tabia_core::files::GameSink;
use tabia_core::{Game, GameFile, Present, RecordedGame};

/// Writes a game in a kind of file.
type WriteGame<G> = fn(&G, &str, &RecordedGame<G>, &mut dyn Write) -> std::io::Result<()>;

/// Reads all games of a kind of file.
type ReadGamesFn<G> = fn(&G, &str, &mut dyn BufRead, &mut GameSink<'_, G>) -> std::io::Result<()>;

/// The entry of a Polyglot file for a move of a position with a weight.
pub(crate) type PolyglotFn<G> = fn(&<G as Game>::State, <G as Game>::Move, u16) -> [u8; 16];

/// The optional capabilities of a game.
pub(crate) struct Capabilities<G: Present> {
    /// How it is solved, where it has a way of its own.
    pub(crate) solve: Option<SolveFn<G>>,
    /// How its positions are counted, where it has a way of its own.
    pub(crate) levels: Option<LevelsFn<G>>,
    /// The answer of ending tables on disk, for a search to begin with.
    pub(crate) ending: Option<fn(&Held<G>) -> Option<SolveView>>,
    /// How its tables are built and opened.
    pub(crate) tables: Tables<G>,
    /// The kinds of game files it reads.
    pub(crate) files: Option<fn(&G) -> &'static [GameFile]>,
    /// Reads the games of one of them.
    pub(crate) read: Option<ReadGamesFn<G>>,
    /// Writes a game to one of them.
    pub(crate) write: Option<WriteGame<G>>,
    /// How an entry of a Polyglot book is written.
    pub(crate) polyglot: Option<PolyglotFn<G>>,
    /// Search with the game's evaluation.
    pub(crate) search: Option<Searching<G>>,
}

impl<G: Present> Capabilities<G> {
    /// The names of what can be asked, for people and programs.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let optional = [("files", self.files.is_some()), ("search", self.search.is_some())];
        let common = ["perft", "enumerate", "playout", "solve", "tablebase"];
        common.into_iter().chain(optional.iter().filter(|(_, has)| *has).map(|(name, _)| *name)).collect()
    }
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Capabilities<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Capabilities<G> {}

impl<G: Present> Default for Capabilities<G> {
    fn default() -> Self {
        Capabilities {
            solve: None,
            levels: None,
            ending: None,
            tables: Tables::default(),
            files: None,
            read: None,
            polyglot: None,
            write: None,
            search: None,
        }
    }
}

impl<G: Present> std::fmt::Debug for Capabilities<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
