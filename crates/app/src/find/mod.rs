//! Questions over positions, from any source: tables, books, everything that can be reached, files.

mod ask;
mod views;

pub use tabia_report::find::{Origin, Owned};
pub use views::{FieldView, FindView, FoundView};

pub(crate) use ask::Asked;

use crate::adapter::{Adapter, Held};
use crate::book::{BookFailure, Reader};
use crate::solve::{SolveRequest, WorkError, opened_small};
use crate::watch::Watch;
use crate::{ErrorKind, InputError};
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::PathBuf;
use tabia_book::Book;
use tabia_core::enumerate::{End, EnumerateOptions};
use tabia_core::{Position, Present, Probe};
use tabia_report::find::{Known, Played, Vocabulary, unpacked};

/// Positions of a book or a file that are handed on together.
const BATCH: usize = 1 << 16;

/// What to ask.
#[derive(Clone, Debug)]
pub struct FindRequest {
    /// The question, in CEL.
    pub expression: String,
    /// What to sort by: a field, or any expression.
    pub sort: Option<String>,
    /// The largest first.
    pub descending: bool,
    /// The most positions to tell.
    pub limit: usize,
    /// Look at the whole source to count everything that fits, also beyond the limit.
    pub count: bool,
    /// A position whose rules are used, and from which positions are enumerated; the start when left out.
    pub position: Option<String>,
    /// Tables of exact values; the usual ones when left out.
    pub tables: Option<PathBuf>,
    /// Threads to use.
    pub threads: usize,
    /// Bytes that tables of positions may use.
    pub memory: u64,
}

impl Default for FindRequest {
    fn default() -> Self {
        FindRequest {
            expression: String::new(),
            sort: None,
            descending: false,
            limit: 20,
            count: false,
            position: None,
            tables: None,
            threads: 1,
            memory: crate::solve::DEFAULT_MEMORY,
        }
    }
}

/// Where to look.
pub enum FindSource<'a> {
    /// The tables of the request, or the usual ones.
    Tables,
    /// A book of played games.
    Book(&'a dyn Reader),
    /// Everything that can be reached.
    Enumerate {
        /// Stop after this many plies.
        depth: Option<u32>,
        /// Look at a position and its images under the game's symmetries once.
        symmetry: bool,
    },
    /// A position on each line; what follows a tab is left alone.
    Lines(&'a mut dyn BufRead),
}

impl FindSource<'_> {
    fn origin(&self) -> Origin {
        match self {
            FindSource::Tables => Origin::Tables,
            FindSource::Book(_) => Origin::Book,
            FindSource::Enumerate { .. } => Origin::Enumerate,
            FindSource::Lines(_) => Origin::File,
        }
    }
}

/// Why a question was not answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindFailure {
    /// The question is wrong, or a table is.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// The book is in trouble.
    #[error(transparent)]
    Book(#[from] BookFailure),
}

impl From<InputError> for FindFailure {
    fn from(error: InputError) -> Self {
        FindFailure::Work(error.into())
    }
}

/// Somebody who hears of each position found.
pub type FindSink<'a> = dyn FnMut(&FoundView) -> ControlFlow<()> + 'a;

/// A game whose positions can be asked about.
pub trait FindGame: Send + Sync {
    /// The fields that questions may use.
    fn find_fields(&self) -> Vec<FieldView>;
    /// Finds positions; `sink` hears of each, in the order of the source or as they are sorted.
    fn find(
        &self,
        request: &FindRequest,
        source: FindSource<'_>,
        watch: &Watch<'_>,
        sink: &mut FindSink<'_>,
    ) -> Result<FindView, FindFailure>;
}

impl<G: Present> FindGame for Adapter<G> {
    fn find_fields(&self) -> Vec<FieldView> {
        views::fields(&Vocabulary::of(&self.rules, Origin::Tables, true))
    }

    fn find(
        &self,
        request: &FindRequest,
        source: FindSource<'_>,
        watch: &Watch<'_>,
        sink: &mut FindSink<'_>,
    ) -> Result<FindView, FindFailure> {
        let start = match &request.position {
            Some(text) => self.read(text)?,
            None => Position { rules: self.rules.clone(), state: self.rules.start() },
        };
        let held = self.hold(start);
        if let FindSource::Tables = source {
            let path = held.usual_tables(request, watch)?;
            let open = self
                .common
                .capabilities
                .tables
                .ok_or_else(|| crate::any::lacks(self.rules.id(), "tables"))?;
            return Ok((open.open)(held.rules(), &path)?.find(request, watch, sink)?);
        }
        held.find(request, source, watch, sink)
    }
}

impl<G: Present> Held<G> {
    /// Where the tables are that a question without a path means.
    fn usual_tables(&self, request: &FindRequest, watch: &Watch<'_>) -> Result<PathBuf, WorkError> {
        if let Some(path) = &request.tables {
            return Ok(path.clone());
        }
        let means = SolveRequest {
            threads: request.threads,
            memory: request.memory.max(crate::solve::DEFAULT_MEMORY),
            ..SolveRequest::default()
        };
        if self.capabilities.solvers.small.is_some() {
            return Ok(opened_small(self, &means, watch)?.file().path().to_owned());
        }
        if let Some(endings) = self.capabilities.endings {
            return (endings.usual)(self, &means, watch);
        }
        let message = format!("{} has no tables of its own: name some with --tables", self.rules().id());
        Err(InputError::new(ErrorKind::Unsupported, "tables", message).into())
    }

    /// The exact values that positions of any source are looked up in, where there are some.
    fn values(
        &self,
        request: &FindRequest,
        watch: &Watch<'_>,
    ) -> Result<Option<Box<dyn Probe<G>>>, WorkError> {
        if self.capabilities.solvers.small.is_none() && self.capabilities.endings.is_none() {
            return Ok(None);
        }
        let path = self.usual_tables(request, watch)?;
        if let Some(endings) = self.capabilities.endings {
            return Ok((endings.open)(self.rules(), &path));
        }
        Ok(Some(Box::new(tabia_solve::KeyedTable::open(self.rules().clone(), &path)?)))
    }

    fn find(
        &self,
        request: &FindRequest,
        source: FindSource<'_>,
        watch: &Watch<'_>,
        sink: &mut FindSink<'_>,
    ) -> Result<FindView, FindFailure> {
        let exact = self.capabilities.solvers.small.is_some() || self.capabilities.endings.is_some();
        let asked = Asked::new(self.rules(), request, source.origin(), exact)?;
        // Tables are opened, or built, only where the question needs them.
        let values = if asked.needs_values() { self.values(request, watch)? } else { None };
        match source {
            FindSource::Tables => Err(WorkError::from(crate::any::lacks(self.rules().id(), "tables")).into()),
            FindSource::Enumerate { depth, symmetry } => {
                let options = EnumerateOptions { symmetry, depth };
                let work = watch.work(request.threads, request.memory);
                let mut run = |finder: &mut ask::Finder<'_, G>| {
                    let all = finder.enumerated(self.state(), options, &work)?;
                    Ok(matches!(all.end, End::Complete | End::Depth))
                };
                Ok(asked.answer(self.rules(), values.as_deref(), None, watch, sink, &mut run)?)
            }
            FindSource::Book(reader) => self.find_in_book(&asked, values.as_deref(), reader, watch, sink),
            FindSource::Lines(lines) => {
                Ok(self.find_in_lines(&asked, values.as_deref(), lines, watch, sink)?)
            }
        }
    }

    fn find_in_book(
        &self,
        asked: &Asked<'_>,
        values: Option<&dyn Probe<G>>,
        reader: &dyn Reader,
        watch: &Watch<'_>,
        sink: &mut FindSink<'_>,
    ) -> Result<FindView, FindFailure> {
        let book = Book::new(self.rules(), reader).map_err(BookFailure::from)?;
        let rows = reader.info().map_err(BookFailure::from)?.rows;
        let mut trouble: Option<FindFailure> = None;
        let mut run = |finder: &mut ask::Finder<'_, G>| {
            let Some(variant) = book.variant() else { return Ok(true) };
            let mut failed = None;
            let mut batch: Vec<(G::State, Played)> = Vec::new();
            let mut look = |batch: &mut Vec<(G::State, Played)>| {
                let known =
                    |(_, played): &(G::State, Played)| Known { played: Some(*played), ..Known::default() };
                let looked = finder.listed(batch, known, |(state, _)| Ok(state.clone()));
                batch.clear();
                looked.unwrap_or_else(|error| {
                    failed = Some(error);
                    ControlFlow::Break(())
                })
            };
            let mut enough = ControlFlow::Continue(());
            let scanned = reader.scan(variant.number, &mut |key, row| {
                match unpacked(self.rules(), key.get(1..).unwrap_or_default()) {
                    Ok(state) => {
                        let side = self.rules().side(&state);
                        let (wins, losses) = (row.totals.wins(side), row.totals.wins(side.other()));
                        batch.push((state, Played { wins, draws: row.totals.draws, losses }));
                    }
                    Err(reason) => {
                        trouble = Some(InputError::new(ErrorKind::Damaged, "the book", reason).into());
                    }
                }
                if batch.len() >= BATCH {
                    enough = look(&mut batch);
                }
                if trouble.is_some() { ControlFlow::Break(()) } else { enough }
            });
            if let Err(error) = scanned {
                trouble = Some(BookFailure::from(error).into());
            }
            if enough.is_continue() {
                let _ = look(&mut batch);
            }
            failed.map_or(Ok(true), Err)
        };
        let view = asked.answer(self.rules(), values, Some(rows), watch, sink, &mut run)?;
        trouble.map_or(Ok(view), Err)
    }

    fn find_in_lines(
        &self,
        asked: &Asked<'_>,
        values: Option<&dyn Probe<G>>,
        lines: &mut dyn BufRead,
        watch: &Watch<'_>,
        sink: &mut FindSink<'_>,
    ) -> Result<FindView, WorkError> {
        let mut trouble = None;
        let mut run = |finder: &mut ask::Finder<'_, G>| {
            let mut number = 0;
            loop {
                let mut batch = Vec::new();
                let ended = loop {
                    match self.next_line(lines, &mut number) {
                        Ok(Some(position)) => batch.push(position),
                        Ok(None) => break true,
                        Err(error) => {
                            trouble = Some(error);
                            break true;
                        }
                    }
                    if batch.len() >= BATCH {
                        break false;
                    }
                };
                let known = |(_, line): &(G::State, u64)| Known { line: Some(*line), ..Known::default() };
                let looked = finder.listed(&batch, known, |(state, _)| Ok(state.clone()))?;
                if ended || looked.is_break() {
                    return Ok(true);
                }
            }
        };
        let view = asked.answer(self.rules(), values, None, watch, sink, &mut run)?;
        trouble.map_or(Ok(view), |error| Err(error.into()))
    }

    /// The next position of a file, and its line.
    fn next_line(
        &self,
        lines: &mut dyn BufRead,
        number: &mut u64,
    ) -> Result<Option<(G::State, u64)>, InputError> {
        loop {
            let mut line = String::new();
            *number += 1;
            let at = |message: String| format!("line {number}: {message}");
            let read = lines.read_line(&mut line);
            let read = read.map_err(|error| InputError::new(ErrorKind::Syntax, "", at(error.to_string())))?;
            if read == 0 {
                return Ok(None);
            }
            let text = line.split('\t').next().unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            let position = crate::adapter::position_of(self.rules(), text)
                .map_err(|error| InputError { message: at(error.message.clone()), ..error })?;
            if position.rules.variant() != self.rules().variant() {
                let other = position.rules.variant();
                let message =
                    at(format!("a position of {other}, but the others are of {}", self.rules().variant()));
                return Err(InputError::new(ErrorKind::Invalid, text, message));
            }
            return Ok(Some((position.state, *number)));
        }
    }
}
