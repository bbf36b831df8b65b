//! Ctrl-C while something long is done: it ends in order, with exit code 130.

use crate::output::Interrupted;
use std::sync::{LazyLock, OnceLock};
use tabia_app::Stop;

static STOP: LazyLock<Stop> = LazyLock::new(Stop::new);
static SET_UP: OnceLock<()> = OnceLock::new();

/// The switch that Ctrl-C (or the signal that ends services) throws. A second one ends the process at once.
pub(crate) fn stop() -> anyhow::Result<&'static Stop> {
    // A command may build tables on a GPU first, and then do what it was asked for.
    if SET_UP.set(()).is_ok() {
        ctrlc::set_handler(|| {
            if STOP.is_stopped() {
                std::process::exit(i32::from(Interrupted::CODE));
            }
            STOP.stop();
        })?;
    }
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

#[cfg(test)]
mod tests {
    #[test]
    fn one_command_may_ask_twice() {
        assert!(super::stop().is_ok() && super::stop().is_ok());
    }
}
