//! Programs that some tests need, installed when they are missing and can be.

use crate::test::{command, target};
use anyhow::Context;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Programs that the tests use, and the Debian packages that have them.
const PROGRAMS: [(&str, &str); 3] = [("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")];

/// The same for the long tests.
const FOR_LONG: [(&str, &str); 1] = [("valgrind", "valgrind")];

/// Whether packages may be installed; asked once.
static PERMITTED: OnceLock<bool> = OnceLock::new();

/// Whether a program can be found.
pub(crate) fn has(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

/// Names the packages that the tests are about to install, and asks whether they may; where nobody is there to ask, they may.
pub(crate) fn ask_first(long: bool) {
    let needed = PROGRAMS.into_iter().chain(FOR_LONG.into_iter().filter(|_| long));
    let mut missing: Vec<&str> =
        needed.filter(|(program, _)| !has(program)).map(|(_, package)| package).collect();
    if !has_postgresql() {
        missing.push("postgresql");
    }
    if !missing.is_empty() && has("apt-get") {
        permitted(&missing);
    }
}

fn permitted(packages: &[&str]) -> bool {
    *PERMITTED.get_or_init(|| {
        if !std::io::stdin().is_terminal() {
            return true;
        }
        print!(
            "Some tests need packages of the system: {}. Install them with apt-get? [Y/n] ",
            packages.join(" ")
        );
        let mut answer = String::new();
        let heard = std::io::stdout().flush().is_ok() && std::io::stdin().read_line(&mut answer).is_ok();
        heard && is_yes(&answer)
    })
}

/// Enter is yes.
fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes")
}

/// Installs Debian packages; `false` where that cannot or may not be done.
pub(crate) fn apt(packages: &[&str]) -> bool {
    if !(has("apt-get") && permitted(packages)) {
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

/// A program of a crate, of one version, which is installed for this repository alone. It is built quickly, not to be quick.
pub(crate) fn cargo_tool(package: &str, program: &str, version: &str) -> anyhow::Result<PathBuf> {
    let root = target()?.join("tools");
    let (tool, stamp) = (root.join("bin").join(program), root.join(format!("{program}-version")));
    if tool.is_file() && std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == version) {
        return Ok(tool);
    }
    let (folder, build) = (root.to_string_lossy(), root.join("build"));
    let install = ["install", "--quiet", package, "--version", version, "--root", &folder, "--force"];
    let run = |more: &[&str]| {
        command("cargo", &[&install[..], more].concat(), |command| {
            command.env("CARGO_TARGET_DIR", &build).env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
            command.env("CARGO_PROFILE_RELEASE_LTO", "off");
        })
    };
    // A registry need not have every version that the authors used.
    run(&["--locked"]).or_else(|_| run(&[])).with_context(|| format!("{package} could not be installed"))?;
    std::fs::write(stamp, version)?;
    Ok(tool)
}

/// Whether Rust can build for a target; adds it where rustup can.
pub(crate) fn rust_target(target: &str) -> bool {
    rustup(&["target", "add", target])
}

/// Whether a version of Rust is there; installs it where rustup can.
pub(crate) fn rust_toolchain(version: &str) -> bool {
    rustup(&["run", version, "rustc", "--version"])
        || rustup(&["toolchain", "install", version, "--profile", "minimal"])
}

fn rustup(arguments: &[&str]) -> bool {
    let mut command = Command::new("rustup");
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A PostgreSQL server program for the tests of shared books.
pub(crate) fn postgresql(skipped: &mut Vec<String>) {
    if !(has_postgresql() || apt(&["postgresql"]) && has_postgresql()) {
        skipped.push("book on PostgreSQL (no server program, and it could not be installed)".to_owned());
    }
}

fn has_postgresql() -> bool {
    has("initdb") || Path::new("/usr/lib/postgresql").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_is_yes() {
        assert!(["\n", "y\n", "Yes\r\n", ""].into_iter().all(is_yes));
        assert!(!["n\n", "no\n", "what?\n"].into_iter().any(is_yes));
    }
}
