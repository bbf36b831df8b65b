//! All games of a file, some of them side by side, told in the order of the file.

use super::{AnnotateRequest, AnnotationView, views};
use crate::solve::WorkError;
use crate::watch::Watch;
use crate::whole::{Skipped, known, read_kind, write_kind};
use crate::{Adapter, ErrorKind, InputError, Progress};
use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use tabia_core::{FileError, Present, RecordedGame, threads};

/// Opens the file, from its beginning.
pub type Open<'a> = dyn Fn() -> std::io::Result<Box<dyn BufRead>> + 'a;

/// Games that are held at the same time, for each thread.
const HELD: usize = 8;

/// What became of a game of a file.
#[derive(Clone, Debug)]
pub enum AnnotatedGame {
    /// It was looked at: as a text of the kind of its file, and what was found.
    Done(String, Box<AnnotationView>),
    /// It could not be used.
    Skipped(Skipped),
}

/// A game on its way: read, then looked at.
type Slot<G> = (Result<RecordedGame<G>, FileError>, Mutex<Option<Result<Option<AnnotatedGame>, WorkError>>>);

pub(super) fn annotate<G: Present>(
    adapter: &Adapter<G>,
    (kind, written): (&str, &str),
    open: &Open<'_>,
    request: &AnnotateRequest,
    watch: &Watch<'_>,
    sink: &mut dyn FnMut(AnnotatedGame) -> ControlFlow<()>,
) -> Result<(), WorkError> {
    known(&adapter.rules, &adapter.common.capabilities, kind)?;
    known(&adapter.rules, &adapter.common.capabilities, written)?;
    let mut total = 0;
    read(adapter, kind, open, &mut |game| {
        total += game.map_or(0, |game| game.moves.len() as u64 + 1);
        if watch.stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let done = AtomicU64::new(0);
    let tell = || {
        let done = done.fetch_add(1, Relaxed) + 1;
        (watch.progress)(&Progress::positions("annotate", done, Some(total)));
    };
    let mut work = Batch { adapter, written, request, watch, tell: &tell, waiting: Vec::new(), failed: None };
    read(adapter, kind, open, &mut |game| work.take(game, sink))?;
    let _ = work.finish(sink);
    work.failed.map_or(Ok(()), Err)
}

fn read<G: Present>(
    adapter: &Adapter<G>,
    kind: &str,
    open: &Open<'_>,
    sink: &mut dyn FnMut(Result<RecordedGame<G>, FileError>) -> ControlFlow<()>,
) -> Result<(), InputError> {
    let failed = |error: std::io::Error| InputError::new(ErrorKind::Invalid, kind, error.to_string());
    let mut input = open().map_err(failed)?;
    read_kind(&adapter.rules, &adapter.common.capabilities, kind, &mut *input, sink).map_err(failed)
}

/// Games that are looked at side by side.
struct Batch<'a, G: Present> {
    adapter: &'a Adapter<G>,
    /// The kind of text that games are written as.
    written: &'a str,
    request: &'a AnnotateRequest,
    watch: &'a Watch<'a>,
    /// Called for every position that has been judged.
    tell: &'a (dyn Fn() + Sync),
    waiting: Vec<Slot<G>>,
    failed: Option<WorkError>,
}

impl<G: Present> Batch<'_, G> {
    fn take(
        &mut self,
        game: Result<RecordedGame<G>, FileError>,
        sink: &mut dyn FnMut(AnnotatedGame) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.waiting.push((game, Mutex::new(None)));
        if self.waiting.len() < self.request.threads.max(1) * HELD {
            return ControlFlow::Continue(());
        }
        self.finish(sink)
    }

    /// Looks at what is waiting and hands it on. A game that was interrupted ends the work.
    fn finish(&mut self, sink: &mut dyn FnMut(AnnotatedGame) -> ControlFlow<()>) -> ControlFlow<()> {
        let (waiting, next) = (std::mem::take(&mut self.waiting), AtomicUsize::new(0));
        threads::run(self.request.threads.clamp(1, waiting.len().max(1)), |_| {
            while let Some((game, answer)) = waiting.get(next.fetch_add(1, Relaxed)) {
                let found = self.one(game);
                *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
            }
        });
        for (_, answer) in waiting {
            match answer.into_inner().unwrap_or_else(PoisonError::into_inner) {
                Some(Ok(Some(game))) => sink(game)?,
                Some(Err(error)) => {
                    self.failed = Some(error);
                    return ControlFlow::Break(());
                }
                Some(Ok(None)) | None => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    /// One game; nothing when it was stopped.
    fn one(&self, game: &Result<RecordedGame<G>, FileError>) -> Result<Option<AnnotatedGame>, WorkError> {
        let game = match game {
            Ok(game) => game,
            Err(error) => return Ok(Some(AnnotatedGame::Skipped(error.clone().into()))),
        };
        let found = self.adapter.looked_at(game, self.request, self.watch.stop, &mut |_| (self.tell)())?;
        if !found.is_complete() {
            return Ok(None);
        }
        let view = views::view(game, &found, self.request.nodes);
        let mut annotated = game.clone();
        found.write_into(&mut annotated);
        let text =
            write_kind(&self.adapter.rules, &self.adapter.common.capabilities, self.written, &annotated)?;
        Ok(Some(AnnotatedGame::Done(text, Box::new(view))))
    }
}
