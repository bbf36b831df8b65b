//! Books of played games, behind the names of the registry.

mod export;
mod import;
mod query;
mod selfplay;
mod views;

pub use export::ExportRequest;
pub use import::ImportRequest;
#[cfg(feature = "cluster")]
pub(crate) use import::{read_lines, sources};
pub use selfplay::{SelfplayRequest, SelfplayView};
pub use tabia_book::import::{BadGame, Event, ImportReport};
#[cfg(feature = "postgres")]
pub use tabia_book::stores::citus::citus_init;
pub use tabia_book::stores::kept::KeptStore;
pub use tabia_book::stores::memory::MemoryStore;
pub use tabia_book::stores::open::{open_reader, open_store, open_to_check};
pub use tabia_book::{
    Error as BookError, Exported, GameFilter, Keep, QueryOptions, Reader, Sort, Stoppable, Store, StoreInfo,
    TopBy, TopOptions, Variant, Verified, verify_bytes,
};
pub use tabia_core::Side;
pub use views::{BookGameView, BookMoveView, BookView, CountsView, RecordView, TopPositionView, TopView};

use crate::whole::GameText;
use crate::{Adapter, InputError, RecordSink, Stop, Watch};
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use tabia_book::Book;
use tabia_core::{Position, Present};
use thiserror::Error;

/// Why something could not be done with a book.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookFailure {
    /// What was typed is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The book is in trouble.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// A position that books of played games can be asked about.
pub trait BookPosition: Send + Sync {
    /// What a book knows about the position.
    fn query(&self, reader: &dyn Reader, options: QueryOptions) -> Result<BookView, BookFailure> {
        self.query_games(reader, options, None, 0)
    }
    /// The same with some of the games that the book kept; a filter leaves only the kept games that it takes, in the
    /// counts, too.
    fn query_games(
        &self,
        reader: &dyn Reader,
        options: QueryOptions,
        filter: Option<&GameFilter>,
        samples: usize,
    ) -> Result<BookView, BookFailure>;
}

/// What can be done with the book of a game.
pub trait BookGame: Send + Sync {
    /// The kinds of game files that can be imported, and the endings of their names.
    fn import_kinds(&self) -> Vec<(&'static str, &'static [&'static str])>;
    /// The kind of a file: as it is named, or as the name of the file tells.
    fn kind_of(&self, path: &Path, named: Option<&str>) -> Result<String, InputError>;
    /// Reads the games of an open file of one of the kinds.
    fn read_games(
        &self,
        kind: &str,
        path: &Path,
        input: &mut dyn BufRead,
        sink: &mut RecordSink<'_>,
    ) -> Result<(), InputError>;
    /// Whether an import can begin: its rules and the kinds of its files are known, and all files can be
    /// read. Asked before a book is made for it.
    fn check_import(&self, request: &ImportRequest) -> Result<(), BookFailure>;
    /// Imports files of games.
    fn import(
        &self,
        store: &dyn Store,
        request: &ImportRequest,
        events: &(dyn Fn(Event<'_>) + Sync),
        stop: &Stop,
    ) -> Result<ImportReport, BookFailure>;
    /// A game that the book kept with its moves, by its id.
    fn kept(&self, reader: &dyn Reader, id: &str) -> Result<GameText, BookFailure>;
    /// Counts one finished game, given as JSON.
    fn record(&self, store: &dyn Store, json: &str) -> Result<RecordView, BookFailure>;
    /// Fills a book with games of an engine against itself; progress is told in games.
    fn selfplay(
        &self,
        store: &dyn Store,
        request: &SelfplayRequest,
        watch: &Watch<'_>,
    ) -> Result<SelfplayView, BookFailure>;
    /// The positions that stand out.
    fn top(
        &self,
        reader: &dyn Reader,
        pos: Option<&str>,
        options: TopOptions,
    ) -> Result<TopView, BookFailure>;
    /// Writes the book out.
    fn export(
        &self,
        reader: &dyn Reader,
        request: ExportRequest<'_>,
        out: &mut dyn Write,
    ) -> Result<Exported, BookFailure>;
    /// Checks the rows of the game's variants against the rules; the names are those it could check.
    fn verify(&self, reader: &dyn Reader) -> Result<(Verified, Vec<String>), BookFailure>;
}

/// Opens a file of games; gzip and zstd are unpacked on the way.
pub fn open_games(path: &Path) -> Result<Box<dyn BufRead>, BookError> {
    tabia_book::input::open(path, Arc::default())
}

/// The position that a text names; the usual start without one.
fn position_of<G: Present>(adapter: &Adapter<G>, pos: Option<&str>) -> Result<Position<G>, InputError> {
    let usual = &adapter.rules;
    let Some(text) = pos else { return Ok(Position { rules: usual.clone(), state: usual.start() }) };
    crate::adapter::position_of(usual, text)
}

/// The rules that a position names; the usual ones without a position.
fn rules_of<G: Present>(adapter: &Adapter<G>, pos: Option<&str>) -> Result<G, InputError> {
    Ok(position_of(adapter, pos)?.rules)
}

impl<G: Present> BookGame for Adapter<G> {
    fn import_kinds(&self) -> Vec<(&'static str, &'static [&'static str])> {
        import::kinds(self)
    }

    fn kind_of(&self, path: &Path, named: Option<&str>) -> Result<String, InputError> {
        import::kind_of(self, path, named)
    }

    fn read_games(
        &self,
        kind: &str,
        path: &Path,
        input: &mut dyn BufRead,
        sink: &mut RecordSink<'_>,
    ) -> Result<(), InputError> {
        import::read_games(self, kind, path, input, sink)
    }

    fn check_import(&self, request: &ImportRequest) -> Result<(), BookFailure> {
        import::sources(self, request).map(drop)
    }

    fn import(
        &self,
        store: &dyn Store,
        request: &ImportRequest,
        events: &(dyn Fn(Event<'_>) + Sync),
        stop: &Stop,
    ) -> Result<ImportReport, BookFailure> {
        import::import(self, store, request, events, stop)
    }

    fn kept(&self, reader: &dyn Reader, id: &str) -> Result<GameText, BookFailure> {
        query::kept(self, reader, id)
    }

    fn record(&self, store: &dyn Store, json: &str) -> Result<RecordView, BookFailure> {
        import::record(self, store, json)
    }

    fn selfplay(
        &self,
        store: &dyn Store,
        request: &SelfplayRequest,
        watch: &Watch<'_>,
    ) -> Result<SelfplayView, BookFailure> {
        selfplay::run(self, store, request, watch)
    }

    fn top(
        &self,
        reader: &dyn Reader,
        pos: Option<&str>,
        options: TopOptions,
    ) -> Result<TopView, BookFailure> {
        let rules = rules_of(self, pos)?;
        let (positions, eligible) = Book::new(&rules, reader)?.top(options)?;
        Ok(views::top(&rules, &positions, eligible))
    }

    fn export(
        &self,
        reader: &dyn Reader,
        request: ExportRequest<'_>,
        out: &mut dyn Write,
    ) -> Result<Exported, BookFailure> {
        export::export(self, reader, request, out)
    }

    fn verify(&self, reader: &dyn Reader) -> Result<(Verified, Vec<String>), BookFailure> {
        let (mut report, mut names) = (Verified::default(), Vec::new());
        for variant in reader.variants()? {
            if let Ok(rules) = self.rules.from_variant(&variant.name) {
                report.add(Book::new(&rules, reader)?.verify()?);
                names.push(variant.name);
            }
        }
        Ok((report, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_book::{Commit, Counts, Fingerprint, GameId, Increments, KeptGames, Ledger, Row};
    use tabia_core::Game;
    use tabia_five_visible::FiveVisible;

    /// One row that no game of 5-Visible leads to.
    struct Planted {
        key: Vec<u8>,
        row: Row,
        is_told: bool,
    }

    impl Increments for Planted {
        fn next(&mut self) -> tabia_book::Result<Option<(&[u8], &Row)>> {
            let is_told = std::mem::replace(&mut self.is_told, true);
            Ok((!is_told).then_some((&self.key[..], &self.row)))
        }
    }

    #[test]
    fn rows_are_checked_against_the_rules_of_their_variant() {
        let adapter = Adapter::new(FiveVisible::default());
        let rules = adapter.rules.from_variant("five-visible+put-back").expect("a variant");
        let store = MemoryStore::new();
        let text = "{\"start\": \"-/-/0/0/1/1/-/-/- 0 - +put-back\", \"moves\": [\"s1\"], \"winner\": 0}";
        assert!(adapter.record(&store, text).expect("recorded").counted);
        let (report, names) = adapter.verify(&store).expect("a report");
        assert_eq!((report.is_sound(), &names[..]), (true, &["five-visible+put-back".to_owned()][..]));
        store.enter("somebodys-game", &Fingerprint::from_bytes(b"print"), &|_| true).expect("entered");
        let number = tabia_book::enter(&store, &rules).expect("entered").number;
        let won = Counts { wins0: 1, wins1: 0, draws: 0 };
        let key = [&[number][..], &[0xFF; 8]].concat();
        let mut rows = Planted { key, row: Row { totals: won, moves: Vec::new() }, is_told: false };
        let ledger = Ledger { games: won, met: 1, played: 0 };
        let commit = Commit {
            variant: number,
            ids: &[GameId([7; 16])],
            ledger,
            rows: &mut rows,
            kept: &KeptGames::default(),
        };
        store.commit(commit).expect("counted");
        assert!(verify_bytes(&mut store.clone()).expect("a report").is_sound(), "the bytes are in order");
        let (report, names) = adapter.verify(&store).expect("a report");
        assert_eq!((report.problems, &names[..]), (1, &["five-visible+put-back".to_owned()][..]));
    }
}
