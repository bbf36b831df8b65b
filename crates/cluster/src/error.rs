//! What can go wrong among many machines.

use std::path::PathBuf;
use tabia_core::GameError;
use tabia_solve::{FileError, SolveError};
use thiserror::Error;

/// Why the work did not come to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A list of hosts that cannot be used.
    #[error("{}: {message}", path.display())]
    Hosts {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        message: String,
    },
    /// No place to listen at.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// The address of this process.
        address: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// A process that did not answer in time when the work began.
    #[error("{peer} did not connect within {seconds} s")]
    Absent {
        /// The process.
        peer: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// Two processes that do not belong to the same work.
    #[error("{peer} does other work: {message}")]
    Refused {
        /// The process.
        peer: String,
        /// What differs.
        message: String,
    },
    /// A connection that was closed in the middle of the work.
    #[error("lost the connection to {peer}")]
    Lost {
        /// The process.
        peer: String,
    },
    /// A process that has been silent for too long.
    #[error("heard nothing from {peer} for {seconds} s")]
    Silent {
        /// The process.
        peer: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// A process that failed and said why.
    #[error("{peer} failed: {message}")]
    Failed {
        /// The process.
        peer: String,
        /// What it said.
        message: String,
    },
    /// A message that makes no sense: another program, or damage.
    #[error("worker {worker} sent something that is no message of this step: {message}")]
    Garbled {
        /// Who sent it.
        worker: usize,
        /// What is wrong.
        message: String,
    },
    /// The processes could not be set up.
    #[error("cannot start the workers: {0}")]
    Start(String),
    /// What the work cannot be done for.
    #[error("{0}")]
    Unsupported(String),
    /// Somebody stopped the work.
    #[error("stopped")]
    Stopped,
    /// The game broke a law of the core traits, or its rules failed.
    #[error(transparent)]
    Game(#[from] GameError),
    /// What a solver on one machine would say as well.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// What a book says.
    #[error(transparent)]
    Book(#[from] tabia_book::Error),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
}

impl ClusterError {
    /// Says which file the system refused.
    pub(crate) fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> ClusterError + '_ {
        |error| FileError::Io { path: path.to_owned(), error }.into()
    }

    /// A file that does not hold what was written.
    pub(crate) fn damaged(path: &std::path::Path, message: impl Into<String>) -> Self {
        FileError::Damaged { path: path.to_owned(), message: message.into() }.into()
    }
}
