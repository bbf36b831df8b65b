//! What can go wrong with a book.

use crate::GameId;
use std::path::{Path, PathBuf};
use tabia_core::GameError;
use thiserror::Error;

/// Why something could not be done with a book.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// There is no book here.
    #[error("no book at {0}: import or record games first, or name one with --book")]
    Missing(String),
    /// The bytes are not what Tabia wrote.
    #[error("{place} is damaged or not a Tabia book: {reason}")]
    Damaged {
        /// The file or table.
        place: String,
        /// What was found.
        reason: String,
    },
    /// A later version wrote the book.
    #[error("{place} has format {found}, this version knows formats up to {known}: use a newer Tabia")]
    Newer {
        /// The file or database.
        place: String,
        /// Its format.
        found: u32,
        /// The newest format this version reads.
        known: u32,
    },
    /// An earlier version wrote the book, in a way that is no longer read.
    #[error(
        "{place} has format {found}, this version reads format {known}: import its games into a new book"
    )]
    Older {
        /// The file or database.
        place: String,
        /// Its format.
        found: u32,
        /// The format this version reads.
        known: u32,
    },
    /// The store that the address names was left out of this program.
    #[error("{place} is a {kind} book, and this program was built without them")]
    NoStore {
        /// The address.
        place: String,
        /// The kind of store.
        kind: &'static str,
    },
    /// Tags were to be kept where they cannot be.
    #[error("{0} keeps neither tags nor moves of games: only redb books do, and imports without --runs")]
    NoTags(String),
    /// Another process has the book.
    #[error("{0} is in use by another process: wait for it, or use another book")]
    InUse(String),
    /// The game numbers its moves or packs its positions in another way than the writer of the book.
    #[error("{place} was written with another encoding of {variant}: import its games into a new book")]
    Encoding {
        /// The file or database.
        place: String,
        /// The game with its options.
        variant: String,
    },
    /// Some games of a commit were counted before; nothing was changed.
    #[error("{} of the games were counted before", .0.len())]
    AlreadyCounted(Vec<GameId>),
    /// The book can only be read.
    #[error("{0} can only be read")]
    ReadOnly(String),
    /// The database refused.
    #[error("{place}: {reason}")]
    Database {
        /// The file or server.
        place: String,
        /// What it said.
        reason: String,
    },
    /// The database took a transaction back because of others at the same moment; it can be tried again.
    #[error("{place}: {reason}")]
    TryAgain {
        /// The server.
        place: String,
        /// What it said.
        reason: String,
    },
    /// A thread of an import panicked, with these words; the rules or the reader of its games are at fault.
    #[error("the import failed: {0}")]
    Panic(String),
    /// The work was told to stop; what it had done so far is not given.
    #[error("stopped")]
    Stopped,
    /// A game that cannot be counted.
    #[error("{0}")]
    Game(String),
}

/// Rules that have failed: nothing they said is written down.
impl From<GameError> for Error {
    fn from(error: GameError) -> Self {
        Error::Game(error.to_string())
    }
}

/// The result of an operation on a book.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn io(path: impl AsRef<Path>) -> impl FnOnce(std::io::Error) -> Error {
        move |error| Error::Io { path: path.as_ref().to_owned(), error }
    }

    // Taken by value so that callers pass what they have: a path's display, a text, an error.
    #[allow(clippy::needless_pass_by_value)]
    pub(crate) fn damaged(place: impl ToString, reason: impl ToString) -> Error {
        Error::Damaged { place: place.to_string(), reason: reason.to_string() }
    }

    #[allow(clippy::needless_pass_by_value)]
    pub(crate) fn database(place: impl ToString, reason: impl ToString) -> Error {
        Error::Database { place: place.to_string(), reason: reason.to_string() }
    }
}
