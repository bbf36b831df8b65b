//! The tests of the web page in a real browser.

use crate::setup::{apt, has};
use crate::test::{built, command};
use crate::wasm::Build;
use serde_json::Value;
use std::path::Path;

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
    let binary = built("tabia")?;
    let (site, package) = (Build::Tested.folder("site")?, Build::Tested.folder("npm")?);
    let suite = |words: &[String], back_end: &str| {
        let words = ["--test", "--test-concurrency=1"].into_iter().chain(words.iter().map(String::as_str));
        command("node", &words.collect::<Vec<_>>(), |command| {
            command.current_dir(tests).env("TABIA_BIN", &binary).env("TABIA_BACKEND", back_end);
            command.env("TABIA_SITE", &site).env("TABIA_NPM", &package);
        })
    };
    if !site.join("index.html").is_file() {
        skipped.push("the page in a browser without a server (the static site was not built)".to_owned());
        return suite(&[], "server");
    }
    // Side by side: one of them alone leaves a processor idle now and then.
    let files = without_server(tests)?;
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| suite(&files, "worker"));
        let server = suite(&[], "server");
        let worker = worker.join().map_err(|_| anyhow::anyhow!("the tests without a server panicked"))?;
        server.and(worker)
    })
}

/// The files to run against the static site: all but those that are named with a reason in `without-server.json`. Single tests
/// that are named there skip themselves.
fn without_server(tests: &Path) -> anyhow::Result<Vec<String>> {
    let named: Value = serde_json::from_slice(&std::fs::read(tests.join("without-server.json"))?)?;
    let mut files = Vec::new();
    for entry in std::fs::read_dir(tests)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        match named["files"][&name].as_str() {
            Some(reason) => println!("not without a server: {name} ({reason})"),
            None if name.ends_with(".test.js") => files.push(name),
            None => {}
        }
    }
    files.sort();
    Ok(files)
}
