//! One line of progress on the terminal, for anything that takes longer than a moment.

use crate::args::Common;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The line; nothing is shown when standard error is not a terminal.
pub(crate) struct Progress {
    shown: bool,
    began: Instant,
    last: Instant,
    width: usize,
}

impl Progress {
    pub(crate) fn new(common: &Common) -> Self {
        let now = Instant::now();
        Progress { shown: !common.quiet && std::io::stderr().is_terminal(), began: now, last: now, width: 0 }
    }

    /// Shows how far the work is, a few times a second.
    pub(crate) fn tell(&mut self, now: &tabia_app::solve::Progress) -> ControlFlow<()> {
        let moment = Duration::from_millis(200);
        if self.shown && self.began.elapsed() > moment && self.last.elapsed() > moment {
            self.last = Instant::now();
            let line: String = line(now).chars().take(100).collect();
            let width = line.chars().count();
            // Spaces wipe what is left of a longer line.
            let wipe = " ".repeat(self.width.saturating_sub(width));
            let _ = write!(std::io::stderr(), "\r{line}{wipe}");
            self.width = width;
        }
        ControlFlow::Continue(())
    }

    /// Wipes the line.
    pub(crate) fn clear(&self) {
        if self.width > 0 {
            let _ = write!(std::io::stderr(), "\r{}\r", " ".repeat(self.width));
        }
    }
}

fn line(now: &tabia_app::solve::Progress) -> String {
    let rate = crate::output::rate(now.rate());
    let done = crate::output::grouped(now.done);
    match (now.total, now.left()) {
        (Some(total), Some(left)) => {
            let percent = 100.0 * now.done as f64 / total.max(1) as f64;
            format!("{}: {percent:.0} %, {rate}/s, {} s left", now.phase, left.as_secs())
        }
        _ if now.done > 0 => format!("{}: {done}, {rate}/s", now.phase),
        _ => format!("{}: {:.1} s", now.phase, now.elapsed.as_secs_f64()),
    }
}
