//! The packages for crates.io, put together as they would be published. Nothing is sent.

use crate::test::{command, target};
use anyhow::{Context, ensure};
use std::path::Path;
use std::process::Command;

/// What the server's crate needs of the page.
const PAGE: &str = "web/";
/// Where it looks for it when it is by itself.
const INSIDE: &str = "crates/server/web";
const TESTS: &str = "web/tests/";
/// The description of the API, and where its crate looks for it.
const DESCRIPTION: [&str; 2] = ["docs/openapi.json", "crates/api/openapi.json"];

/// Copies the tracked files, gives each crate what it needs from outside its folder, and has cargo do everything but the upload, in the
/// order of the dependencies. `build` also compiles what was packed.
pub(crate) fn rehearse(build: bool) -> anyhow::Result<()> {
    let folder = target()?.join("publish");
    let _ = std::fs::remove_dir_all(&folder);
    for file in tracked()? {
        copy(&file, &folder.join(&file))?;
        if let Some(inside) = file.strip_prefix(PAGE).filter(|_| !file.starts_with(TESTS)) {
            copy(&file, &folder.join(INSIDE).join(inside))?;
        }
    }
    let [from, to] = DESCRIPTION;
    copy(from, &folder.join(to))?;
    let mut words = vec!["publish", "--workspace", "--dry-run", "--quiet", "--allow-dirty"];
    if !build {
        words.push("--no-verify");
    }
    let target = target()?.join("publish-target");
    command("cargo", &words, |command| {
        command.current_dir(&folder).env("CARGO_TARGET_DIR", target);
    })
}

fn tracked() -> anyhow::Result<Vec<String>> {
    let output = Command::new("git").args(["ls-files"]).output().context("git cannot be started")?;
    ensure!(output.status.success(), "git lists no files");
    let files = String::from_utf8(output.stdout)?;
    Ok(files.lines().filter(|file| Path::new(file).is_file()).map(str::to_owned).collect())
}

fn copy(from: &str, to: &Path) -> anyhow::Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::copy(from, to).with_context(|| format!("{from} cannot be copied"))?;
    Ok(())
}
