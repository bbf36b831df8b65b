//! The tests of the web page in a real browser.

use crate::setup::{apt, has};
use crate::test::{command, target};
use crate::wasm::Build;
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
    let (site, package) = (Build::Tested.folder("site")?, Build::Tested.folder("npm")?);
    let suite = |files: &[String], back_end: &str| {
        let words = ["--test", "--test-concurrency=1"].into_iter().chain(files.iter().map(String::as_str));
        command("node", &words.collect::<Vec<_>>(), |command| {
            command.current_dir(tests).env("TABIA_BIN", &binary).env("TABIA_BACKEND", back_end);
            command.env("TABIA_SITE", &site).env("TABIA_NPM", &package);
        })
    };
    // A busy machine makes a browser late; what is wrong is wrong twice.
    let twice = |files: &[String], back_end| {
        suite(files, back_end).or_else(|error| {
            println!("{error:#}: once more");
            suite(files, back_end)
        })
    };
    twice(&[], "server")?;
    if !site.join("index.html").is_file() {
        skipped.push("the page in a browser without a server (the static site was not built)".to_owned());
        return Ok(());
    }
    twice(&without_server(tests)?, "worker")
}

/// Tests that are not run against the static site, and why.
const OF_SERVERS: [(&str, &str); 4] = [
    ("connect-four.test.js", "the static site has the five games, and this is another program"),
    ("embed.test.js", "it opens the page of the npm package, not this one"),
    ("origin.test.js", "who may ask a server is a matter of servers"),
    ("static.test.js", "it opens the static site itself, and has run already"),
];

/// The tests that also hold where no server answers.
fn without_server(tests: &Path) -> anyhow::Result<Vec<String>> {
    for (name, reason) in OF_SERVERS {
        println!("not without a server: {name} ({reason})");
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(tests)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".test.js") && OF_SERVERS.iter().all(|(other, _)| *other != name) {
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
