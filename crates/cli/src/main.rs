//! `tabia`: positions of board games, their codes, and answers about them.

use std::process::ExitCode;

fn main() -> ExitCode {
    tabia_cli::run(tabia_app::Registry::standard())
}
