//! How much work the hot loops are, in instructions: a number that no other program on the machine can change.
//!
//! The baseline is a file of the repository. It holds for one version of the compiler; with another one there is nothing to compare with.

use super::machine::compiler;
use crate::setup::{apt, has};
use crate::test::{command, target};
use anyhow::{bail, ensure};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const BASELINE: &str = "data/instructions.csv";
/// So much more than the baseline is too much, in hundredths.
const TOLERANCE: u64 = 5;

/// What is counted: a name, and the words of the program, which does the same each time.
const LOOPS: [(&str, &str); 13] = [
    ("starting the program", "games"),
    ("5-Visible perft 5", "perft five-visible 5"),
    ("5-Visible, 1,000 random games", "playout five-visible --games 1000 --seed 1"),
    ("5-Visible search, 20,000 nodes", "search five-visible --nodes 20000"),
    ("Arx perft 4", "perft arx 4"),
    ("Arx search, 20,000 nodes", "search arx --nodes 20000"),
    ("solitaire, classes to ply 10", "enumerate solitaire --depth 10"),
    ("solitaire solved", "solve solitaire triangle6"),
    ("draughts perft 9", "perft draughts 9"),
    ("draughts, 1,000 random games", "playout draughts --games 1000 --seed 1"),
    ("draughts search, 50,000 nodes", "search draughts --nodes 50000"),
    ("chess perft 5", "perft chess 5"),
    ("chess search, 50,000 nodes", "search chess --nodes 50000"),
];

/// Counts all loops and compares them with the baseline; with `write` they become the baseline.
pub(crate) fn run(write: bool, skipped: &mut Vec<String>) -> anyhow::Result<()> {
    if !(has("valgrind") || apt(&["valgrind"]) && has("valgrind")) {
        skipped.push(
            "instructions of the hot loops (valgrind is missing and could not be installed)".to_owned(),
        );
        return Ok(());
    }
    let (program, compiler) = (program()?, compiler()?);
    let mut counts = Vec::new();
    for (name, words) in LOOPS {
        let count = count(&program, words)?;
        println!("{name}: {count}");
        counts.push((name, count));
    }
    if write {
        return super::replace(Path::new(BASELINE), &table(&compiler, &counts));
    }
    let Ok(baseline) = std::fs::read_to_string(BASELINE) else {
        skipped.push(format!(
            "instructions against their baseline ({BASELINE} is not there: `bench --write` makes it)"
        ));
        return Ok(());
    };
    let (measured_with, before) = read(&baseline);
    if measured_with != compiler {
        skipped.push(format!(
            "instructions against their baseline (counted with {measured_with}, not {compiler})"
        ));
        return Ok(());
    }
    let worse = worse(&before, &counts);
    ensure!(worse.is_empty(), "more instructions than {BASELINE} says:\n  {}", worse.join("\n  "));
    Ok(())
}

/// The program as it is released, built where it is not yet. `TABIA_BIN` names another one.
pub(super) fn program() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("TABIA_BIN") {
        return Ok(path.into());
    }
    command("cargo", &["build", "--quiet", "--release", "--package", "tabia-cli"], |_| {})?;
    Ok(target()?.join("release/tabia"))
}

/// The instructions of one run, as callgrind counts them.
fn count(program: &Path, words: &str) -> anyhow::Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(words.split(' '))
        .args(["--threads", "1", "--quiet"])
        .output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let count = told.lines().find_map(|line| line.split_once("Collected : ")).map(|(_, count)| count.trim());
    match count.and_then(|count| count.parse().ok()) {
        Some(count) if output.status.success() => Ok(count),
        _ => bail!("`{words}` was not counted:\n{told}"),
    }
}

fn table(compiler: &str, counts: &[(&str, u64)]) -> String {
    let mut text = format!("# {compiler}\n");
    for (name, count) in counts {
        let _ = writeln!(text, "{count};{name}");
    }
    text
}

/// The compiler, and the counts by name.
fn read(text: &str) -> (&str, BTreeMap<&str, u64>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let entries = rest.lines().filter_map(|line| {
        let (count, name) = line.split_once(';')?;
        Some((name, count.parse().ok()?))
    });
    (first.trim_start_matches("# "), entries.collect())
}

/// Everything that takes more than the tolerance allows, or was not there before.
fn worse(before: &BTreeMap<&str, u64>, counts: &[(&str, u64)]) -> Vec<String> {
    let told = |&(name, count): &(&str, u64)| match before.get(name) {
        None => Some(format!("{name} has no baseline")),
        Some(&before) if count * 100 > before * (100 + TOLERANCE) => {
            Some(format!("{name}: {count}, not {before}"))
        }
        Some(_) => None,
    };
    counts.iter().filter_map(told).collect()
}

/// What the page says: the baseline, with the words of each loop.
pub(super) fn told() -> String {
    std::fs::read_to_string(BASELINE).map_or_else(|_| "Not counted yet.\n".to_owned(), |text| page(&text))
}

fn page(baseline: &str) -> String {
    let (compiler, counts) = read(baseline);
    let mut text =
        format!("Counted with {compiler}:\n\n| what | million instructions | `tabia ...` |\n|---|---|---|\n");
    for (name, words) in LOOPS {
        if let Some(&count) = counts.get(name) {
            let _ = writeln!(text, "| {name} | {:.1} | `{words}` |", count as f64 / 1e6);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_more_is_told() {
        let text = table("rustc 1.0", &[("a", 100), ("b", 1000)]);
        let (compiler, before) = read(&text);
        assert_eq!((compiler, before.len()), ("rustc 1.0", 2));
        assert!(worse(&before, &[("a", 105), ("b", 900)]).is_empty());
        assert_eq!(worse(&before, &[("a", 106), ("c", 1)]), ["a: 106, not 100", "c has no baseline"]);
    }

    #[test]
    fn the_baseline_is_told_with_its_words() {
        let text = page(&table("rustc 1.0", &[("chess perft 5", 1_234_567), ("gone", 1)]));
        assert!(text.starts_with("Counted with rustc 1.0:\n"));
        assert!(text.ends_with("|---|---|---|\n| chess perft 5 | 1.2 | `perft chess 5` |\n"));
    }
}
