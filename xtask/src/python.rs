//! The Python package as a user gets it: the wheel is built, installed into a virtual environment, and tested there.

use crate::setup::has;
use crate::test::{command, target};
use anyhow::Context;
use std::fs::File;
use std::path::{Path, PathBuf};
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Without these nothing can be tested.
const NEEDED: [&str; 5] = ["maturin>=1.9,<2", "pytest", "hypothesis", "numpy", "mypy"];
/// Tests that need one of these skip themselves without it.
const WANTED: [&str; 6] = ["gymnasium", "pettingzoo", "nbclient", "ipykernel", "matplotlib", "pyarrow"];

/// For the linker that comes with Rust on this system: equal functions are one, and what is alike lies side by side, which
/// compresses better.
const SORTED: [&str; 3] = ["--", "-Clink-arg=-Wl,--icf=all", "-Clink-arg=-Wl,--bp-compression-sort=both"];

/// The level of compression that takes more time than any other program would, and less than its own usual one: more gains
/// a thousandth.
const ZOPFLI: i64 = 14;

/// Bytes that no wheel may have.
const LARGEST_WHEEL: u64 = 6_000_000;

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
fn environment(folder: &Path, skipped: &mut Vec<String>) -> anyhow::Result<PathBuf> {
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

/// Builds the wheel that users get, with the profile of `pyproject.toml`, and weighs it.
pub(crate) fn wheel(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let folder = target()?.join("python");
    let python = match environment(&folder, skipped) {
        Ok(python) => python,
        Err(error) => {
            skipped.push(format!("the wheel ({error:#})"));
            return Ok(());
        }
    };
    let options: &[&str] = if cfg!(all(target_os = "linux", target_arch = "x86_64")) { &SORTED } else { &[] };
    let wheel = build(&folder.join("release"), &python, options)?;
    compress(&wheel)?;
    let bytes = std::fs::metadata(&wheel)?.len();
    println!("{}: {:.2} MB", wheel.display(), bytes as f64 / 1e6);
    anyhow::ensure!(bytes < LARGEST_WHEEL, "the wheel has {bytes} bytes, not less than {LARGEST_WHEEL}");
    Ok(())
}

/// Compresses what is in a wheel as well as the format allows, which takes a minute.
fn compress(wheel: &Path) -> anyhow::Result<()> {
    let better = wheel.with_extension("better");
    let mut old = ZipArchive::new(File::open(wheel)?)?;
    let mut new = ZipWriter::new(File::create(&better)?);
    for number in 0..old.len() {
        let mut file = old.by_index(number)?;
        let options = file.options().compression_method(CompressionMethod::Deflated);
        new.start_file(file.name().to_owned(), options.compression_level(Some(ZOPFLI)))?;
        std::io::copy(&mut file, &mut new)?;
    }
    new.finish()?;
    std::fs::rename(better, wheel).context("the wheel could not be replaced")
}

/// Builds a wheel into an empty folder.
fn build(out: &Path, python: &Path, options: &[&str]) -> anyhow::Result<PathBuf> {
    let _ = std::fs::remove_dir_all(out);
    let (folder, interpreter) = (out.to_string_lossy(), python.to_string_lossy());
    let usual = ["-m", "maturin", "build", "--quiet", "--out", &folder, "--interpreter", &interpreter];
    command(&interpreter, &[&usual[..], options].concat(), |_| {})?;
    Ok(std::fs::read_dir(out)?.next().context("no wheel was built")??.path())
}
