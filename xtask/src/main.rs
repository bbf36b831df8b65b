//! Developer tasks: `cargo xtask` lists them, `CONTRIBUTING.md` says when each is of use.

mod bench;
mod book;
mod browser;
mod deny;
mod deps;
mod docs;
mod fuzz;
mod http;
mod levels;
mod licences;
mod npm;
mod oldest;
mod publish;
mod python;
mod server;
mod setup;
mod site;
mod soak;
mod test;
mod toolchains;
mod types;
mod wasm;
mod web;
mod wheel;

use anyhow::Context;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask TASK

  test [--long]                  everything that must hold, in order of how quickly it can fail
  deny, deps, docs, http, lints, msrv, publish [--no-build], python, wasm [--figures], web
                                 parts of it
  book, npm, site, wheel         build the guide, the npm package, the static site, the Python package
  bench                          instructions of the hot loops against their baseline
  bench --write                  the same as a new baseline, all figures and peers, and docs/performance.md from them; its parts:
  bench --build                  builds what is measured, while the machine is not quiet yet
  bench --baseline               the new baseline
  bench --times [CRATE...]       the figures of all crates and the peers, or some of them (`peers` is one); kept in target/
  bench --page                   docs/performance.md from what was measured last
  fuzz --seconds N               random input for every reader, each for so long
  levels PROGRAM GAMES [GAME]    finds the levels for people by matches of so many games
  soak --hours N | --minutes N   keeps a server busy and watches what it takes";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test::run(false),
        ["test", "--long"] => test::run(true),
        ["lints"] => test::alone(toolchains::lints),
        ["bench"] => test::alone(bench::compare),
        ["bench", "--write"] => test::alone(bench::write),
        ["bench", "--build"] => bench::build(),
        ["bench", "--baseline"] => test::alone(bench::baseline),
        ["bench", "--times", ref crates @ ..] => bench::times(crates),
        ["bench", "--page"] => bench::page(),
        ["book"] => book::build(),
        ["deny"] => test::alone(deny::check),
        ["deps"] => deps::check().and_then(|()| licences::check()),
        ["docs"] => docs::check(),
        ["fuzz", "--seconds", seconds] => number(seconds).and_then(fuzz::run),
        ["http"] => test::alone(http::test),
        ["levels", program, games, ref only @ ..] if only.len() < 2 => number(games)
            .and_then(|games| levels::find(std::path::Path::new(program), games, only.first().copied())),
        ["msrv"] => test::alone(oldest::check),
        ["npm"] => npm::build(wasm::Build::Shipped).map(drop),
        ["publish"] => publish::rehearse(true),
        ["publish", "--no-build"] => publish::rehearse(false),
        ["python"] => test::alone(python::test),
        ["soak", "--hours", hours] => number(hours).and_then(|hours| soak::run(60 * hours)),
        ["soak", "--minutes", minutes] => number(minutes).and_then(soak::run),
        ["site"] => site::build(wasm::Build::Shipped),
        ["wasm"] => test::alone(test::without_server),
        ["wasm", "--figures"] => npm::figures(),
        ["web"] => test::alone(web::check),
        ["wheel"] => test::alone(wheel::wheel),
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
