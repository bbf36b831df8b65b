//! The command line of Tabia as a library: [`run`] is all of it, for the games of any registry.
//!
//! Data go to standard output, everything else to standard error. Exit codes: 0 yes or done,
//! 1 a negative answer, 2 bad input or failure, 130 stopped by Ctrl-C; a closed pipe is 0.

mod args;
mod commands;
mod endings;
mod input;
mod output;
mod picture;
pub mod settings;
mod whole;

use output::{Interrupted, Negative};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::ExitCode;
use tabia_app::Registry;

/// Does what was typed, with the games of a registry: the whole command line for any set of games.
///
/// ```no_run
/// use tabia_app::Registry;
///
/// fn main() -> std::process::ExitCode {
///     tabia_cli::run(Registry::standard())
/// }
/// ```
pub fn run(registry: Registry) -> ExitCode {
    run_words(registry, std::env::args_os()).into()
}

/// The same for words that were not typed at a shell, the name of the program first; the answer is the exit code.
pub fn run_words(registry: Registry, words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    let mut cli = match args::read(&words) {
        Ok(cli) => cli,
        Err(error) => {
            match args::unknown_option(&error, &words) {
                Some(option) => output::no_option(&option),
                None => drop(error.print()),
            }
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    cli.common.color.apply();
    let evaluation = cli.common.eval.clone();
    cli.common.registry =
        registry.with_settings(tabia_app::Settings { evaluation, ..settings::from_environment() });
    match commands::run(&cli).and_then(|()| trusted(&cli.common.registry)) {
        Ok(()) => 0,
        Err(error) => explain(&error),
    }
}

/// Fails where the rules of a game have failed on the way: what was printed is no answer then.
fn trusted(registry: &Registry) -> anyhow::Result<()> {
    registry.fault().map_or(Ok(()), |fault| Err(anyhow::anyhow!(fault)))
}

/// Prints why it failed, and turns that into an exit code.
fn explain(error: &anyhow::Error) -> u8 {
    let closed_pipe = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    if closed_pipe.into_iter().any(|error| error.kind() == ErrorKind::BrokenPipe) {
        return 0;
    }
    if let Some(negative) = error.downcast_ref::<Negative>() {
        if !negative.message.is_empty() {
            output::message(&negative.message);
        }
        return 1;
    }
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        output::message(&interrupted.message);
        return Interrupted::CODE;
    }
    output::error(error);
    output::exit_code(error)
}
