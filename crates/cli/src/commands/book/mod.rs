//! `tabia book`: statistics of played games.

mod ask;
mod check;
mod fill;

#[cfg(feature = "cluster")]
pub(crate) use fill::{ImportView, imported};

use crate::args::Common;
use clap::{Args, Subcommand};
use std::io::ErrorKind;
use tabia_app::book::{BookError, BookFailure, Reader, Store, open_reader, open_store};

/// Statistics of played games.
#[derive(Args, Debug)]
pub(crate) struct Book {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

/// Where the book is.
#[derive(Args, Clone, Debug)]
pub(crate) struct Place {
    /// The book: a file, a folder of runs, or postgres://user@host/database (default: in the user's data folder)
    #[arg(long, global = true, value_name = "PATH or URL")]
    book: Option<String>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Import files of games: each game counts once, however often it is imported
    Import(fill::Import),
    /// Count one finished game, given as JSON
    Record(fill::Record),
    /// Fill the book with games of the engine against itself
    Selfplay(fill::Selfplay),
    /// What was played in a position, and how it ended
    Query(ask::Query),
    /// The positions that stand out
    Top(ask::Top),
    /// Write the book out
    Export(check::Export),
    /// Check every row of the book
    Verify,
    /// What the book contains
    Info,
    /// Set a PostgreSQL book up for Citus: its rows are spread over the servers, its ids stay on the coordinator
    CitusInit,
}

impl Book {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        match &self.command {
            Command::Import(import) => import.run(common, &self.place),
            Command::Record(record) => record.run(common, &self.place),
            Command::Selfplay(selfplay) => selfplay.run(common, &self.place),
            Command::Query(query) => query.run(common, &self.place),
            Command::Top(top) => top.run(common, &self.place),
            Command::Export(export) => export.run(common, &self.place),
            Command::Verify => check::verify(common, &self.place),
            Command::Info => ask::info(common, &self.place),
            Command::CitusInit => check::citus_init(common, &self.place),
        }
    }
}

impl Place {
    fn address(&self, common: &Common) -> anyhow::Result<String> {
        let default = || common.registry.settings().book.as_ref().map(|path| path.display().to_string());
        let address = self.book.clone().or_else(default);
        address.ok_or_else(|| anyhow::anyhow!("there is no folder for data here: name a book with --book"))
    }

    fn store(&self, common: &Common) -> anyhow::Result<Box<dyn Store>> {
        Ok(open_store(&self.address(common)?)?)
    }

    pub(crate) fn reader(&self, common: &Common) -> anyhow::Result<Box<dyn Reader>> {
        Ok(open_reader(&self.address(common)?)?)
    }
}

/// Errors of input keep their type, so that they are shown with a caret.
fn told<T>(result: Result<T, BookFailure>) -> anyhow::Result<T> {
    result.map_err(|failure| match failure {
        BookFailure::Input(error) => error.into(),
        // A reader that has seen enough is no failure; the caller looks for this error.
        BookFailure::Book(BookError::Io { error, .. }) if error.kind() == ErrorKind::BrokenPipe => {
            error.into()
        }
        other => other.into(),
    })
}
