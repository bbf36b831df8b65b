//! CPU time of the process: what other programs do does not count.

use cpu_time::ProcessTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use std::hint::black_box;
use std::time::Duration;

/// CPU seconds of some work.
pub fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let clock = ProcessTime::now();
    black_box(work());
    clock.elapsed().as_secs_f64()
}

/// The least CPU seconds of each work. They take turns, so that whatever else runs on the machine disturbs all alike.
pub fn by_turns<const N: usize>(rounds: usize, mut works: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut least = [f64::MAX; N];
    for _ in 0..rounds {
        for (least, work) in least.iter_mut().zip(&mut works) {
            *least = least.min(seconds(work));
        }
    }
    least
}

/// One measurement of some work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// How many things were done.
    pub(crate) things: u64,
    pub(crate) seconds: f64,
}

impl Sample {
    pub(crate) fn of(times: u64, work: &mut impl FnMut() -> u64) -> Sample {
        let clock = ProcessTime::now();
        let things = (0..times).map(|_| black_box(work())).sum();
        Sample { things, seconds: clock.elapsed().as_secs_f64() }
    }
}

/// What criterion is to measure.
pub(crate) struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = ProcessTime;
    type Value = Duration;

    fn start(&self) -> ProcessTime {
        ProcessTime::now()
    }

    fn end(&self, start: ProcessTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        // Durations are written alike, whatever clock they come from.
        WallTime.formatter()
    }
}
