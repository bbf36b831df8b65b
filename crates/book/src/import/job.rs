//! What an import is told and what it tells.

use crate::Keep;
use serde::Serialize;
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use tabia_core::Progress;
use tabia_core::clock::Instant;
use tabia_core::files::GameSink;

/// Reads the games of a file of some kind.
pub type ReadFn<'a, G> =
    dyn Fn(&str, &mut dyn BufRead, &mut GameSink<'_, G>) -> std::io::Result<()> + Sync + 'a;

/// How to import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// Threads to use; at least one is.
    pub threads: usize,
    /// So many (position, move) entries are committed together, or written as a run, or a few more.
    pub batch: usize,
    /// Gather sorted runs in this folder first, and load them at the end: for imports that are much
    /// larger than memory.
    pub runs: Option<PathBuf>,
    /// Count equal games of a file (same moves, result and tags, no id) as one.
    pub distinct: bool,
    /// What to keep of each game beside its counts.
    pub keep: Keep,
}

impl Default for ImportOptions {
    fn default() -> Self {
        ImportOptions { threads: 1, batch: 4 << 20, runs: None, distinct: false, keep: Keep::default() }
    }
}

/// A game that was not counted, and why; or one that was, and what is odd about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BadGame {
    /// The file.
    pub file: String,
    /// The number of the game in it, from 1.
    pub number: u64,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub reason: String,
}

impl BadGame {
    /// Bytes of a reason that are told from its beginning, and from its end.
    const ENDS: [usize; 2] = [240, 120];

    /// A reason may quote the line it is about, however long that is: the middle is left out then.
    pub(super) fn shortened(reason: String) -> String {
        let [first, last] = Self::ENDS;
        if reason.len() <= 2 * (first + last) {
            return reason;
        }
        let head = &reason[..reason.floor_char_boundary(first)];
        let tail = &reason[reason.ceil_char_boundary(reason.len() - last)..];
        format!("{head} ... ({} bytes in all) ... {tail}", reason.len())
    }
}

/// What an import tells while it works.
#[derive(Debug)]
pub enum Event<'a> {
    /// From time to time.
    Progress(Progress),
    /// A game that will not be counted.
    Bad(&'a BadGame),
    /// A game that is counted although something about it is odd, such as a result that contradicts the board.
    Remark(&'a BadGame),
}

/// What an import came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ImportReport {
    /// Games counted now.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Games that had been counted before, or that the files contain more than once.
    pub known: u64,
    /// Games that are equal to an earlier one of their file; they count, too, unless only distinct games
    /// were asked for.
    pub equal: u64,
    /// Games without a result, which are not counted.
    pub unfinished: u64,
    /// Games that could not be used.
    pub bad: u64,
    /// Remarks on games that were counted, such as a result that contradicts the board.
    pub warnings: u64,
    /// Whether it was stopped before the end.
    pub stopped: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Counters that all threads share.
pub(super) struct Tally {
    pub(super) started: Instant,
    pub(super) total_bytes: u64,
    pub(super) bytes: std::sync::Arc<AtomicU64>,
    pub(super) known: AtomicU64,
    pub(super) equal: AtomicU64,
    pub(super) unfinished: AtomicU64,
    pub(super) bad: AtomicU64,
    pub(super) warnings: AtomicU64,
}

impl Tally {
    pub(super) fn new(total_bytes: u64) -> Self {
        let zero = || AtomicU64::new(0);
        Tally {
            started: Instant::now(),
            total_bytes,
            bytes: std::sync::Arc::default(),
            known: zero(),
            equal: zero(),
            unfinished: zero(),
            bad: zero(),
            warnings: zero(),
        }
    }

    /// How much of the files has been read.
    pub(super) fn progress(&self) -> Progress {
        let (done, total) = (self.bytes.load(Ordering::Relaxed), Some(self.total_bytes));
        Progress { lane: 0, stage: "import".into(), done, total, unit: "bytes" }
    }
}

/// Adds to a shared counter.
pub(super) fn count(counter: &AtomicU64, n: u64) {
    counter.fetch_add(n, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_reasons_lose_their_middle() {
        let short = "move 3, \"zz\": not a move".to_owned();
        assert_eq!(BadGame::shortened(short.clone()), short);
        let long = format!("start \"{}\": not a position", "\u{e4}".repeat(5 << 20));
        let told = BadGame::shortened(long);
        assert!(told.len() < 500 && told.starts_with("start \"\u{e4}"), "{told}");
        assert!(told.contains("(10485784 bytes in all)") && told.ends_with("not a position"), "{told}");
    }
}
