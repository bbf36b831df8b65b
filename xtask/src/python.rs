//! The Python package as a user gets it: the wheel is built, installed into a virtual environment, and tested there.

use crate::setup::has;
use crate::test::{command, target};
use anyhow::Context;
use std::path::{Path, PathBuf};

/// Without these nothing can be tested.
const NEEDED: [&str; 5] = ["maturin>=1.9,<2", "pytest", "hypothesis", "numpy", "mypy"];
/// Tests that need one of these skip themselves without it.
const WANTED: [&str; 6] = ["gymnasium", "pettingzoo", "nbclient", "ipykernel", "matplotlib", "pyarrow"];

/// Builds, installs and tests; what is missing is installed or named.
pub(crate) fn test(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let folder = target()?.join("python");
    let python = match environment(&folder, skipped) {
        Ok(python) => python,
        Err(error) => {
            skipped.push(format!("the Python package ({error:#})"));
            return Ok(());
        }
    };
    install(&folder, &python)?;
    let run = |arguments: &[&str]| command(&python.to_string_lossy(), arguments, |_| {});
    run(&["-m", "mypy", "--strict", "python/tabia", "python/tests"])?;
    run(&["-m", "mypy.stubtest", "tabia._tabia", "--mypy-config-file", "pyproject.toml"])?;
    // Development mode: resources that are not closed and memory that is not right are told.
    run(&["-X", "dev", "-m", "pytest", "-q", "python/tests"])
}

/// A virtual environment with the tools, kept for the next time; its interpreter.
pub(crate) fn environment(folder: &Path, skipped: &mut Vec<String>) -> anyhow::Result<PathBuf> {
    let venv = folder.join("venv");
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = venv.join(inside);
    let stamp = folder.join("installed");
    let all = [&NEEDED[..], &WANTED[..]].concat().join("\n");
    if python.is_file() && std::fs::read_to_string(&stamp).is_ok_and(|done| done == all) {
        return Ok(python);
    }
    anyhow::ensure!(has("python3"), "python3 is missing");
    command("python3", &["-m", "venv", &venv.to_string_lossy()], |_| {})?;
    pip(&python, &NEEDED).context("its tools could not be installed")?;
    let missing: Vec<&str> = WANTED.into_iter().filter(|package| pip(&python, &[package]).is_err()).collect();
    if missing.is_empty() {
        std::fs::write(stamp, all)?;
    } else {
        skipped.push(format!("parts of the Python package ({} could not be installed)", missing.join(", ")));
    }
    Ok(python)
}

fn pip(python: &Path, packages: &[&str]) -> anyhow::Result<()> {
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    command(&python.to_string_lossy(), &[&install[..], packages].concat(), |_| {})
}

/// Builds the wheel without optimising across crates, and installs it.
fn install(folder: &Path, python: &Path) -> anyhow::Result<()> {
    // With the profile and the features of the other tests all but the module itself is built.
    let wheel = build(&folder.join("wheels"), python, &["--profile", "dev", "--features", "tested"])?;
    pip(python, &["--force-reinstall", "--no-deps", &wheel.to_string_lossy()])
}

/// Builds a wheel into an empty folder.
pub(crate) fn build(out: &Path, python: &Path, options: &[&str]) -> anyhow::Result<PathBuf> {
    let _ = std::fs::remove_dir_all(out);
    let (folder, interpreter) = (out.to_string_lossy(), python.to_string_lossy());
    let usual = ["-m", "maturin", "build", "--quiet", "--out", &folder, "--interpreter", &interpreter];
    command(&interpreter, &[&usual[..], options].concat(), |_| {})?;
    Ok(std::fs::read_dir(out)?.next().context("no wheel was built")??.path())
}
