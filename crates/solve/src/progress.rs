//! Long work shows how far it is, and can be stopped.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How far a piece of work is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is being done, in a word or two: `enumerate`, `plies 12`.
    pub phase: String,
    /// Positions done in this phase.
    pub done: u64,
    /// Positions to do in this phase, where that is known.
    pub total: Option<u64>,
    /// Time since the phase began.
    pub elapsed: Duration,
}

impl Progress {
    /// Positions per second in this phase.
    pub fn rate(&self) -> f64 {
        self.done as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Time left in this phase at the present rate, where the end is known.
    pub fn left(&self) -> Option<Duration> {
        let left = self.total?.saturating_sub(self.done) as f64 / self.rate().max(1e-9);
        (self.done > 0 && left < 1e9).then(|| Duration::from_secs_f64(left))
    }
}

/// Who hears of progress; answers whether to go on.
pub type Listener<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// Work was stopped by its listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The listener with a clock: it is told at most ten times a second, and at the start of each phase.
pub(crate) struct Reporter<'a> {
    listener: &'a mut Listener<'a>,
    phase: String,
    total: Option<u64>,
    /// Positions of this phase done before the present share of the work.
    base: u64,
    uncounted: bool,
    began: Instant,
    told: Instant,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(listener: &'a mut Listener<'a>) -> Self {
        let now = Instant::now();
        Reporter {
            listener,
            phase: String::new(),
            total: None,
            base: 0,
            uncounted: false,
            began: now,
            told: now,
        }
    }

    /// Begins a phase.
    pub(crate) fn phase(&mut self, name: impl Into<String>, total: Option<u64>) -> Result<(), Stopped> {
        self.phase = name.into();
        self.total = total;
        self.base = 0;
        self.began = Instant::now();
        self.tell(0)
    }

    /// Gives the phase another name; clock and counts go on.
    pub(crate) fn rename(&mut self, name: impl Into<String>) {
        self.phase = name.into();
    }

    /// What comes next is not counted: the phase stays where it is.
    pub(crate) fn uncounted(&mut self, yes: bool) -> &mut Self {
        self.uncounted = yes;
        self
    }

    /// The next share of the work comes after this many positions of the phase.
    pub(crate) fn after(&mut self, base: u64) -> &mut Self {
        self.base = base;
        self
    }

    /// Notes how far the phase is.
    pub(crate) fn tick(&mut self, done: u64) -> Result<(), Stopped> {
        if self.told.elapsed() < Duration::from_millis(100) { Ok(()) } else { self.tell(done) }
    }

    fn tell(&mut self, done: u64) -> Result<(), Stopped> {
        self.told = Instant::now();
        let (phase, total) = (self.phase.clone(), self.total);
        let progress = Progress {
            phase,
            done: self.base + if self.uncounted { 0 } else { done },
            total,
            elapsed: self.began.elapsed(),
        };
        if (self.listener)(&progress).is_break() { Err(Stopped) } else { Ok(()) }
    }
}

/// Shares `0..total` out to threads in chunks. Every thread has its own `scratch`; all of them are
/// handed back. The calling thread works too, and reports.
pub(crate) fn share<S: Send>(
    threads: usize,
    total: usize,
    chunk: usize,
    reporter: &mut Reporter<'_>,
    scratch: impl Fn() -> S + Sync,
    body: impl Fn(&mut S, std::ops::Range<usize>) + Sync,
) -> Result<Vec<S>, Stopped> {
    let (next, done, stop) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let chunk = chunk.max(1);
    let work = |mut tick: Option<&mut Reporter<'_>>| {
        let mut own = scratch();
        while !stop.load(Ordering::Relaxed) {
            let from = next.fetch_add(chunk as u64, Ordering::Relaxed) as usize;
            if from >= total {
                break;
            }
            let range = from..total.min(from + chunk);
            let len = range.len() as u64;
            body(&mut own, range);
            let done = done.fetch_add(len, Ordering::Relaxed) + len;
            if tick.as_mut().is_some_and(|reporter| reporter.tick(done).is_err()) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        own
    };
    // More threads than chunks would only be started to stop again.
    let helpers = threads.max(1).min(total.div_ceil(chunk)).saturating_sub(1);
    let all = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..helpers).map(|_| scope.spawn(|| work(None))).collect();
        let mut all = vec![work(Some(reporter))];
        for handle in handles {
            match handle.join() {
                Ok(own) => all.push(own),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    if stop.into_inner() { Err(Stopped) } else { Ok(all) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_shared_out_once() {
        for threads in [1, 2, 5] {
            let mut silent = |_: &Progress| ControlFlow::Continue(());
            let mut reporter = Reporter::new(&mut silent);
            let sums =
                share(threads, 1000, 7, &mut reporter, || 0, |sum, range| *sum += range.sum::<usize>());
            assert_eq!(sums.map(|s| s.iter().sum::<usize>()), Ok(499_500));
        }
    }

    #[test]
    fn rates_and_time_left_follow_from_the_clock() {
        let half =
            Progress { phase: String::new(), done: 50, total: Some(100), elapsed: Duration::from_secs(5) };
        assert!((half.rate() - 10.0).abs() < 1e-9);
        assert_eq!(half.left(), Some(Duration::from_secs(5)));
    }
}
