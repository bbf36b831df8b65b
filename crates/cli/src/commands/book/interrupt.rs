//! Ctrl-C while a book is filled: what was begun is committed, then the command ends.

use crate::output::Interrupted;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static STOP: AtomicBool = AtomicBool::new(false);

/// A flag that Ctrl-C (or the signal that ends services) sets. A second one ends the process at once:
/// nothing that was committed is lost.
pub(super) fn flag() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, SeqCst) {
            std::process::exit(i32::from(Interrupted::CODE));
        }
    })?;
    Ok(&STOP)
}

/// What a command that was stopped ends with.
pub(super) fn outcome(stopped: bool) -> anyhow::Result<()> {
    if stopped {
        let message =
            "stopped; what was counted is in the book: the same command goes on from there".to_owned();
        return Err(Interrupted { message }.into());
    }
    Ok(())
}
