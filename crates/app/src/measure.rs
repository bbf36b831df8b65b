//! What work cost: time on the clock, time on the processor, memory.

use cpu_time::ProcessTime;
use std::time::{Duration, Instant};

/// A stopwatch with two hands.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    clock: Instant,
    cpu: ProcessTime,
}

impl Stopwatch {
    /// Starts both hands.
    pub fn start() -> Self {
        Stopwatch { clock: Instant::now(), cpu: ProcessTime::now() }
    }

    /// Time on the clock.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Seconds on the clock.
    pub fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Seconds on the processor, of all threads.
    pub fn cpu_seconds(&self) -> f64 {
        self.cpu.elapsed().as_secs_f64()
    }
}

/// `amount` per second; 0 when no time has passed.
pub fn per_second(amount: f64, seconds: f64) -> f64 {
    if seconds > 0.0 { amount / seconds } else { 0.0 }
}

/// The most memory this process has used so far, where the system tells.
pub fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
