//! Ctrl-C while something long is done: it ends in order, with exit code 130.

use crate::output::Interrupted;
use std::sync::LazyLock;
use tabia_app::Stop;

static STOP: LazyLock<Stop> = LazyLock::new(Stop::new);

/// The switch that Ctrl-C (or the signal that ends services) throws. A second one ends the process at once.
pub(crate) fn stop() -> anyhow::Result<&'static Stop> {
    ctrlc::set_handler(|| {
        if STOP.is_stopped() {
            std::process::exit(i32::from(Interrupted::CODE));
        }
        STOP.stop();
    })?;
    Ok(&STOP)
}

/// The same switch, once it has been set up.
pub(crate) fn thrown() -> &'static Stop {
    &STOP
}

/// What a command that was stopped ends with, and these words.
pub(crate) fn outcome(message: &str) -> anyhow::Result<()> {
    if STOP.is_stopped() { Err(Interrupted { message: message.to_owned() }.into()) } else { Ok(()) }
}
