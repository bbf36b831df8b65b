//! Asking a book about a position.

use super::{BookFailure, BookPosition, BookView, QueryOptions, Reader, views};
use crate::adapter::Held;
use tabia_book::Book;
use tabia_core::Present;

impl<G: Present> BookPosition for Held<G> {
    fn query(&self, reader: &dyn Reader, options: QueryOptions) -> Result<BookView, BookFailure> {
        let stats = Book::new(self.rules(), reader)?.query(self.state(), options)?;
        Ok(views::book(self.rules(), self.state(), &stats))
    }
}
