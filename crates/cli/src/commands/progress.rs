//! Bars of progress on the terminal, for anything that takes longer than a moment: one for each piece of work
//! that is done side by side, with its rate and the time left.

use crate::args::Common;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work that is done sooner shows nothing.
const MOMENT: Duration = Duration::from_millis(200);

/// The bars; nothing is shown when standard error is not a terminal.
pub(crate) struct Progress {
    bars: MultiProgress,
    began: Instant,
    lanes: Mutex<BTreeMap<usize, ProgressBar>>,
}

impl Progress {
    pub(crate) fn new(common: &Common) -> Self {
        let target = if common.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        Progress {
            bars: MultiProgress::with_draw_target(target),
            began: Instant::now(),
            lanes: Mutex::default(),
        }
    }

    /// Shows how far the work is.
    pub(crate) fn tell(&self, now: &tabia_app::Progress) {
        if self.bars.is_hidden() || self.began.elapsed() < MOMENT {
            return;
        }
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = lanes.entry(now.lane).or_insert_with(|| self.bars.add(ProgressBar::no_length()));
        if bar.message() != now.stage {
            bar.reset();
            bar.set_message(now.stage.to_string());
            bar.set_style(style(now));
        }
        if bar.length() != now.total {
            now.total.map_or_else(|| bar.unset_length(), |total| bar.set_length(total));
            bar.set_style(style(now));
        }
        bar.set_position(now.done);
    }

    /// Wipes the bars.
    pub(crate) fn clear(&self) {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let _ = self.bars.clear();
    }
}

fn style(now: &tabia_app::Progress) -> ProgressStyle {
    let bytes = now.unit == "bytes";
    let (done, total, rate) = if bytes {
        ("{bytes}", "{total_bytes}", "{bytes_per_sec}")
    } else {
        ("{human_pos}", "{human_len}", "{per_sec}")
    };
    let unit = if bytes || now.unit.is_empty() { String::new() } else { format!(" {}", now.unit) };
    let template = match (now.total, now.done) {
        (Some(_), _) => format!("{{msg}} {{bar:30}} {done} of {total}{unit}, {rate}, {{eta}} left"),
        (None, 0) => "{msg} {spinner} {elapsed}".to_owned(),
        (None, _) => format!("{{msg}} {{spinner}} {done}{unit}, {rate}"),
    };
    ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
