//! The documentation holds together: every link leads somewhere, every page of the guide is in its table of contents and says at
//! once what its reader can do after it.

use anyhow::{Context, ensure};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the guide is.
pub(crate) const GUIDE: &str = "docs";
/// How the first sentence of a page begins.
const PROMISE: &str = "After this page";

/// Looks at every Markdown file of the repository.
pub(crate) fn check() -> anyhow::Result<()> {
    let listed = Command::new("git").args(["ls-files", "*.md"]).output()?;
    let files: Vec<PathBuf> = String::from_utf8(listed.stdout)?.lines().map(PathBuf::from).collect();
    ensure!(!files.is_empty(), "git lists no Markdown files");
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let text = std::fs::read_to_string(file)?;
        for link in links(&text) {
            if let Err(error) = follow(file, &link) {
                wrong.push(format!("{}: [{link}]: {error}", file.display()));
            }
        }
    }
    wrong.extend(pages_of_the_guide(&files)?);
    ensure!(wrong.is_empty(), "{} places:\n  {}", wrong.len(), wrong.join("\n  "));
    Ok(())
}

/// Each page is in `SUMMARY.md`, and begins with what can be done after it.
fn pages_of_the_guide(files: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let summary = std::fs::read_to_string(Path::new(GUIDE).join("SUMMARY.md"))?;
    let listed: BTreeSet<PathBuf> = links(&summary).iter().map(|link| Path::new(GUIDE).join(link)).collect();
    let mut wrong = Vec::new();
    for page in files.iter().filter(|file| file.starts_with(GUIDE) && !file.ends_with("SUMMARY.md")) {
        if !listed.contains(page) {
            wrong.push(format!("{} is not in docs/SUMMARY.md", page.display()));
        }
        let text = std::fs::read_to_string(page)?;
        let first = text.lines().skip(1).find(|line| !line.is_empty()).unwrap_or_default();
        if !first.starts_with(PROMISE) {
            wrong.push(format!("{} does not begin with '{PROMISE} you can ...'", page.display()));
        }
    }
    Ok(wrong)
}

/// The targets of all links and pictures, outside code.
pub(crate) fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        // What stands between back-ticks is code.
        let words: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
        for rest in words.split("](").skip(1) {
            if let Some((target, _)) = rest.split_once(')') {
                found.push(target.split_whitespace().next().unwrap_or_default().to_owned());
            }
        }
    }
    found
}

/// The lines that are not part of a block of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence && !line.starts_with("    ")
    })
}

fn follow(from: &Path, link: &str) -> anyhow::Result<()> {
    if link.contains("://") || link.starts_with("mailto:") {
        return Ok(());
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let file =
        if path.is_empty() { from.to_owned() } else { from.parent().unwrap_or(Path::new("")).join(path) };
    ensure!(file.exists(), "there is no {}", file.display());
    let Some(anchor) = anchor else { return Ok(()) };
    let text =
        std::fs::read_to_string(&file).with_context(|| format!("{} has no headings", file.display()))?;
    ensure!(anchors(&text).contains(anchor), "{} has no heading #{anchor}", file.display());
    Ok(())
}

/// The names that GitHub and mdBook give to headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for heading in prose(text).filter(|line| line.starts_with('#')) {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept =
            title.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        let name: String = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect();
        let more = (1..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(more).find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_outside_code_are_found() {
        let text = "See [a](b.md#c), `[no](x)` and ![d](e.png \"f\").\n\n    [no](y)\n\n```\n[no](z)\n```\n[g](#h)\n";
        assert_eq!(links(text), ["b.md#c", "e.png", "#h"]);
    }

    #[test]
    fn headings_have_names() {
        let names = anchors("# One, two: `three`\n## A game's end\n## A game's end\n```\n# no\n```\n");
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a-games-end", "a-games-end-1", "one-two-three"]);
    }
}
