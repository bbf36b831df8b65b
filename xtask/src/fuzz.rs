//! Random input for every reader of bytes and text, by libFuzzer.
//!
//! The programs in `fuzz/` are laid out for cargo-fuzz, but need neither that tool nor nightly Rust: the compiler can count what
//! a program passes through without them. `cargo fuzz run TARGET` works as well, with sanitizers.

use crate::setup::has;
use crate::test::{command, target};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const FOLDER: &str = "fuzz";
/// Has the compiler count edges and show comparisons to the fuzzer.
const COVERAGE: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
    "-Ccodegen-units=4",
];

/// Runs every target for so many seconds, from its stored inputs on. New inputs are kept below `target/`.
pub(crate) fn run(seconds: u64) -> anyhow::Result<()> {
    let programs = build()?;
    let (mut inputs, mut found) = (0, Vec::new());
    println!("target,inputs,seconds,finds");
    for target in targets()? {
        let begin = Instant::now();
        let (count, broken) = fuzz(&programs, &target, seconds)?;
        println!("{target},{count},{:.0},{}", begin.elapsed().as_secs_f64(), u8::from(broken));
        inputs += count;
        if broken {
            found.push(target);
        }
    }
    println!("{inputs} inputs in all");
    if !found.is_empty() {
        bail!("laws were broken by inputs in {FOLDER}/artifacts: {}", found.join(", "));
    }
    Ok(())
}

/// Builds all programs; the folder that has them.
fn build() -> anyhow::Result<PathBuf> {
    anyhow::ensure!(has("c++"), "libFuzzer is written in C++, and there is no c++");
    let host = Command::new("rustc").args(["-vV"]).output()?;
    let host = String::from_utf8(host.stdout)?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    let out = target()?.join("fuzz");
    // With a target named, build scripts and macros are left as they are.
    let words = ["build", "--release", "--quiet", "--bins", "--target", host];
    command("cargo", &words, |command| {
        command.current_dir(FOLDER).env("CARGO_TARGET_DIR", &out);
        command.env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\u{1f}"));
    })?;
    Ok(out.join(host).join("release"))
}

/// The names of the programs.
fn targets() -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(Path::new(FOLDER).join("fuzz_targets"))? {
        names.extend(entry?.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// How many inputs were tried, and whether one broke a law.
fn fuzz(programs: &Path, name: &str, seconds: u64) -> anyhow::Result<(u64, bool)> {
    let kept = target()?.join("fuzz-corpus").join(name);
    let artifacts = Path::new(FOLDER).join("artifacts").join(name);
    std::fs::create_dir_all(&kept)?;
    std::fs::create_dir_all(&artifacts)?;
    let output = Command::new(programs.join(name))
        .args([&kept, &Path::new(FOLDER).join("corpus").join(name)])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        // The first question on a machine has its tables built.
        .args(["-print_final_stats=1", "-timeout=120", "-rss_limit_mb=2048", "-max_len=4096"])
        .stdout(Stdio::null())
        .output()
        .with_context(|| format!("{name} cannot be started"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    let count = told.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    if !output.status.success() {
        println!("{told}");
    }
    Ok((count.and_then(|count| count.trim().parse().ok()).unwrap_or(0), !output.status.success()))
}
