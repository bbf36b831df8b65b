//! Long work: what it may use, how it is stopped, and how it tells how far it has come.
//!
//! One vocabulary for everything that takes longer than a person likes to wait: counting, searching,
//! solving, building tables, importing games.

use crate::clock::Instant;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

/// A switch that any thread may throw to end a piece of work early.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A switch that is not thrown.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to end.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether it was thrown.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// For work that knows its switch as a plain flag.
impl AsRef<AtomicBool> for Stop {
    fn as_ref(&self) -> &AtomicBool {
        &self.0
    }
}

/// How far a piece of work has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Which of several pieces that are worked on side by side; 0 where there is only one.
    pub lane: usize,
    /// What is being done, in a word or two: `enumerate`, `plies 12`.
    pub stage: Cow<'static, str>,
    /// How much of this stage is done.
    pub done: u64,
    /// The whole of this stage, where that is known.
    pub total: Option<u64>,
    /// What is counted: `positions`, `games`, `bytes`; empty where the stage says it.
    pub unit: &'static str,
}

impl Progress {
    /// So many positions of a stage.
    pub fn positions(stage: impl Into<Cow<'static, str>>, done: u64, total: Option<u64>) -> Self {
        Progress { lane: 0, stage: stage.into(), done, total, unit: "positions" }
    }
}

/// Who hears of progress, now and then and from any thread.
pub type Listener<'a> = dyn Fn(&Progress) + Sync + 'a;

/// The means that a piece of work is given.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// Threads to use; at least one is.
    pub threads: usize,
    /// Bytes of memory that tables may take.
    pub memory: u64,
    /// Thrown by anyone to end the work early.
    pub stop: &'a Stop,
    /// Told how far the work has come.
    pub progress: &'a Listener<'a>,
}

/// The switch of work that nobody watches.
static NEVER: LazyLock<Stop> = LazyLock::new(Stop::new);

impl Work<'static> {
    /// So many threads, all the memory there is, nobody to stop it and nobody to tell: for tests and examples.
    pub fn unwatched(threads: usize) -> Self {
        Work { threads, memory: u64::MAX, stop: &NEVER, progress: &|_| () }
    }
}

impl Work<'_> {
    /// Whether the work is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Tells how many steps of a stage are done.
    pub fn report(&self, stage: impl Into<Cow<'static, str>>, done: u64, total: Option<u64>) {
        (self.progress)(&Progress { lane: 0, stage: stage.into(), done, total, unit: "" });
    }
}

impl std::fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work")
            .field("threads", &self.threads)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

/// Lets progress through at most ten times a second, from any thread.
#[derive(Debug)]
pub struct Pace {
    began: Instant,
    /// Milliseconds after the beginning at which the next report may pass.
    next: AtomicU64,
}

impl Pace {
    /// The first report passes at once.
    pub fn new() -> Self {
        Pace { began: Instant::now(), next: AtomicU64::new(0) }
    }

    /// Tells how far the work has come, unless that was told a moment ago.
    pub fn tell(&self, work: &Work<'_>, progress: impl FnOnce() -> Progress) {
        let now = self.began.elapsed().as_millis() as u64;
        let next = self.next.load(Relaxed);
        if now >= next && self.next.compare_exchange(next, now + 100, Relaxed, Relaxed).is_ok() {
            (work.progress)(&progress());
        }
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::new()
    }
}
