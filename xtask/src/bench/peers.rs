//! Other people's crates, which do the same work in the same run: `peers/` prints a row for each.

use super::{PEERS, replace};
use crate::test::target;
use anyhow::{Context, ensure};
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn file() -> anyhow::Result<PathBuf> {
    Ok(target()?.join("peers.tsv"))
}

/// What cargo prints when it builds or runs the crate.
fn cargo(word: &str) -> anyhow::Result<String> {
    let output = Command::new("cargo")
        .args([word, "--quiet", "--release", "--locked"])
        .current_dir(PEERS)
        .env("CARGO_TARGET_DIR", target()?.join(PEERS))
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "{PEERS} ended with {}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// Builds the crate.
pub(super) fn build() -> anyhow::Result<()> {
    cargo("build").map(drop)
}

/// Builds and runs the crate, and keeps what it printed.
pub(super) fn measure() -> anyhow::Result<()> {
    println!("== {PEERS}");
    let text = cargo("run")?;
    print!("{text}");
    replace(&file()?, &text)
}

/// What the page says.
pub(super) fn told() -> anyhow::Result<String> {
    let file = file()?;
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("{} is not there: `bench --times peers` makes it", file.display()))?;
    Ok(page(&text))
}

fn page(text: &str) -> String {
    let mut told = "| what | Tabia | peer | its figure | Tabia is |\n|---|---|---|---|---|\n".to_owned();
    text.lines().filter_map(line).for_each(|line| told += &line);
    told
}

/// A line of the table, from: what, unit, ours, the peer's name, its version, theirs.
fn line(row: &str) -> Option<String> {
    let parts: Vec<&str> = row.split('\t').collect();
    let [what, unit, ours, peer, version, theirs] = parts[..] else { return None };
    let (ours, theirs): (f64, f64) = (ours.parse().ok()?, theirs.parse().ok()?);
    let times = ours / theirs;
    Some(format!(
        "| {what} | {ours} {unit} | {peer} {version} | {theirs} {unit} | {times:.2} times as fast |\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_lines() {
        let text = "chess perft 4\tM nodes/s\t520\tcozy-chess\t0.3.4\t400\nnot a row\n";
        assert_eq!(
            page(text).lines().last(),
            Some("| chess perft 4 | 520 M nodes/s | cozy-chess 0.3.4 | 400 M nodes/s | 1.30 times as fast |")
        );
        assert_eq!(page(text).lines().count(), 3);
    }
}
