//! The one test command: everything that must hold, in order of how quickly it can fail.

use crate::{
    bench, browser, deny, deps, docs, fuzz, http, licences, npm, oldest, publish, python, setup, site,
    toolchains, wasm, web,
};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// All crates but that for browsers. It has no tests of its own, and asks more of the crates that all have in common: with it, each
/// would be built twice, for it and for the Python package.
pub(crate) const NATIVE: [&str; 3] = ["--workspace", "--exclude", "tabia-wasm"];

/// Runs all checks; `long` adds the tests that take minutes.
pub(crate) fn run(long: bool) -> anyhow::Result<()> {
    let mut skipped = Vec::new();
    setup::ask_first(long);
    step("formatting", || cargo(&["fmt", "--all", "--", "--check"]))?;
    step("formatting of the page", || web::check(&mut skipped))?;
    step("dependency directions", deps::check)?;
    step("licences of dependencies", licences::check)?;
    step("what dependencies ask of Rust", oldest::dependencies)?;
    step("links of the documentation", docs::check)?;
    step("lints, and everything for arm64", || toolchains::lints(&mut skipped))?;
    step("servers for tests", || {
        setup::postgresql(&mut skipped);
        Ok(())
    })?;
    step("building the tests", build)?;
    step("unit, property, command line and documentation tests", || tests(&[]))?;
    if long {
        takes_minutes(&mut skipped)?;
    }
    step("documentation", toolchains::documentation)?;
    // Installing and waiting for browsers leave processors idle: these go side by side.
    let (python, browsers) = std::thread::scope(|scope| {
        let python = scope.spawn(|| {
            let mut skipped = Vec::new();
            step("the Python package", || python::test(&mut skipped)).map(|()| skipped)
        });
        let browsers = in_browsers(&mut skipped);
        (python.join(), browsers)
    });
    browsers?;
    skipped.extend(python.map_err(|_| anyhow::anyhow!("the tests of the Python package panicked"))??);
    for name in &skipped {
        println!("skipped: {name}");
    }
    println!("all checks passed{}", if skipped.is_empty() { "" } else { ", but for what was skipped" });
    Ok(())
}

/// What is built for browsers, and the page.
fn in_browsers(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    step("the browser without a server", || without_server(skipped))?;
    step("the page in a browser", || browser::test(skipped))
}

fn takes_minutes(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    step("long tests", || {
        let last = ["--release", "--quiet", "--", "--ignored", "--test-threads", "1"];
        let tests = [&["test"], &NATIVE[..], &last].concat();
        // Optimising across crates would take longer than it saves.
        command("cargo", &tests, |command| {
            command.env("CARGO_PROFILE_RELEASE_LTO", "off");
        })
    })?;
    step("the HTTP API by Schemathesis", || http::test(skipped))?;
    step("dependencies by cargo-deny", || deny::check(skipped))?;
    step("the oldest Rust", || oldest::check(skipped))?;
    step("random input", || {
        if setup::has("c++") {
            fuzz::run(10)
        } else {
            skipped.push("random input (libFuzzer is written in C++, and there is no c++)".to_owned());
            Ok(())
        }
    })?;
    step("instructions of the hot loops", || bench::compare(skipped))?;
    step("packages for crates.io", || publish::rehearse(true))
}

/// What answers in the browser asks neither for a process nor for a database: where the site cannot be built, its crates are checked at least.
fn for_the_browser(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    if !setup::rust_target(TARGET) {
        skipped.push(format!("the facade for the browser (rustup could not add {TARGET})"));
        return Ok(());
    }
    for package in ["tabia-app", "tabia-api"] {
        cargo(&["check", "--quiet", "--package", package, "--no-default-features", "--target", TARGET])?;
    }
    Ok(())
}

/// The static site and the npm package; what is missing is installed or named.
pub(crate) fn without_server(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    for program in ["node", "npm"] {
        if !(setup::has(program) || setup::apt(&["nodejs", "npm"]) && setup::has(program)) {
            skipped.push(format!(
                "the browser without a server ({program} is missing and could not be installed)"
            ));
            return for_the_browser(skipped);
        }
    }
    if let Err(error) = wasm::tools() {
        skipped.push(format!("the browser without a server ({error:#})"));
        return for_the_browser(skipped);
    }
    site::build(wasm::Build::Tested)?;
    npm::test()
}

/// A program or example that the tests have built. Built by itself it would be another one, with everything below it.
pub(crate) fn built(name: &str) -> anyhow::Result<PathBuf> {
    build()?;
    Ok(target()?.join("debug").join(name))
}

/// Builds all tests, and what they use.
fn build() -> anyhow::Result<()> {
    tests(&["--no-run"])
}

/// Builds and runs all tests but the long ones.
fn tests(more: &[&str]) -> anyhow::Result<()> {
    cargo(&[&["test", "--quiet"], &NATIVE[..], more].concat())
}

/// Runs one check that may have to be skipped.
pub(crate) fn alone(check: impl FnOnce(&mut Vec<String>) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut skipped = Vec::new();
    check(&mut skipped)?;
    skipped.iter().for_each(|name| println!("skipped: {name}"));
    Ok(())
}

fn step(name: &str, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    println!("== {name}");
    let begin = Instant::now();
    work().with_context(|| format!("{name} failed"))?;
    println!("== {name}: {:.0} s", begin.elapsed().as_secs_f64());
    Ok(())
}

fn cargo(arguments: &[&str]) -> anyhow::Result<()> {
    command("cargo", arguments, |_| {})
}

/// The folder for everything that is built or installed.
pub(crate) fn target() -> anyhow::Result<PathBuf> {
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    Ok(std::path::absolute(Path::new(&target))?)
}

/// What cargo keeps for the next build of a crate that has changed takes longer to write than it saves here. Whoever wants it says so.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// Runs a program and fails unless it succeeds.
pub(crate) fn command(
    program: &str,
    arguments: &[&str],
    adjust: impl FnOnce(&mut Command),
) -> anyhow::Result<()> {
    let mut command = Command::new(program);
    command.args(arguments);
    if std::env::var_os(INCREMENTAL).is_none() {
        command.env(INCREMENTAL, "0");
    }
    adjust(&mut command);
    let status = command.status().with_context(|| format!("{program} cannot be started"))?;
    if !status.success() {
        bail!("`{program} {}` ended with {status}", arguments.join(" "));
    }
    Ok(())
}
