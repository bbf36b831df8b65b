//! Developer tasks: `cargo xtask test`, `cargo xtask test --long`, and parts of it: `deps`, `http`, `web`.

mod browser;
mod deps;
mod http;
mod setup;
mod test;
mod web;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask test [--long] | deps | http | web";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test::run(false),
        ["test", "--long"] => test::run(true),
        ["deps"] => deps::check(),
        ["http"] => test::alone(http::test),
        ["web"] => test::alone(web::check),
        _ => Err(anyhow::anyhow!(USAGE)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
