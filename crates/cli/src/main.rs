//! `tabia`: positions of board games, their codes, and answers about them.
//!
//! Data go to standard output, everything else to standard error. Exit codes: 0 yes or done,
//! 1 a negative answer, 2 bad input or failure, 130 stopped by Ctrl-C; a closed pipe is 0.

mod args;
mod commands;
mod input;
mod interrupt;
mod output;

use args::Cli;
use clap::Parser;
use output::{Interrupted, Negative};
use std::io::ErrorKind;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let failed = error.use_stderr();
            let _ = error.print();
            return ExitCode::from(if failed { 2 } else { 0 });
        }
    };
    cli.common.color.apply();
    match commands::run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => explain(&error),
    }
}

/// Prints why it failed, and turns that into an exit code.
fn explain(error: &anyhow::Error) -> ExitCode {
    let closed_pipe = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    if closed_pipe.into_iter().any(|error| error.kind() == ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    if let Some(negative) = error.downcast_ref::<Negative>() {
        if !negative.message.is_empty() {
            output::message(&negative.message);
        }
        return ExitCode::from(1);
    }
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        output::message(&interrupted.message);
        return ExitCode::from(Interrupted::CODE);
    }
    output::error(error);
    ExitCode::from(output::exit_code(error))
}
