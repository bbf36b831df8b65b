//! What dependencies may be: licences that are allowed, and no crate that we ask for in two versions.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Reads the list of `deny.toml` and fails on every package that offers none of its licences. Versions that are there twice are told.
pub(crate) fn check() -> anyhow::Result<()> {
    let output = Command::new("cargo").args(["metadata", "--format-version", "1", "--locked"]).output()?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let deny = std::fs::read_to_string("deny.toml")?;
    let allowed = allowed(&deny).context("deny.toml has no list of licences")?;
    let wrong: Vec<String> = packages.iter().filter_map(|package| wrong(package, &allowed)).collect();
    ensure!(wrong.is_empty(), "licences that deny.toml does not allow:\n  {}", wrong.join("\n  "));
    let (twice, ours) = (twice(packages), asked_twice(packages));
    ensure!(ours.is_empty(), "our crates ask for more than one version of {}", ours.join(", "));
    println!("{} packages; more than one version of {}", packages.len(), twice.join(", "));
    Ok(())
}

/// The texts of the list `allow`.
fn allowed(deny: &str) -> Option<BTreeSet<&str>> {
    let list = deny.split_once("allow = [")?.1.split(']').next()?;
    Some(list.split('"').skip(1).step_by(2).collect())
}

fn wrong(package: &Value, allowed: &BTreeSet<&str>) -> Option<String> {
    let text = package["license"].as_str().unwrap_or_default();
    let fits = Expression::fits(text, allowed);
    (!fits).then(|| format!("{} {}: '{text}'", package["name"], package["version"]))
}

/// Names with more than one version anywhere.
fn twice(packages: &[Value]) -> Vec<String> {
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for package in packages {
        *versions.entry(package["name"].as_str().unwrap_or_default()).or_default() += 1;
    }
    versions.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name.to_owned()).collect()
}

/// Names that crates of this workspace ask for with different requirements.
fn asked_twice(packages: &[Value]) -> Vec<String> {
    let mut asked: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages.iter().filter(|package| package["source"].is_null()) {
        for used in package["dependencies"].as_array().into_iter().flatten() {
            if let (Some(name), Some(version), false) =
                (used["name"].as_str(), used["req"].as_str(), used["source"].is_null())
            {
                asked.entry(name).or_default().insert(version);
            }
        }
    }
    asked.into_iter().filter(|(_, versions)| versions.len() > 1).map(|(name, _)| name.to_owned()).collect()
}

/// A licence expression of SPDX, read from left to right: `OR` binds less than `AND`, and `/` is an old way to write `OR`.
struct Expression<'a> {
    words: std::iter::Peekable<std::vec::IntoIter<String>>,
    allowed: &'a BTreeSet<&'a str>,
}

impl Expression<'_> {
    /// Whether everything that must hold is allowed. What cannot be read is not.
    fn fits(text: &str, allowed: &BTreeSet<&str>) -> bool {
        let spaced = text.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
        let mut expression = Expression { words: words.into_iter().peekable(), allowed };
        expression.any() == Some(true) && expression.words.next().is_none()
    }

    /// `None` when something is missing.
    fn any(&mut self) -> Option<bool> {
        let mut fits = self.all()?;
        while self.words.next_if_eq("OR").is_some() {
            fits |= self.all()?;
        }
        Some(fits)
    }

    fn all(&mut self) -> Option<bool> {
        let mut fits = self.one()?;
        while self.words.next_if_eq("AND").is_some() {
            fits &= self.one()?;
        }
        Some(fits)
    }

    fn one(&mut self) -> Option<bool> {
        let word = self.words.next()?;
        if word == "(" {
            let fits = self.any()?;
            self.words.next_if_eq(")")?;
            return Some(fits);
        }
        let exception = self.words.next_if_eq("WITH").and_then(|_| self.words.next());
        let name = exception.map_or(word.clone(), |exception| format!("{word} WITH {exception}"));
        Some(self.allowed.contains(name.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn expressions_are_read() {
        let list = allowed(
            "[licenses]\nallow = [\n \"MIT\", \"Apache-2.0\",\n \"Apache-2.0 WITH LLVM-exception\", \"Unicode-3.0\"]\n",
        );
        let list = list.expect("a list");
        assert_eq!(list.len(), 4);
        for good in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT/Apache-2.0",
            "(MIT OR GPL-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(Expression::fits(good, &list), "{good}");
        }
        for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "MIT WITH Something", "(MIT", "MIT MIT", "MIT OR"] {
            assert!(!Expression::fits(bad, &list), "{bad}");
        }
    }

    #[test]
    fn two_versions_are_seen() {
        let ours = |req: &str| json!({ "name": "tabia-x", "source": null, "dependencies": [{ "name": "a", "req": req, "source": "registry" }] });
        let theirs = |version: &str| json!({ "name": "a", "version": version, "source": "registry", "dependencies": [] });
        assert_eq!(twice(&[theirs("1.0.0"), theirs("2.0.0")]), ["a"]);
        assert_eq!(asked_twice(&[ours("^1"), ours("^2"), theirs("1.0.0")]), ["a"]);
        assert!(asked_twice(&[ours("^1"), ours("^1"), theirs("2.0.0")]).is_empty());
    }
}
