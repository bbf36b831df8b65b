//! The sources of the page are formatted, by Prettier.

use crate::setup::has;
use crate::test::{command, target};

const PRETTIER: &str = "prettier@3.9.10";

/// Checks them; what is missing is installed or named.
pub(crate) fn check(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let folder = target()?.join(PRETTIER);
    let program = folder.join("node_modules/prettier/bin/prettier.cjs");
    if !program.is_file() {
        let folder = folder.to_string_lossy();
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", &folder, PRETTIER];
        if !(has("node") && has("npm")) || command("npm", &install, |_| {}).is_err() {
            skipped.push(format!("formatting of the page ({PRETTIER} could not be installed)"));
            return Ok(());
        }
    }
    command("node", &[&program.to_string_lossy(), "--check", "--log-level", "warn", "web"], |_| {})
}
