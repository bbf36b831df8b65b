//! Ctrl-C: long work ends in order and says how far it came.

use crate::output::Interrupted;
use std::sync::OnceLock;
use tabia_app::search::Stop;

static STOP: OnceLock<Stop> = OnceLock::new();

/// A switch that Ctrl-C (or the signal that ends services) throws. A second one ends the process at once.
pub(crate) fn stop() -> anyhow::Result<Stop> {
    if let Some(stop) = STOP.get() {
        return Ok(stop.clone());
    }
    let stop = STOP.get_or_init(Stop::new).clone();
    let thrown = stop.clone();
    ctrlc::set_handler(move || {
        if thrown.is_stopped() {
            std::process::exit(i32::from(Interrupted::CODE));
        }
        thrown.stop();
    })?;
    Ok(stop)
}

/// What a command that was stopped ends with, after it has printed what it has.
pub(crate) fn outcome(stop: &Stop) -> anyhow::Result<()> {
    if stop.is_stopped() {
        return Err(Interrupted { message: "stopped before the end".to_owned() }.into());
    }
    Ok(())
}
