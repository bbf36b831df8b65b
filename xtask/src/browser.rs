//! The tests of the web page in a real browser.

use crate::setup::{apt, has};
use crate::site;
use crate::test::{command, target};
use std::path::{Path, PathBuf};

/// Builds the server and drives the page with Chromium; what is missing is installed or named.
pub(crate) fn test(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let tests = Path::new("web/tests");
    if !tests.join("package.json").is_file() {
        skipped.push("the page in a browser (no tests in web/tests)".to_owned());
        return Ok(());
    }
    for (program, package) in [("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")] {
        if !(has(program) || apt(&[package]) && has(program)) {
            skipped.push(format!("the page in a browser ({program} is missing and could not be installed)"));
            return Ok(());
        }
    }
    let npm = command("npm", &["ci", "--no-audit", "--no-fund", "--silent"], |command| {
        command.current_dir(tests);
    });
    if let Err(error) = npm {
        skipped.push(format!("the page in a browser (its test tools could not be installed: {error})"));
        return Ok(());
    }
    let binary = binary()?;
    command("node", &["--test", "--test-concurrency=1"], |command| {
        command.current_dir(tests).env("TABIA_BIN", &binary);
    })?;
    if !site::folder()?.join("index.html").is_file() {
        skipped.push("the page in a browser without a server (the static site was not built)".to_owned());
        return Ok(());
    }
    let mut words = vec!["--test".to_owned(), "--test-concurrency=1".to_owned()];
    words.extend(without_server(tests)?);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    command("node", &words, |command| {
        command.current_dir(tests).env("TABIA_BIN", binary).env("TABIA_BACKEND", "worker");
    })
}

/// The tests that also hold where no server answers; the others are about the server itself, or have run already.
fn without_server(tests: &Path) -> anyhow::Result<Vec<String>> {
    const OF_SERVERS: [&str; 3] = ["connect-four.test.js", "origin.test.js", "static.test.js"];
    let mut names = Vec::new();
    for entry in std::fs::read_dir(tests)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".test.js") && !OF_SERVERS.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The program, built for tests.
pub(crate) fn binary() -> anyhow::Result<PathBuf> {
    command("cargo", &["build", "--quiet", "--package", "tabia-cli", "--package", "connect-four"], |_| {})?;
    Ok(target()?.join("debug/tabia"))
}
