//! How fast everything is: instructions of the hot loops, figures of the crates, and the same work done by other people's crates.
//!
//! What was measured is kept in the folder of builds, and the page of the guide is written from there.

mod figures;
mod instructions;
mod machine;
mod page;
mod peers;

use anyhow::{Context, ensure};
use std::path::Path;

/// The crate outside the workspace that measures other people's.
const PEERS: &str = "peers";

/// Counts the instructions of the hot loops and compares them with the baseline.
pub(crate) fn compare(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    instructions::run(false, skipped)
}

/// Counts them as a new baseline.
pub(crate) fn baseline(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    instructions::run(true, skipped)
}

/// Builds all that is measured: that needs no quiet machine.
pub(crate) fn build() -> anyhow::Result<()> {
    instructions::program()?;
    figures::build()?;
    peers::build()
}

/// Measures everything, and writes the baseline and the page.
pub(crate) fn write(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    build()?;
    baseline(skipped)?;
    times(&[])?;
    page()
}

/// Measures the figures of some crates, or of all of them with the peers.
pub(crate) fn times(only: &[&str]) -> anyhow::Result<()> {
    let unknown = only.iter().find(|name| **name != PEERS && !figures::packages().contains(*name));
    ensure!(unknown.is_none(), "{} has no figures", unknown.unwrap_or(&""));
    let wanted = |name: &str| only.is_empty() || only.contains(&name);
    figures::measure(wanted)?;
    if wanted(PEERS) {
        peers::measure()?;
    }
    Ok(())
}

/// Writes the page from what was measured last.
pub(crate) fn page() -> anyhow::Result<()> {
    page::write(&figures::told()?, &peers::told()?, &instructions::told())
}

/// Writes a file anew, as a whole or not at all.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let new = path.with_added_extension("tmp");
    std::fs::write(&new, text).with_context(|| format!("{} cannot be written", new.display()))?;
    std::fs::rename(&new, path).with_context(|| format!("{} cannot be replaced", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = std::env::temp_dir().join(format!("tabia-replace-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("page.md");
        for text in ["a longer text", "short"] {
            replace(&file, text).expect("it is written");
            assert_eq!(std::fs::read_to_string(&file).expect("a file"), text);
        }
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
        std::fs::remove_dir_all(&folder).expect("it is removed");
        assert!(replace(&file, "no folder").is_err());
    }

    #[test]
    fn crates_without_figures_are_refused() {
        assert!(times(&["tabia-nothing"]).is_err());
    }
}
