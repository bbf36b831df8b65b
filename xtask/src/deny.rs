//! Dependencies by cargo-deny: what `deny.toml` says, and known vulnerabilities where their list can be had.

use crate::setup::{cargo_tool, has};
use crate::test::command;

const CARGO_DENY: &str = "0.20.2";

/// Installing the tool takes minutes, so this is a long test; what can be said without it is in `licences`.
pub(crate) fn check(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let tool = if has("cargo-deny") {
        Ok("cargo-deny".into())
    } else {
        cargo_tool("cargo-deny", "cargo-deny", CARGO_DENY)
    };
    let Ok(tool) = tool else {
        skipped.push("dependencies by cargo-deny (it could not be installed)".to_owned());
        return Ok(());
    };
    let tool = tool.to_string_lossy();
    command(&tool, &["check", "bans", "licenses", "sources"], |_| {})?;
    if command(&tool, &["fetch", "db"], |_| {}).is_err() {
        skipped.push("known vulnerabilities (their list cannot be fetched)".to_owned());
        return Ok(());
    }
    command(&tool, &["check", "--disable-fetch", "advisories"], |_| {})
}
