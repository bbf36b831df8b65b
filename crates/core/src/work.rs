//! Long work: what it may use, how it is stopped, and how it tells how far it has come.
//!
//! One vocabulary for everything that takes longer than a person likes to wait: counting, searching,
//! solving, building tables, importing games.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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
