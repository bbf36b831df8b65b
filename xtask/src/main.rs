//! Developer tasks: `cargo xtask test`, `cargo xtask test --long`, and parts of it: `deps`, `http`, `python`, `web`; `cargo xtask
//! site` and `cargo xtask npm` build what runs in browsers, `cargo xtask wheel` what Python's users get; `cargo xtask soak` keeps a
//! server busy for hours.

mod browser;
mod deps;
mod http;
mod npm;
mod python;
mod server;
mod setup;
mod site;
mod soak;
mod test;
mod types;
mod wasm;
mod web;

use anyhow::Context;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask test [--long] | deps | http | npm | python | site | soak --hours N | soak --minutes N \
    | wasm [--figures] | web | wheel";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test::run(false),
        ["test", "--long"] => test::run(true),
        ["deps"] => deps::check(),
        ["http"] => test::alone(http::test),
        ["npm"] => npm::build(wasm::Build::Shipped).map(drop),
        ["python"] => test::alone(python::test),
        ["soak", "--hours", hours] => number(hours).and_then(|hours| soak::run(60 * hours)),
        ["soak", "--minutes", minutes] => number(minutes).and_then(soak::run),
        ["site"] => site::build(wasm::Build::Shipped),
        ["wasm"] => test::alone(test::without_server),
        ["wasm", "--figures"] => npm::figures(),
        ["web"] => test::alone(web::check),
        ["wheel"] => test::alone(python::wheel),
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

fn number(word: &str) -> anyhow::Result<u64> {
    word.parse().with_context(|| format!("a number is expected, found '{word}'"))
}
