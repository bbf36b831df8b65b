//! What a worker is doing, for whoever looks on.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The figures of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Figure {
    /// The ply, the distance or the group that is worked on.
    Level = 0,
    /// Positions, entries or rows that it owns.
    Positions = 1,
    /// Records sent, those to itself included.
    Records = 2,
    /// Bytes of the records sent, those to itself included.
    RecordBytes = 3,
    /// Bytes that left for other processes.
    WireBytes = 4,
    /// Bytes of memory that its tables take.
    Memory = 5,
    /// Bytes written to disk.
    Disk = 6,
    /// Bytes written to disk because memory was too small.
    Spilled = 12,
    /// Nanoseconds spent on finding records.
    Produce = 7,
    /// Nanoseconds spent on records that came.
    Consume = 8,
    /// Nanoseconds spent between steps: sorting, merging, writing.
    Between = 9,
    /// Nanoseconds spent waiting for others.
    Wait = 10,
    /// CPU nanoseconds of the thread.
    Cpu = 11,
}

impl Figure {
    /// All of them, with the name and the sentence that `/metrics` shows.
    pub const ALL: [(Figure, &'static str, &'static str); 13] = [
        (Figure::Level, "level", "The ply, the distance or the group that is worked on."),
        (Figure::Positions, "positions", "Positions, entries or rows that the worker owns."),
        (Figure::Records, "records_sent", "Records sent, those to itself included."),
        (Figure::RecordBytes, "record_bytes_sent", "Bytes of the records sent."),
        (Figure::WireBytes, "wire_bytes_sent", "Bytes of records that left for other processes."),
        (Figure::Memory, "memory_bytes", "Bytes of memory that the tables take."),
        (Figure::Disk, "disk_bytes", "Bytes written to disk."),
        (Figure::Produce, "produce_nanoseconds", "Time spent on finding records."),
        (Figure::Consume, "consume_nanoseconds", "Time spent on records that came."),
        (Figure::Between, "between_nanoseconds", "Time spent on sorting, merging and writing."),
        (Figure::Wait, "wait_nanoseconds", "Time spent waiting for others."),
        (Figure::Cpu, "cpu_nanoseconds", "CPU time."),
        (Figure::Spilled, "spilled_bytes", "Bytes written to disk because memory was too small."),
    ];
}

/// The figures of one worker, written by it and read by anybody.
#[derive(Debug, Default)]
pub struct Gauges([AtomicU64; Figure::ALL.len()]);

impl Gauges {
    /// A figure now.
    pub fn get(&self, figure: Figure) -> u64 {
        self.0[figure as usize].load(Relaxed)
    }

    pub(crate) fn set(&self, figure: Figure, value: u64) {
        self.0[figure as usize].store(value, Relaxed);
    }

    pub(crate) fn add(&self, figure: Figure, value: u64) {
        self.0[figure as usize].fetch_add(value, Relaxed);
    }

    pub(crate) fn spend(&self, figure: Figure, time: Duration) {
        self.add(figure, time.as_nanos() as u64);
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|gauge| gauge.load(Relaxed).to_le_bytes()).collect()
    }

    /// Takes over what [`Gauges::to_bytes`] wrote elsewhere.
    pub(crate) fn copy_from(&self, bytes: &[u8]) {
        for (gauge, value) in self.0.iter().zip(bytes.as_chunks::<8>().0) {
            gauge.store(u64::from_le_bytes(*value), Relaxed);
        }
    }
}

/// The figures of all workers as Prometheus reads them.
pub fn metrics(workers: &[(usize, &Gauges)]) -> String {
    let mut out = String::new();
    for (figure, name, help) in Figure::ALL {
        out.push_str(&format!("# HELP tabia_cluster_{name} {help}\n# TYPE tabia_cluster_{name} gauge\n"));
        for (worker, gauges) in workers {
            out.push_str(&format!("tabia_cluster_{name}{{worker=\"{worker}\"}} {}\n", gauges.get(figure)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_travel_and_are_told() {
        let gauges = Gauges::default();
        for (figure, ..) in Figure::ALL {
            gauges.set(figure, 7 + figure as u64);
        }
        let copy = Gauges::default();
        copy.copy_from(&gauges.to_bytes());
        assert_eq!(copy.get(Figure::Disk), 13);
        let text = metrics(&[(3, &copy)]);
        assert!(text.contains("tabia_cluster_positions{worker=\"3\"} 8\n"), "{text}");
        assert_eq!(text.lines().count(), 3 * Figure::ALL.len());
    }
}
