//! The book the server reads and writes, opened once.

use crate::error::ServeError;
use std::path::Path;
use tabia_api::Book;
use tabia_app::book::{open_reader, open_store};

/// Opens the book that was asked for, or the user's own. Only the first must be there: without the
/// second everything but statistics still works.
pub(crate) fn open(address: Option<&str>, own: Option<&Path>) -> Result<Book, ServeError> {
    match address {
        Some(address) => open_at(address).map_err(ServeError::Book),
        None => Ok(open_own(own)),
    }
}

fn open_own(path: Option<&Path>) -> Book {
    let Some(path) = path else {
        return Book::missing("there is no folder for a book; start with --book PATH");
    };
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    open_at(&path.to_string_lossy()).unwrap_or_else(|message| {
        tracing::warn!(%message, "no statistics: the book cannot be opened");
        Book::missing(message)
    })
}

fn open_at(address: &str) -> Result<Book, String> {
    open_store(address)
        .map(Book::writable)
        .or_else(|_| open_reader(address).map(Book::read_only))
        .map_err(|error| error.to_string())
}
