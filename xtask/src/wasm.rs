//! The program for browsers: built, bound to JavaScript, and made small.

use crate::setup::{has, npm_tool, rust_target};
use crate::site::copy;
use crate::test::{command, target};
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};

const TARGET: &str = "wasm32-unknown-unknown";
const BINARYEN: &str = "binaryen@132";
/// What the program may use of WebAssembly: not more than every browser has.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// In this order.
const PASSES: [&str; 10] = [
    "--duplicate-function-elimination",
    "--vacuum",
    "--remove-unused-brs",
    "--optimize-instructions",
    "--coalesce-locals",
    "--reorder-locals",
    "--vacuum",
    "--duplicate-function-elimination",
    "--reorder-functions-by-name",
    "--strip-debug",
];

/// Written when everything beside it has been.
const STAMP: &str = "done";

/// What a build is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// To be published: small and fast, and minutes of work.
    Shipped,
    /// To be tested: quickly built, with the checks for overflows, and several times as large.
    Tested,
}

impl Build {
    /// A folder below `target` for what is put together from this build.
    pub(crate) fn folder(self, name: &str) -> anyhow::Result<PathBuf> {
        Ok(match self {
            Build::Shipped => target()?.join(name),
            Build::Tested => target()?.join(format!("{name}-test")),
        })
    }

    /// What is tested shares the macros and build scripts of the lints and of the other tests, whose profile it has.
    const fn profile(self) -> &'static str {
        match self {
            Build::Shipped => "wasm",
            Build::Tested => "dev",
        }
    }
}

/// Gets the tools that a build needs.
pub(crate) fn tools() -> anyhow::Result<()> {
    anyhow::ensure!(rust_target(TARGET), "rustup could not add {TARGET}");
    bindgen().map(drop)
}

/// Builds `tabia.js`, `tabia.d.ts` and `tabia_bg.wasm` into a folder. The site and the package have the same ones.
pub(crate) fn build(kind: Build, folder: &Path) -> anyhow::Result<()> {
    tools()?;
    let profile = kind.profile();
    let build = ["build", "--quiet", "--profile", profile, "--package", "tabia-wasm", "--target", TARGET];
    command("cargo", &build, |_| {})?;
    let inside = if profile == "dev" { "debug" } else { profile };
    let program = target()?.join(TARGET).join(inside).join("tabia_wasm.wasm");
    let bound = kind.folder("bound")?;
    // In the tests the site comes first, and the package a moment later.
    if kind == Build::Shipped || !is_newer(&bound.join(STAMP), &program) {
        let _ = std::fs::remove_dir_all(&bound);
        bind(kind, &program, &bound)?;
        std::fs::write(bound.join(STAMP), "")?;
    }
    copy(&bound, folder)?;
    Ok(std::fs::remove_file(folder.join(STAMP))?)
}

fn is_newer(file: &Path, than: &Path) -> bool {
    let time = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
    time(file) > time(than)
}

/// Writes the JavaScript around a program.
fn bind(kind: Build, program: &Path, folder: &Path) -> anyhow::Result<()> {
    let (bindgen, program, out) = (bindgen()?, program.to_string_lossy(), folder.to_string_lossy());
    let bindgen = bindgen.to_string_lossy();
    match kind {
        Build::Shipped => {
            command(&bindgen, &[&program, &out], |_| {})?;
            shrink(&folder.join("tabia_bg.wasm"))
        }
        // Every page of the tests fetches and keeps it: nobody reads the names there.
        Build::Tested => command(&bindgen, &[&program, &out, "--nameless"], |_| {}),
    }
}

/// Has wasm-opt do what makes the program smaller when it is compressed: above all, sort the functions by name, so that those
/// that are alike are neighbours. (All of its optimisations together make it smaller, but larger when compressed.)
fn shrink(program: &Path) -> anyhow::Result<()> {
    let tool = if has("wasm-opt") { Ok("wasm-opt".into()) } else { npm_tool(BINARYEN, "wasm-opt") };
    let Ok(tool) = tool else {
        println!("wasm-opt is missing and could not be installed: the program is larger than it could be");
        return Ok(());
    };
    let program = program.to_string_lossy();
    let options = FEATURES.into_iter().chain(PASSES).chain([&*program, "-o", &program]).collect::<Vec<_>>();
    command(&tool.to_string_lossy(), &options, |_| {})
}

/// wasm-bindgen's tool, of the version that the library has.
fn bindgen() -> anyhow::Result<PathBuf> {
    let wanted = locked_version("Cargo.lock", "wasm-bindgen")?;
    let there = locked_version("bindgen/Cargo.lock", "wasm-bindgen-cli-support")?;
    ensure!(wanted == there, "bindgen/Cargo.toml asks for wasm-bindgen {there}, but Cargo.lock has {wanted}");
    let folder = target()?.join("tools/build");
    let build = ["build", "--quiet", "--locked", "--manifest-path", "bindgen/Cargo.toml"];
    command("cargo", &build, |command| {
        command.env("CARGO_TARGET_DIR", &folder);
    })?;
    Ok(folder.join("debug/tabia-bindgen").with_extension(std::env::consts::EXE_EXTENSION))
}

/// The version of a package in a `Cargo.lock`.
fn locked_version(lock: &str, package: &str) -> anyhow::Result<String> {
    let lock = std::fs::read_to_string(lock)?;
    let entry = format!("name = \"{package}\"\nversion = \"");
    let found = lock.split_once(&entry).and_then(|(_, rest)| rest.split('"').next());
    Ok(found.with_context(|| format!("{package} is not locked"))?.to_owned())
}
