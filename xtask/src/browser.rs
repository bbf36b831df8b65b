//! The tests of the web page in a real browser.

use crate::setup::{apt, has};
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
        command.current_dir(tests).env("TABIA_BIN", binary);
    })
}

/// The program, built for tests.
pub(crate) fn binary() -> anyhow::Result<PathBuf> {
    command("cargo", &["build", "--quiet", "--package", "tabia-cli", "--package", "connect-four"], |_| {})?;
    Ok(target()?.join("debug/tabia"))
}
