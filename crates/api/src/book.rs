//! The book that answers come from and games are written to.

use crate::problem::Problem;
use std::sync::Arc;
use tabia_app::book::{BookFailure, Reader, Store};

/// A book, or the reason why there is none.
#[derive(Clone)]
pub struct Book(Arc<Opened>);

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
    /// A book that can be read and written.
    pub fn writable(store: Box<dyn Store>) -> Self {
        Book(Arc::new(Opened::Writable(store)))
    }

    /// A book that can be read.
    pub fn read_only(reader: Box<dyn Reader>) -> Self {
        Book(Arc::new(Opened::ReadOnly(reader)))
    }

    /// No book, and why.
    pub fn missing(reason: impl Into<String>) -> Self {
        Book(Arc::new(Opened::Missing(reason.into())))
    }

    /// The book, to read.
    pub(crate) fn reader(&self) -> Result<&dyn Reader, Problem> {
        match &*self.0 {
            Opened::Writable(store) => Ok(store.as_reader()),
            Opened::ReadOnly(reader) => Ok(reader.as_ref()),
            Opened::Missing(reason) => Err(missing(reason)),
        }
    }

    /// The book, to write.
    pub(crate) fn store(&self) -> Result<&dyn Store, Problem> {
        match &*self.0 {
            Opened::Writable(store) => Ok(store.as_ref()),
            Opened::ReadOnly(_) => Err(Problem::new(503, "this book can only be read")),
            Opened::Missing(reason) => Err(missing(reason)),
        }
    }
}

fn missing(reason: &str) -> Problem {
    Problem::new(503, format!("there is no book: {reason}"))
}

/// A failure of the book, as clients see it.
pub(crate) fn failure(failure: BookFailure) -> Problem {
    match failure {
        BookFailure::Input(error) => error.into(),
        other => Problem::new(503, other.to_string()),
    }
}
