//! What a server takes, minute by minute, and whether any of it grows without end.

use anyhow::Context;
use std::time::Instant;

/// One minute.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) minute: u64,
    /// Answered questions about positions.
    pub(crate) requests: usize,
    /// Milliseconds that half of them, and all but one in a hundred, took at most.
    pub(crate) half: f64,
    pub(crate) most: f64,
    /// Milliseconds that a millisecond's work took at most: above 1 the machine was busy with other things.
    pub(crate) yardstick: f64,
    /// Memory that the process holds, in megabytes.
    pub(crate) memory: f64,
    pub(crate) threads: f64,
    /// Files and connections that are open.
    pub(crate) handles: f64,
}

/// What is watched: its name, its value in a row, and how much more the end may have than the middle: a share, and an amount.
type Watched = (&'static str, fn(&Row) -> f64, f64, f64);

/// Memory, threads and handles come and go with the clients of the moment; times with whatever else the machine does, and are
/// divided by how long the same work takes at that moment.
pub(crate) const WATCHED: [Watched; 4] = [
    ("memory (MB)", |row| row.memory, 0.10, 8.0),
    ("threads", |row| row.threads, 0.10, 4.0),
    ("open handles", |row| row.handles, 0.10, 8.0),
    ("p99 / yardstick", |row| row.most / row.yardstick.max(1.0), 3.0, 100.0),
];

pub(crate) const HEADER: &str = "minute,positions,p50_ms,p99_ms,yardstick_ms,memory_mb,threads,handles";

impl Row {
    /// A minute of a process and of the seconds that its answers took.
    pub(crate) fn of(
        minute: u64,
        process: u32,
        yardstick: f64,
        mut seconds: Vec<f64>,
    ) -> anyhow::Result<Row> {
        seconds.sort_by(f64::total_cmp);
        let at =
            |share: f64| seconds.get((seconds.len() as f64 * share) as usize).copied().unwrap_or(0.0) * 1e3;
        let status = std::fs::read_to_string(format!("/proc/{process}/status"))
            .context("what a process takes can be read on Linux alone")?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0)
        };
        let handles = std::fs::read_dir(format!("/proc/{process}/fd"))?.count() as f64;
        Ok(Row {
            minute,
            requests: seconds.len(),
            half: at(0.5),
            most: at(0.99),
            yardstick,
            memory: number("VmRSS") / 1024.0,
            threads: number("Threads"),
            handles,
        })
    }

    /// As a line of the table.
    pub(crate) fn line(&self) -> String {
        let Row { minute, requests, half, most, yardstick, memory, threads, handles } = self;
        format!("{minute},{requests},{half:.1},{most:.1},{yardstick:.1},{memory:.1},{threads},{handles}")
    }
}

/// Milliseconds that the slowest of a hundred small pieces of work takes; on a machine with nothing else to do about one.
pub(crate) fn yardstick() -> f64 {
    let piece = |_| {
        let begin = Instant::now();
        let mut number = 1u64;
        // About a millisecond of a processor of 2020, in a quickly built program.
        for _ in 0..500_000 {
            number = std::hint::black_box(number ^ number << 13 ^ number >> 7);
        }
        begin.elapsed().as_secs_f64() * 1e3
    };
    (0..100).map(piece).fold(0.0, f64::max)
}

/// Everything that has more in the last quarter than in the second: in the first a server warms up. Medians do not mind a busy moment.
pub(crate) fn growth(rows: &[Row]) -> Vec<String> {
    let quarter = rows.len() / 4;
    if quarter == 0 {
        return Vec::new();
    }
    let (early, late) = (&rows[quarter..2 * quarter], &rows[rows.len() - quarter..]);
    let grown = |(name, value, share, amount): Watched| {
        let (before, after) = (median(early, value), median(late, value));
        let allowed = before * (1.0 + share) + amount;
        (after > allowed)
            .then(|| format!("{name} grew from {before:.1} to {after:.1}; {allowed:.1} would do"))
    };
    WATCHED.into_iter().filter_map(grown).collect()
}

fn median(rows: &[Row], value: fn(&Row) -> f64) -> f64 {
    let mut values: Vec<f64> = rows.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(memory: impl Fn(u64) -> f64) -> Vec<Row> {
        (0..40).map(|minute| Row { minute, memory: memory(minute), threads: 9.0, ..Row::default() }).collect()
    }

    #[test]
    fn a_leak_is_found_and_a_plateau_is_not() {
        assert_eq!(growth(&minutes(|minute| 50.0 + 3.0 * minute.min(9) as f64)), Vec::<String>::new());
        assert_eq!(growth(&minutes(|minute| 50.0 + (minute % 5) as f64)), Vec::<String>::new());
        let leak = growth(&minutes(|minute| 50.0 + 2.0 * minute as f64));
        assert_eq!(leak.len(), 1);
        assert!(leak[0].starts_with("memory (MB) grew from 80.0 to 120.0"), "{leak:?}");
    }

    #[test]
    fn slow_answers_of_a_slow_machine_are_no_growth() {
        let rows = |slower: f64| -> Vec<Row> {
            let late = |minute| if minute < 20 { 1.0 } else { 40.0 };
            let row = |minute| Row {
                minute,
                most: 30.0 * late(minute),
                yardstick: late(minute) / slower,
                ..Row::default()
            };
            (0..40).map(row).collect()
        };
        assert!(growth(&rows(1.0)).is_empty());
        assert_eq!(growth(&rows(40.0)).len(), 1);
    }

    #[test]
    fn one_bad_minute_is_no_growth() {
        assert!(growth(&minutes(|minute| if minute == 39 { 900.0 } else { 50.0 })).is_empty());
    }
}
