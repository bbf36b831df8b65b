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
    /// Time after which alpha-beta may end by itself, between two iterations: sooner where the best move stands firm,
    /// later where it does not.
    pub enough: Option<Duration>,
    /// Plies to look ahead (alpha-beta only).
    pub depth: Option<u32>,
    /// Positions (alpha-beta, proof-number) or playouts (Monte-Carlo).
    pub nodes: Option<u64>,
}

impl Limits {
    /// Only a depth.
    pub const fn depth(plies: u32) -> Self {
        Limits { depth: Some(plies), time: None, enough: None, nodes: None }
    }

    /// Only a time.
    pub const fn time(time: Duration) -> Self {
        Limits { time: Some(time), enough: None, depth: None, nodes: None }
    }

    /// Only a number of nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), time: None, enough: None, depth: None }
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
    stride: u64,
}

/// Nodes between two looks at the clock, and at what other threads have found, where there are any.
const STRIDE: u64 = 1024;
const STRIDE_TOGETHER: u64 = 256;

impl Control {
    pub(crate) fn new(limits: &Limits, stop: &Stop, threads: usize) -> Self {
        let started = Instant::now();
        Control {
            stop: stop.clone(),
            over: AtomicBool::new(false),
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            nodes: limits.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(threads.max(1) as u64)),
            stride: if threads > 1 { STRIDE_TOGETHER } else { STRIDE },
        }
    }

    /// The number of nodes at which a thread asks again, or `None` when it must stop now.
    pub(crate) fn next_check(&self, nodes: u64) -> Option<u64> {
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if nodes >= self.nodes || self.over.load(Relaxed) || self.stop.is_stopped() || late() {
            return None;
        }
        Some((nodes + self.stride).min(self.nodes))
    }

    /// Whether what was found in so much of the time is good enough to stop.
    pub(crate) fn is_enough(&self, limits: &Limits, firmness: Firmness) -> bool {
        limits.enough.is_some_and(|enough| self.started.elapsed() >= firmness.share_of(enough))
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}

/// How firmly the best move stands after an iteration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Firmness {
    /// There is no other move.
    pub(crate) only: bool,
    /// Iterations in a row that have chosen it.
    pub(crate) steady: usize,
    /// How much less it is worth than one iteration before.
    pub(crate) fell: i32,
}

/// Parts of the time in hundredths, by the number of iterations that agree.
const PARTS: [u32; 6] = [130, 100, 85, 70, 60, 50];

/// A score that falls by this much is worth another [`LONGER`] hundredths of the time.
const FALL: i32 = 25;
const LONGER: u32 = 140;

impl Firmness {
    fn share_of(self, enough: Duration) -> Duration {
        let part = PARTS[self.steady.min(PARTS.len() - 1)];
        match self {
            Firmness { only: true, .. } => Duration::ZERO,
            Firmness { fell, .. } if fell >= FALL => enough * part * LONGER / 10_000,
            _ => enough * part / 100,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_firmer_a_move_stands_the_less_time_it_takes() {
        let share = |only, steady, fell| Firmness { only, steady, fell }.share_of(Duration::from_millis(100));
        let millis: Vec<u128> = (0..8).map(|steady| share(false, steady, 0).as_millis()).collect();
        assert!(millis.is_sorted_by(|a, b| a >= b) && millis[0] > 100 && millis[7] < 100, "{millis:?}");
        assert!(share(false, 3, 50) > share(false, 3, 0));
        assert!(share(false, 3, -50) == share(false, 3, 0));
        assert!(share(true, 0, 50).is_zero());
    }
}
