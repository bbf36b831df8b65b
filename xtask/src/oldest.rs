//! The oldest Rust that is promised: `rust-version` in `Cargo.toml`.
//!
//! Three checks, from cheap to sure: clippy refuses what the standard library of that version did not have (`incompatible_msrv`), no
//! locked dependency may ask for a newer one, and, where rustup can fetch it, that very version checks all crates.

use crate::setup::rust_toolchain;
use crate::test::{command, target};
use anyhow::{Context, ensure};
use serde_json::Value;
use std::process::Command;

/// Fails on dependencies that say they need a newer Rust than we promise. Those of tools for tests are their own matter.
pub(crate) fn dependencies() -> anyhow::Result<()> {
    let output = Command::new("cargo").args(["metadata", "--format-version", "1", "--locked"]).output()?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let oldest = promised()?;
    let wrong = newer(packages, &oldest);
    ensure!(wrong.is_empty(), "Rust {oldest} is promised, but there are\n  {}", wrong.join("\n  "));
    let told = packages.iter().filter(|package| package["rust_version"].is_string()).count();
    println!("Rust {oldest} is enough for {told} packages; {} do not say", packages.len() - told);
    Ok(())
}

/// Packages that ask for a newer Rust than `oldest`, and crates of ours that promise another one.
fn newer(packages: &[Value], oldest: &str) -> Vec<String> {
    let is_wrong = |package: &&Value| match package["rust_version"].as_str() {
        Some(version) if package["source"].is_null() => numbers(version) != numbers(oldest),
        Some(version) => numbers(version) > numbers(oldest),
        None => package["source"].is_null(),
    };
    let tell = |package: &Value| {
        let text = |key: &str| package[key].as_str().unwrap_or("none").to_owned();
        format!("{} {} with rust-version {}", text("name"), text("version"), text("rust_version"))
    };
    packages.iter().filter(is_wrong).map(tell).collect()
}

/// 1.93 is 1.93.0.
fn numbers(version: &str) -> [u64; 3] {
    let mut numbers = version.split('.').map(|part| part.parse().unwrap_or(u64::MAX));
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}

fn promised() -> anyhow::Result<String> {
    let manifest = std::fs::read_to_string("Cargo.toml")?;
    let oldest = manifest.split_once("rust-version = \"").and_then(|(_, rest)| rest.split('"').next());
    Ok(oldest.context("Cargo.toml does not name a rust-version")?.to_owned())
}

/// Checks all crates with the oldest Rust that is promised.
pub(crate) fn check(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    dependencies()?;
    let oldest = promised()?;
    if !rust_toolchain(&oldest) {
        skipped.push(format!("Rust {oldest} (rustup could not install it)"));
        return Ok(());
    }
    // A folder of its own: the builds of two compilers do not mix.
    let folder = target()?.join(format!("rust-{oldest}"));
    let check = ["run", &oldest, "cargo", "check", "--quiet", "--workspace", "--exclude", "tabia-wasm"];
    command("rustup", &check, |command| {
        command.env("CARGO_TARGET_DIR", folder);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(numbers("1.100") > numbers("1.93") && numbers("1.93") == numbers("1.93.0"));
        assert!(numbers("1.93.1") > numbers("1.93"));
    }

    #[test]
    fn what_needs_a_newer_rust_is_named() {
        let theirs = |name: &str, version: Value| json!({ "name": name, "version": "1.0.0", "source": "registry", "rust_version": version });
        let ours = |version: Value| json!({ "name": "ours", "version": "0.1.0", "source": null, "rust_version": version });
        let fine = [
            theirs("old", json!("1.60")),
            theirs("same", json!("1.93.0")),
            theirs("silent", json!(null)),
            ours(json!("1.93")),
        ];
        assert!(newer(&fine, "1.93").is_empty());
        let wrong = [theirs("new", json!("1.94")), ours(json!("1.92")), ours(json!(null))];
        assert_eq!(
            newer(&wrong, "1.93"),
            [
                "new 1.0.0 with rust-version 1.94",
                "ours 0.1.0 with rust-version 1.92",
                "ours 0.1.0 with rust-version none",
            ]
        );
    }
}
