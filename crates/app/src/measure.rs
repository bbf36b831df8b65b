//! What work cost: time on the clock, and time on the processor.

use std::time::Duration;
use tabia_core::clock::Instant;
use tabia_core::threads;

/// A stopwatch with two hands. It is started and read in the thread that does the work.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    clock: Instant,
    cpu: Option<Duration>,
}

impl Stopwatch {
    /// Starts both hands.
    pub fn start() -> Self {
        Stopwatch { clock: Instant::now(), cpu: threads::cpu_time() }
    }

    /// Time on the clock.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Seconds on the clock.
    pub fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Seconds on the processor, of this thread and of the helpers it has waited for: nobody else's work is
    /// in it. `None` where the system does not tell.
    pub fn cpu_seconds(&self) -> Option<f64> {
        Some(threads::cpu_time()?.saturating_sub(self.cpu?).as_secs_f64())
    }

    /// `amount` per second on the processor, or on the clock where the processor's time is not known.
    pub fn rate(&self, amount: f64) -> f64 {
        per_second(amount, self.cpu_seconds().unwrap_or_else(|| self.seconds()))
    }
}

/// `amount` per second; 0 when no time has passed.
pub fn per_second(amount: f64, seconds: f64) -> f64 {
    if seconds > 0.0 { amount / seconds } else { 0.0 }
}
