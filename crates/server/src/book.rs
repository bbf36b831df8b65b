//! The book the server reads and writes, opened once.

use crate::error::{Problem, ServeError};
use axum::http::StatusCode;
use std::sync::Arc;
use tabia_app::book::{BookFailure, Reader, Store, open_reader, open_store};

/// A book, or the reason why there is none.
#[derive(Clone)]
pub(crate) struct Book(Arc<Opened>);

enum Opened {
    Writable(Box<dyn Store>),
    ReadOnly(Box<dyn Reader>),
    Missing(String),
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match *self.0 {
            Opened::Writable(_) => "Book(writable)",
            Opened::ReadOnly(_) => "Book(read-only)",
            Opened::Missing(_) => "Book(missing)",
        })
    }
}

impl Book {
    /// Opens the book that was asked for, or the user's own. Only the first must be there: without the
    /// second everything but statistics still works.
    pub(crate) fn open(address: Option<&str>) -> Result<Self, ServeError> {
        let opened = match address {
            Some(address) => open(address).map_err(ServeError::Book)?,
            None => Self::own(),
        };
        Ok(Book(Arc::new(opened)))
    }

    fn own() -> Opened {
        let Some(path) = None::<std::path::PathBuf> else {
            return Opened::Missing("there is no folder for a book; start with --book PATH".to_owned());
        };
        if let Some(folder) = path.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        match open(&path.to_string_lossy()) {
            Ok(opened) => opened,
            Err(message) => {
                tracing::warn!(%message, "no statistics: the book cannot be opened");
                Opened::Missing(message)
            }
        }
    }

    /// The book, to read.
    pub(crate) fn reader(&self) -> Result<&dyn Reader, Problem> {
        match &*self.0 {
            Opened::Writable(store) => Ok(store.as_reader()),
            Opened::ReadOnly(reader) => Ok(reader.as_ref()),
            Opened::Missing(message) => Err(missing(message)),
        }
    }

    /// The book, to write.
    pub(crate) fn store(&self) -> Result<&dyn Store, Problem> {
        match &*self.0 {
            Opened::Writable(store) => Ok(store.as_ref()),
            Opened::ReadOnly(_) => {
                Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "this book can only be read"))
            }
            Opened::Missing(message) => Err(missing(message)),
        }
    }
}

fn open(address: &str) -> Result<Opened, String> {
    open_store(address)
        .map(Opened::Writable)
        .or_else(|_| open_reader(address).map(Opened::ReadOnly))
        .map_err(|error| error.to_string())
}

fn missing(message: &str) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, format!("there is no book: {message}"))
}

/// A failure of the book, as clients see it.
pub(crate) fn failure(failure: BookFailure) -> Problem {
    match failure {
        BookFailure::Input(error) => error.into(),
        other => Problem::new(StatusCode::SERVICE_UNAVAILABLE, other.to_string()),
    }
}
