//! The program for browsers: built, and bound to JavaScript.
//!
//! `wasm-opt` has no part in it: what it makes of this program is a tenth larger when compressed.

use crate::setup::rust_target;
use crate::test::{command, target};
use anyhow::Context;
use std::path::{Path, PathBuf};

const TARGET: &str = "wasm32-unknown-unknown";

/// Gets the tools that a build needs.
pub(crate) fn tools() -> anyhow::Result<()> {
    anyhow::ensure!(rust_target(TARGET), "rustup could not add {TARGET}");
    bindgen().map(drop)
}

/// Builds `tabia.js`, `tabia.d.ts` and `tabia_bg.wasm` into a folder.
pub(crate) fn build(folder: &Path) -> anyhow::Result<()> {
    tools()?;
    let bindgen = bindgen()?;
    let build = ["build", "--quiet", "--profile", "wasm", "--package", "tabia-wasm", "--target", TARGET];
    command("cargo", &build, |_| {})?;
    let program = target()?.join(TARGET).join("wasm/tabia_wasm.wasm");
    let (out, program) = (folder.to_string_lossy(), program.to_string_lossy());
    let options = [
        "--target",
        "web",
        "--remove-name-section",
        "--remove-producers-section",
        "--out-name",
        "tabia",
        "--out-dir",
        &out,
        &program,
    ];
    command(&bindgen.to_string_lossy(), &options, |_| {})
}

/// wasm-bindgen's tool, of the version that the library has.
fn bindgen() -> anyhow::Result<PathBuf> {
    let version = locked_version("wasm-bindgen")?;
    let root = target()?.join("tools");
    let (tool, stamp) = (root.join("bin/wasm-bindgen"), root.join("wasm-bindgen-version"));
    if tool.is_file() && std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == version) {
        return Ok(tool);
    }
    let (folder, build) = (root.to_string_lossy(), root.join("build"));
    let install =
        ["install", "--quiet", "wasm-bindgen-cli", "--version", &version, "--root", &folder, "--force"];
    command("cargo", &install, |command| {
        // Quickly built is enough: it works for a second.
        command.env("CARGO_TARGET_DIR", build).env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
    })
    .context("wasm-bindgen's tool could not be installed")?;
    std::fs::write(stamp, version)?;
    Ok(tool)
}

/// The version of a package in `Cargo.lock`.
fn locked_version(package: &str) -> anyhow::Result<String> {
    let lock = std::fs::read_to_string("Cargo.lock")?;
    let entry = format!("name = \"{package}\"\nversion = \"");
    let found = lock.split_once(&entry).and_then(|(_, rest)| rest.split('"').next());
    Ok(found.with_context(|| format!("{package} is not in Cargo.lock"))?.to_owned())
}
