//! Asking a book about a position.

use super::{BookFailure, BookPosition, BookView, GameFilter, QueryOptions, Reader, views};
use crate::adapter::Held;
use tabia_book::Book;
use tabia_core::Present;

impl<G: Present> BookPosition for Held<G> {
    fn query_games(
        &self,
        reader: &dyn Reader,
        options: QueryOptions,
        filter: Option<&GameFilter>,
        samples: usize,
    ) -> Result<BookView, BookFailure> {
        let book = Book::new(self.rules(), reader)?;
        let stats = book.query_among(self.state(), options, filter)?;
        let games = book.games(self.state(), filter.unwrap_or(&GameFilter::default()), samples)?;
        let mut view = views::book(self.rules(), self.state(), &stats);
        view.games = games.iter().map(views::game).collect();
        view.filtered = filter.is_some();
        Ok(view)
    }
}
