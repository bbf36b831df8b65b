//! What can go wrong with a solution or its file.

use std::path::PathBuf;
use tabia_core::{GameError, ProbeError};
use thiserror::Error;

/// Why there is no solution.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// More memory would be needed than was allowed.
    #[error(
        "needs more than the {} allowed: {positions} positions found so far, about {per_position} bytes each",
        bytes(*.limit)
    )]
    Memory {
        /// Positions found when the limit was passed.
        positions: u64,
        /// Bytes for each.
        per_position: u64,
        /// The limit.
        limit: u64,
    },
    /// The tables would need more memory than allowed.
    #[error("{positions} positions need {} of memory, more than the {} allowed", bytes(*.needed), bytes(*.limit))]
    TooLarge {
        /// All positions.
        positions: u64,
        /// Bytes for them at the worst moment.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// A device that should have helped did not.
    #[error("{0}")]
    Device(String),
    /// More positions than the solver can number.
    #[error("more than {0} positions cannot be solved in one table")]
    TooMany(u64),
    /// A distance does not fit its code.
    #[error("a win takes more than {} plies, which the tables cannot hold", crate::code::LONGEST)]
    TooLong,
    /// The game broke a law of the core traits, or its rules failed.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The patience with a game that grows and grows was at its end.
    #[error("gave up: {positions} positions were found, and there is no end to them")]
    GaveUp {
        /// Positions found until then.
        positions: u64,
    },
    /// Somebody stopped the work; what was done is in the checkpoint, if there is one.
    #[error("stopped")]
    Stopped,
    /// A source of values that is not a file.
    #[error("{0}")]
    Probe(ProbeError),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<ProbeError> for SolveError {
    fn from(error: ProbeError) -> Self {
        error.downcast().map_or_else(SolveError::Probe, |file| SolveError::File(*file))
    }
}

/// Why a file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system said no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Not a file of this kind, or not of a version that can be read.
    #[error("{}: {message}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        message: String,
    },
    /// The bytes are not those that were written.
    #[error("{}: damaged: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit, and where.
        message: String,
    },
}

impl FileError {
    /// Says which file the system refused.
    pub fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> FileError + '_ {
        |error| FileError::Io { path: path.to_owned(), error }
    }

    pub(crate) fn foreign(path: &std::path::Path, message: impl Into<String>) -> Self {
        FileError::Foreign { path: path.to_owned(), message: message.into() }
    }

    pub(crate) fn damaged(path: &std::path::Path, message: impl Into<String>) -> Self {
        FileError::Damaged { path: path.to_owned(), message: message.into() }
    }
}

/// A number of bytes for people.
pub fn bytes(count: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut amount = count as f64;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} bytes") } else { format!("{amount:.1} {}", units[unit]) }
}
