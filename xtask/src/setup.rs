//! Programs that some tests need, installed when they are missing and can be.

use crate::test::{command, target};
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether a program can be found.
pub(crate) fn has(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

/// Installs Debian packages; `false` where that cannot be done.
pub(crate) fn apt(packages: &[&str]) -> bool {
    if !has("apt-get") {
        return false;
    }
    println!("installing {}", packages.join(" "));
    let quiet = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let install: Vec<&str> =
        ["install", "-y", "--no-install-recommends"].iter().chain(packages).copied().collect();
    quiet(&install) || quiet(&["update"]) && quiet(&install)
}

/// A program of a package of npm, which is installed for this repository alone.
pub(crate) fn npm_tool(package: &str, program: &str) -> anyhow::Result<PathBuf> {
    let folder = target()?.join("tools").join(package);
    let tool = folder.join("node_modules/.bin").join(program);
    if !tool.is_file() {
        anyhow::ensure!(has("node") && has("npm"), "npm is missing");
        std::fs::create_dir_all(&folder)?;
        let prefix = folder.to_string_lossy();
        let install =
            ["install", "--prefix", &prefix, "--no-audit", "--no-fund", "--no-save", "--silent", package];
        command("npm", &install, |_| {}).with_context(|| format!("{package} could not be installed"))?;
    }
    Ok(tool)
}

/// Whether Rust can build for a target; adds it where rustup can.
pub(crate) fn rust_target(target: &str) -> bool {
    let rustup = |arguments: &[&str]| {
        let mut command = Command::new("rustup");
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    rustup(&["target", "add", target])
}

/// A PostgreSQL server program for the tests of shared books.
pub(crate) fn postgresql(skipped: &mut Vec<String>) {
    let installed = || has("initdb") || Path::new("/usr/lib/postgresql").is_dir();
    if !(installed() || apt(&["postgresql"]) && installed()) {
        skipped.push("book on PostgreSQL (no server program, and it could not be installed)".to_owned());
    }
}
