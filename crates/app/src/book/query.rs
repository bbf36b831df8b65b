//! Asking a book about a position.

use super::{BookFailure, BookView, QueryOptions, Reader, views};
use crate::adapter::Held;
use tabia_book::Book;
use tabia_core::Present;

impl<G: Present> Held<G> {
    /// What a book knows about this position.
    pub(crate) fn book_view(
        &self,
        reader: &dyn Reader,
        options: QueryOptions,
    ) -> Result<BookView, BookFailure> {
        let stats = Book::new(self.rules(), reader)?.query(self.state(), options)?;
        Ok(views::book(self.rules(), self.state(), &stats))
    }
}
