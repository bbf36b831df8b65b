//! How a front end follows long work.

use tabia_core::work::Listener;
use tabia_core::{Stop, Work};

/// A switch that ends the work, and somebody who hears how far it has come. What the work may use is in its request.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Thrown by anyone to end the work early.
    pub stop: &'a Stop,
    /// Told how far the work has come, from any thread.
    pub progress: &'a Listener<'a>,
}

impl<'a> Watch<'a> {
    /// Nobody stops the work, and nobody hears of it.
    pub fn nobody() -> Watch<'static> {
        let Work { stop, progress, .. } = Work::unwatched(1);
        Watch { stop, progress }
    }

    /// The work with so many threads and bytes.
    pub fn work(&self, threads: usize, memory: u64) -> Work<'a> {
        Work { threads, memory, stop: self.stop, progress: self.progress }
    }
}
