//! A stage of long work: shared out to threads, told to whoever listens, ended when somebody asks.

use crate::error::SolveError;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tabia_core::threads::{self, OnPanic};
use tabia_core::work::Pace;
use tabia_core::{Progress, Work};

/// What is being done now.
pub(crate) struct Stage<'a> {
    work: &'a Work<'a>,
    lane: usize,
    name: Cow<'static, str>,
    total: Option<u64>,
    /// Positions of this stage done before the present share of the work.
    before: u64,
    pace: Pace,
}

/// A share of the work, cut into chunks, and how far it is.
#[derive(Default)]
struct Chunks {
    len: usize,
    chunk: usize,
    next: AtomicU64,
    done: AtomicU64,
    /// Whether nobody should go on.
    over: AtomicBool,
}

impl<'a> Stage<'a> {
    /// Begins a stage of so many positions, where that is known.
    pub(crate) fn new(work: &'a Work<'a>, name: impl Into<Cow<'static, str>>, total: Option<u64>) -> Self {
        Stage { work, lane: 0, name: name.into(), total, before: 0, pace: Pace::new() }
    }

    /// The same stage beside others.
    pub(crate) fn in_lane(self, lane: usize) -> Self {
        Stage { lane, ..self }
    }

    /// The next share of the work comes after this many positions of the stage.
    pub(crate) fn after(&mut self, before: u64) -> &Self {
        self.before = before;
        self
    }

    /// Tells how far the stage is, unless that was told a moment ago.
    pub(crate) fn tell(&self, done: u64) {
        self.pace.tell(self.work, || Progress {
            lane: self.lane,
            ..Progress::positions(self.name.clone(), self.before + done, self.total)
        });
    }

    /// How many threads there are for it.
    pub(crate) fn threads(&self) -> usize {
        self.work.threads
    }

    /// Shares `0..len` out to threads in chunks. Every thread has its own `scratch`; all of them are handed
    /// back. The first error ends the work of all.
    pub(crate) fn share<S: Send>(
        &self,
        len: usize,
        chunk: usize,
        scratch: impl Fn() -> S + Sync,
        body: impl Fn(&mut S, Range<usize>) -> Result<(), SolveError> + Sync,
    ) -> Result<Vec<S>, SolveError> {
        let chunks = Chunks { len, chunk: chunk.max(1), ..Chunks::default() };
        // More threads than chunks would only be started to stop again.
        let workers = self.work.threads.min(len.div_ceil(chunks.chunk)).max(1);
        self.tell(0);
        let parts = threads::run(workers, |_| {
            let _alarm = OnPanic(&chunks.over);
            let mut own = scratch();
            self.take(&chunks, &mut |range| body(&mut own, range))?;
            Ok(own)
        });
        parts.into_iter().collect()
    }

    /// What a thread does: chunk after chunk, until none is left. The same code for all work.
    fn take(
        &self,
        chunks: &Chunks,
        body: &mut dyn FnMut(Range<usize>) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let Chunks { len, chunk, next, done, over } = chunks;
        while !over.load(Relaxed) {
            if self.work.is_stopped() {
                return Err(SolveError::Stopped);
            }
            let from = next.fetch_add(*chunk as u64, Relaxed) as usize;
            if from >= *len {
                break;
            }
            let range = from..(from + chunk).min(*len);
            let count = range.len() as u64;
            body(range).inspect_err(|_| over.store(true, Relaxed))?;
            self.tell(done.fetch_add(count, Relaxed) + count);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(threads: usize) -> Result<usize, SolveError> {
        let work = Work::unwatched(threads);
        let stage = Stage::new(&work, "sums", None);
        let sums = stage.share(
            1000,
            7,
            || 0,
            |sum, range| {
                *sum += range.sum::<usize>();
                Ok(())
            },
        )?;
        Ok(sums.into_iter().sum())
    }

    #[test]
    fn everything_is_shared_out_once() {
        for threads in [0, 1, 2, 5] {
            assert_eq!(sums(threads).unwrap(), 499_500);
        }
    }

    #[test]
    fn the_first_error_is_the_answer() {
        for threads in [1, 3] {
            let work = Work::unwatched(threads);
            let refuse = |(): &mut (), range: Range<usize>| {
                if range.contains(&500) { Err(SolveError::TooLong) } else { Ok(()) }
            };
            let answer = Stage::new(&work, "", None).share(1000, 7, || (), refuse);
            assert!(matches!(answer, Err(SolveError::TooLong)));
        }
    }
}
