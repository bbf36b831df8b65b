//! One line of progress on the terminal, for anything that takes longer than a moment.

use crate::args::Common;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The line; nothing is shown when standard error is not a terminal.
pub(crate) struct Progress {
    shown: bool,
    began: Instant,
    line: Mutex<Line>,
}

/// What is on the screen.
struct Line {
    last: Instant,
    width: usize,
    /// The stage of the work, and since when.
    stage: (String, Instant),
}

impl Progress {
    pub(crate) fn new(common: &Common) -> Self {
        let now = Instant::now();
        let line = Mutex::new(Line { last: now, width: 0, stage: (String::new(), now) });
        Progress { shown: !common.quiet && std::io::stderr().is_terminal(), began: now, line }
    }

    /// Shows how far the work is, a few times a second.
    pub(crate) fn tell(&self, now: &tabia_app::Progress) {
        let moment = Duration::from_millis(200);
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if line.stage.0 != now.stage {
            line.stage = (now.stage.to_string(), Instant::now());
        }
        if !self.shown || self.began.elapsed() < moment || line.last.elapsed() < moment {
            return;
        }
        line.last = Instant::now();
        let text: String = text(now, line.stage.1.elapsed()).chars().take(100).collect();
        let width = text.chars().count();
        // Spaces wipe what is left of a longer line.
        let wipe = " ".repeat(line.width.saturating_sub(width));
        let _ = write!(std::io::stderr(), "\r{text}{wipe}");
        line.width = width;
    }

    /// Wipes the line.
    pub(crate) fn clear(&self) {
        let width = self.line.lock().unwrap_or_else(PoisonError::into_inner).width;
        if width > 0 {
            let _ = write!(std::io::stderr(), "\r{}\r", " ".repeat(width));
        }
    }
}

fn text(now: &tabia_app::Progress, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let per_second = now.done as f64 / seconds.max(1e-9);
    let rate = crate::output::rate(per_second);
    match now.total {
        Some(total) if now.done > 0 => {
            let percent = 100.0 * now.done as f64 / total.max(1) as f64;
            let left = total.saturating_sub(now.done) as f64 / per_second.max(1e-9);
            format!("{}: {percent:.0} %, {rate}/s, {left:.0} s left", now.stage)
        }
        _ if now.done > 0 => {
            format!("{}: {}, {rate}/s", now.stage, crate::output::grouped(now.done))
        }
        _ => format!("{}: {seconds:.1} s", now.stage),
    }
}
