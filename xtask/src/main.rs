//! Developer tasks: `cargo xtask test`, `cargo xtask test --long`, and parts of it: `deps`, `http`, `python`, `web`; `cargo xtask
//! site` and `cargo xtask npm` build what runs in browsers, `cargo xtask wheel` what Python's users get.

mod browser;
mod deps;
mod http;
mod npm;
mod python;
mod setup;
mod site;
mod test;
mod types;
mod wasm;
mod web;

use std::process::ExitCode;

const USAGE: &str =
    "usage: cargo xtask test [--long] | deps | http | npm | python | site | wasm [--figures] | web | wheel";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test::run(false),
        ["test", "--long"] => test::run(true),
        ["deps"] => deps::check(),
        ["http"] => test::alone(http::test),
        ["npm"] => npm::build(wasm::Build::Shipped).map(drop),
        ["python"] => test::alone(python::test),
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
