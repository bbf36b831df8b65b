//! Counters in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

/// Upper bounds of the buckets, in microseconds.
const BOUNDS: [u64; 10] = [50, 100, 250, 500, 1_000, 5_000, 25_000, 100_000, 1_000_000, 10_000_000];

#[derive(Debug, Default)]
struct Series {
    buckets: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

/// How often each route was asked, how it answered, and how long that took.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    // A series is made once and then only counted in, so readers share the lock.
    series: RwLock<BTreeMap<(String, u16), Series>>,
}

impl Metrics {
    /// Counts one answer.
    pub(crate) fn count(&self, path: &str, status: u16, time: Duration) {
        let micros = time.as_micros().min(u128::from(u64::MAX)) as u64;
        {
            let all = self.series.read().unwrap_or_else(PoisonError::into_inner);
            // The map is small: a walk is cheaper than an owned key.
            let known = all.iter().find(|(key, _)| key.1 == status && key.0 == path);
            if let Some((_, series)) = known {
                return series.add(micros);
            }
        }
        let mut all = self.series.write().unwrap_or_else(PoisonError::into_inner);
        all.entry((path.to_owned(), status)).or_default().add(micros);
    }

    /// Everything, with the gauges `others`.
    pub(crate) fn text(&self, others: &[(&str, &str, usize)]) -> String {
        let mut out = String::from(
            "# HELP tabia_request_seconds Time to answer requests.\n# TYPE tabia_request_seconds histogram\n",
        );
        for ((path, status), series) in self.series.read().unwrap_or_else(PoisonError::into_inner).iter() {
            series.write(&format!("path=\"{path}\",status=\"{status}\""), &mut out);
        }
        for (name, about, value) in others {
            let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} gauge\n{name} {value}");
        }
        out
    }
}

impl Series {
    fn add(&self, micros: u64) {
        if let Some(bucket) = BOUNDS.iter().position(|&bound| micros <= bound) {
            self.buckets[bucket].fetch_add(1, Relaxed);
        }
        self.count.fetch_add(1, Relaxed);
        self.micros.fetch_add(micros, Relaxed);
    }

    fn write(&self, labels: &str, out: &mut String) {
        let mut sum = 0;
        for (bound, bucket) in BOUNDS.iter().zip(&self.buckets) {
            sum += bucket.load(Relaxed);
            let seconds = *bound as f64 / 1e6;
            let _ = writeln!(out, "tabia_request_seconds_bucket{{{labels},le=\"{seconds}\"}} {sum}");
        }
        let count = self.count.load(Relaxed);
        let seconds = self.micros.load(Relaxed) as f64 / 1e6;
        let _ = writeln!(out, "tabia_request_seconds_bucket{{{labels},le=\"+Inf\"}} {count}");
        let _ = writeln!(out, "tabia_request_seconds_sum{{{labels}}} {seconds}");
        let _ = writeln!(out, "tabia_request_seconds_count{{{labels}}} {count}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_cumulative() {
        let metrics = Metrics::default();
        for micros in [10, 60, 20_000_000] {
            metrics.count("/x", 200, Duration::from_micros(micros));
        }
        let text = metrics.text(&[("tabia_work", "Work.", 3)]);
        for line in [
            "tabia_request_seconds_bucket{path=\"/x\",status=\"200\",le=\"0.00005\"} 1",
            "tabia_request_seconds_bucket{path=\"/x\",status=\"200\",le=\"10\"} 2",
            "tabia_request_seconds_bucket{path=\"/x\",status=\"200\",le=\"+Inf\"} 3",
            "tabia_request_seconds_count{path=\"/x\",status=\"200\"} 3",
            "tabia_work 3",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} not in\n{text}");
        }
    }
}
