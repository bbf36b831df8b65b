//! Other processors than the one at hand: the program must build for them, too.

use crate::setup::rust_target;
use crate::test::{NATIVE, command};

const ARM64: &str = "aarch64-unknown-linux-gnu";
/// The crate that has code for the processor at hand alone.
const PARTICULAR: [&str; 2] = ["--package", "tabia-table"];

/// Lints everything that is not for browsers alone, as it is for arm64: that it builds there is shown by the same pass. What is for the processor at
/// hand alone is linted for that one.
pub(crate) fn lints(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let last = ["--all-targets", "--quiet", "--", "-D", "warnings"];
    if has_arm64() {
        cargo(&[&["clippy"], &PARTICULAR[..], &last].concat())?;
    } else {
        skipped.push(format!("everything for arm64 (rustup could not add {ARM64})"));
    }
    cargo(&[&["clippy"], &NATIVE[..], target_of_lints(), &last].concat())
}

/// Makes the documentation of all crates from what the lints have checked: for another processor, dependencies would be checked once more.
pub(crate) fn documentation() -> anyhow::Result<()> {
    cargo(&[&["doc"], &NATIVE[..], target_of_lints(), &["--no-deps", "--quiet"]].concat())
}

fn has_arm64() -> bool {
    rust_target(ARM64)
}

fn target_of_lints() -> &'static [&'static str] {
    if has_arm64() { &["--target", ARM64] } else { &[] }
}

fn cargo(words: &[&str]) -> anyhow::Result<()> {
    command("cargo", words, |command| {
        command.env("RUSTDOCFLAGS", "-D warnings");
        // Nothing is linked, so that the C in dependencies need not be compiled: a compiler for arm64 is seldom there.
        for tool in ["CC", "CXX", "AR"] {
            command.env(format!("{tool}_{}", ARM64.replace('-', "_")), "true");
        }
    })
}
