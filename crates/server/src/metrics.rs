//! Counters for Prometheus, in the OpenMetrics text format.

use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::{family::Family, gauge::Gauge, histogram::Histogram};
use prometheus_client::registry::Registry;
use std::time::Duration;

/// The media type of the counters.
pub(crate) const MEDIA: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the buckets, in seconds.
const BOUNDS: [f64; 10] = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.005, 0.025, 0.1, 1.0, 10.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    path: &'static str,
    status: u32,
}

/// How often each route was asked, how it answered, how long that took, and what is at work now.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Labels, Histogram, fn() -> Histogram>,
    analyses: Gauge,
    work: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        let requests = Family::new_with_constructor((|| Histogram::new(BOUNDS)) as fn() -> Histogram);
        let (analyses, work) = (Gauge::default(), Gauge::default());
        registry.register("tabia_request_seconds", "Time to answer requests", requests.clone());
        registry.register("tabia_analyses_running", "Analyses at work", analyses.clone());
        registry.register("tabia_work_running", "Pieces of long work under way", work.clone());
        Metrics { registry, requests, analyses, work }
    }
}

impl Metrics {
    /// Counts one answer.
    pub(crate) fn count(&self, path: &'static str, status: u16, time: Duration) {
        let labels = Labels { path, status: status.into() };
        self.requests.get_or_create(&labels).observe(time.as_secs_f64());
    }

    /// Everything, with how much is at work now.
    pub(crate) fn text(&self, analyses: usize, work: usize) -> String {
        self.analyses.set(analyses as i64);
        self.work.set(work as i64);
        let mut text = String::new();
        // A String takes everything.
        let _ = encode(&mut text, &self.registry);
        text
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
        let text = metrics.text(2, 3);
        for line in [
            "tabia_request_seconds_bucket{le=\"0.0001\",path=\"/x\",status=\"200\"} 2",
            "tabia_request_seconds_bucket{le=\"10.0\",path=\"/x\",status=\"200\"} 2",
            "tabia_request_seconds_bucket{le=\"+Inf\",path=\"/x\",status=\"200\"} 3",
            "tabia_request_seconds_count{path=\"/x\",status=\"200\"} 3",
            "tabia_analyses_running 2",
            "tabia_work_running 3",
            "# EOF",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} not in\n{text}");
        }
    }
}
