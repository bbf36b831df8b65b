//! Asking a book about a position.

use super::{BookFailure, BookPosition, BookView, GameFilter, QueryOptions, Reader, views};
use crate::adapter::Held;
use crate::whole::{GameText, told};
use crate::{Adapter, ErrorKind, InputError};
use tabia_book::{Book, GameId};
use tabia_core::{Position, Present, RecordedGame};

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

/// A kept game with its moves. Its id is what was typed, so whatever is wrong is said of it.
pub(super) fn kept<G: Present>(
    adapter: &Adapter<G>,
    reader: &dyn Reader,
    id: &str,
) -> Result<GameText, BookFailure> {
    let unknown = |message: &str| InputError::new(ErrorKind::Unknown, id, message);
    let Ok(game_id) = id.parse::<GameId>() else {
        return Err(unknown("this is no id of a game: 32 hexadecimal digits are").into());
    };
    let game = reader.kept(game_id)?.ok_or_else(|| unknown("the book keeps no game with this id"))?;
    let number = game.moves.as_ref().map(|moves| moves.variant);
    let number = number.ok_or_else(|| unknown("the book keeps no moves of this game"))?;
    let variant = reader.variants()?.into_iter().find(|variant| variant.number == number);
    let rules = variant.and_then(|variant| adapter.rules.from_variant(&variant.name).ok());
    let rules = rules.ok_or_else(|| unknown("this is a game of another kind"))?;
    let replayed = Book::new(&rules, reader)?.replay(&game)?;
    let (state, moves) = replayed.ok_or_else(|| unknown("the book keeps no moves of this game"))?;
    let played = RecordedGame::new(Position { rules, state }, moves, Some(game.outcome));
    Ok(told(&RecordedGame { tags: game.tags, ..played }))
}
