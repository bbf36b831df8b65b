//! When a search ends: what it was allowed, and whether somebody asked it to stop.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tabia_core::Stop;
use tabia_core::clock::Instant;

/// What a search may use. Without any limit it runs until it is stopped or the answer is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Plies to look ahead (alpha-beta only).
    pub depth: Option<u32>,
    /// Positions (alpha-beta, proof-number) or playouts (Monte-Carlo).
    pub nodes: Option<u64>,
}

impl Limits {
    /// Only a depth.
    pub const fn depth(plies: u32) -> Self {
        Limits { time: None, depth: Some(plies), nodes: None }
    }

    /// Only a time.
    pub const fn time(time: Duration) -> Self {
        Limits { time: Some(time), depth: None, nodes: None }
    }

    /// Only a number of nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Limits { time: None, depth: None, nodes: Some(nodes) }
    }
}

/// What the threads of one search watch.
#[derive(Debug)]
pub(crate) struct Control {
    stop: Stop,
    /// The search itself is done: helpers go home.
    over: AtomicBool,
    pub(crate) started: Instant,
    deadline: Option<Instant>,
    /// The share of one thread.
    nodes: u64,
}

/// Nodes between two looks at the clock.
const STRIDE: u64 = 1024;

impl Control {
    pub(crate) fn new(limits: &Limits, stop: &Stop, threads: usize) -> Self {
        let started = Instant::now();
        Control {
            stop: stop.clone(),
            over: AtomicBool::new(false),
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            nodes: limits.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(threads.max(1) as u64)),
        }
    }

    /// The number of nodes at which a thread asks again, or `None` when it must stop now.
    pub(crate) fn next_check(&self, nodes: u64) -> Option<u64> {
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if nodes >= self.nodes || self.over.load(Relaxed) || self.stop.is_stopped() || late() {
            return None;
        }
        Some((nodes + STRIDE).min(self.nodes))
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}

/// Ends the search for all threads when one of them is done with it, by a panic too: the others would wait
/// for ever.
pub(crate) struct FinishOnDrop<'a>(pub(crate) &'a Control);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Relaxed);
    }
}
