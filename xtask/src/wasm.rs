//! The program for browsers: built, bound to JavaScript, and made small.

use crate::setup::{has, rust_target};
use crate::test::{command, target};
use anyhow::Context;
use std::path::{Path, PathBuf};

const TARGET: &str = "wasm32-unknown-unknown";
/// The tool that makes programs small: npm's package of it.
const BINARYEN: &str = "binaryen@132";

/// Gets the tools that a build needs.
pub(crate) fn tools() -> anyhow::Result<()> {
    anyhow::ensure!(rust_target(TARGET), "rustup could not add {TARGET}");
    bindgen().map(drop)
}

/// Builds `tabia.js`, `tabia.d.ts` and `tabia_bg.wasm` into a folder.
pub(crate) fn build(folder: &Path) -> anyhow::Result<()> {
    tools()?;
    let bindgen = bindgen()?;
    command("cargo", &["build", "--quiet", "--release", "--package", "tabia-wasm", "--target", TARGET], |_| {})?;
    let program = target()?.join(TARGET).join("release/tabia_wasm.wasm");
    let (out, program) = (folder.to_string_lossy(), program.to_string_lossy());
    let options = ["--target", "web", "--out-name", "tabia", "--out-dir", &out, &program];
    command(&bindgen.to_string_lossy(), &options, |_| {})?;
    shrink(&folder.join("tabia_bg.wasm"))
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

/// Has `wasm-opt` make a program small and quick, where it is there or can be had from npm.
fn shrink(program: &Path) -> anyhow::Result<()> {
    let Some(tool) = wasm_opt()? else {
        println!("without wasm-opt: {} stays as large as it is", program.display());
        return Ok(());
    };
    let small = program.with_extension("small");
    let (from, to) = (program.to_string_lossy(), small.to_string_lossy());
    command(&tool, &["-O3", "--all-features", "--strip-debug", "--strip-producers", &from, "-o", &to], |_| {})?;
    Ok(std::fs::rename(&small, program)?)
}

fn wasm_opt() -> anyhow::Result<Option<String>> {
    if has("wasm-opt") {
        return Ok(Some("wasm-opt".to_owned()));
    }
    let folder = target()?.join("tools/npm");
    let tool = folder.join("node_modules/.bin/wasm-opt");
    if !tool.is_file() && has("npm") {
        std::fs::create_dir_all(&folder)?;
        let prefix = folder.to_string_lossy();
        let install =
            ["install", "--prefix", &prefix, "--no-audit", "--no-fund", "--no-save", "--silent", BINARYEN];
        // Without it the program works as well.
        let _ = command("npm", &install, |_| {});
    }
    Ok(tool.is_file().then(|| tool.to_string_lossy().into_owned()))
}
