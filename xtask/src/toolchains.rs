//! Other processors and older compilers than the one at hand: the program must build for them, too.

use crate::setup::{rust_target, rust_toolchain};
use crate::test::{command, target};
use anyhow::Context;

const ARM64: &str = "aarch64-unknown-linux-gnu";

/// Checks the command line, and with it everything that is not for browsers or Python alone, for arm64.
pub(crate) fn arm64(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    if !rust_target(ARM64) {
        skipped.push(format!("the program for arm64 (rustup could not add {ARM64})"));
        return Ok(());
    }
    // The allocator is written in C, and a compiler of C for arm64 is seldom there.
    let features = "cluster,cuda,parquet,terminal,images";
    let check =
        ["check", "--quiet", "--package", "tabia-cli", "--no-default-features", "--features", features];
    command("cargo", &[&check[..], &["--target", ARM64]].concat(), |_| {})
}

/// Checks all crates with the oldest Rust that is promised.
pub(crate) fn msrv(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let manifest = std::fs::read_to_string("Cargo.toml")?;
    let oldest = manifest.split_once("rust-version = \"").and_then(|(_, rest)| rest.split('"').next());
    let oldest = oldest.context("Cargo.toml does not name a rust-version")?;
    if !rust_toolchain(oldest) {
        skipped.push(format!("Rust {oldest} (rustup could not install it)"));
        return Ok(());
    }
    // A folder of its own: the builds of two compilers do not mix.
    let folder = target()?.join(format!("rust-{oldest}"));
    let check = ["run", oldest, "cargo", "check", "--quiet", "--workspace", "--exclude", "tabia-wasm"];
    command("rustup", &check, |command| {
        command.env("CARGO_TARGET_DIR", folder);
    })
}
