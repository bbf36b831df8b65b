//! The arrows of the architecture: which of our crates may use which.

use anyhow::{Context, bail};
use serde_json::Value;
use std::process::Command;

/// A crate and what it may use of ours, besides `tabia-core`. Test helpers are free.
const ALLOWED: [(&str, &[&str]); 24] = [
    ("tabia-core", &[]),
    ("tabia-testkit", &[]),
    ("tabia-figures", &[]),
    ("tabia-disk", &[]),
    ("tabia-table", &["tabia-disk"]),
    ("tabia-search", &["tabia-table"]),
    ("tabia-nnue", &["tabia-disk", "tabia-search"]),
    ("tabia-solve", &["tabia-disk", "tabia-table"]),
    ("tabia-book", &["tabia-disk", "tabia-table"]),
    ("tabia-batch", &[]),
    ("tabia-quick", &["tabia-batch", "tabia-search", "GAMES"]),
    ("tabia-report", &["tabia-disk", "tabia-search", "tabia-solve", "tabia-book"]),
    ("tabia-cluster", &["tabia-disk", "tabia-solve", "tabia-book"]),
    // Its kernels are a second text of the rules of draughts.
    ("tabia-gpu", &["tabia-disk", "tabia-solve", "tabia-draughts"]),
    (
        "tabia-app",
        &[
            "tabia-disk",
            "tabia-table",
            "tabia-search",
            "tabia-nnue",
            "tabia-solve",
            "tabia-book",
            "tabia-batch",
            "tabia-quick",
            "tabia-report",
            "tabia-cluster",
            "tabia-gpu",
            "GAMES",
        ],
    ),
    ("tabia-api", &["tabia-app"]),
    ("tabia-server", &["tabia-api", "tabia-app"]),
    ("tabia-wasm", &["tabia-api", "tabia-app", "tabia-disk"]),
    ("tabia-tui", &["tabia-app"]),
    ("tabia-cli", &["tabia-app", "tabia-server", "tabia-tui"]),
    // The law suite is a part of the product there: `tabia.check` puts an inventor's game to it.
    // The last two are for its feature `tested` alone, and add nothing.
    ("tabia-python-game", &["tabia-app", "tabia-testkit"]),
    (
        "tabia-python",
        &[
            "tabia-app",
            "tabia-batch",
            "tabia-cli",
            "tabia-python-game",
            "tabia-server",
            "tabia-testkit",
            "tabia-figures",
            "tabia-fuzz-targets",
        ],
    ),
    // Whatever reads bytes or text.
    ("tabia-fuzz-targets", &["tabia-api", "tabia-app", "tabia-book", "tabia-solve", "tabia-nnue", "GAMES"]),
    // The umbrella shows everything.
    (
        "tabia",
        &[
            "tabia-search",
            "tabia-solve",
            "tabia-book",
            "tabia-batch",
            "tabia-report",
            "tabia-app",
            "tabia-cli",
            "GAMES",
        ],
    ),
];

/// Reads `cargo metadata` and fails on any arrow that is not allowed.
pub(crate) fn check() -> anyhow::Result<()> {
    let output = Command::new("cargo").args(["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let wrong: Vec<String> = packages.iter().flat_map(wrong_arrows).collect();
    if !wrong.is_empty() {
        bail!("dependencies against the architecture:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

fn wrong_arrows(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let uses = package["dependencies"].as_array().into_iter().flatten();
    let real = uses.filter(|used| used["kind"].as_str() != Some("dev"));
    let ours = real.filter_map(|used| used["name"].as_str()).filter(|used| used.starts_with("tabia-"));
    ours.filter(|used| !allowed(name, package, used)).map(|used| format!("{name} -> {used}")).collect()
}

fn allowed(name: &str, package: &Value, used: &str) -> bool {
    let folder = |package: &Value| package["manifest_path"].as_str().unwrap_or_default().replace('\\', "/");
    let is_game_folder = folder(package).contains("/games/") || folder(package).contains("/examples/");
    match ALLOWED.iter().find(|(crate_name, _)| *crate_name == name) {
        Some((_, uses)) => {
            let game = uses.contains(&"GAMES") && !ALLOWED.iter().any(|(known, _)| *known == used);
            (used == "tabia-core" && name != "tabia-core") || uses.contains(&used) || game
        }
        // A game uses the core alone.
        None => is_game_folder && used == "tabia-core",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arrows_against_the_architecture_are_found() {
        let package = |name: &str, path: &str, used: &str, kind: Option<&str>| json!({ "name": name, "manifest_path": path, "dependencies": [{ "name": used, "kind": kind }] });
        let wrong = |name, path, used, kind| !wrong_arrows(&package(name, path, used, kind)).is_empty();
        assert!(wrong("tabia-arx", "/x/crates/games/arx/Cargo.toml", "tabia-chess", None));
        assert!(wrong("tabia-arx", "/x/crates/games/arx/Cargo.toml", "tabia-search", None));
        assert!(!wrong("tabia-arx", "/x/crates/games/arx/Cargo.toml", "tabia-core", None));
        assert!(!wrong("tabia-arx", "/x/crates/games/arx/Cargo.toml", "tabia-testkit", Some("dev")));
        assert!(wrong("tabia-search", "/x/crates/search/Cargo.toml", "tabia-arx", None));
        assert!(wrong("tabia-core", "/x/crates/core/Cargo.toml", "tabia-table", None));
        assert!(!wrong("tabia-app", "/x/crates/app/Cargo.toml", "tabia-arx", None));
        assert!(wrong("tabia-cli", "/x/crates/cli/Cargo.toml", "tabia-arx", None));
        assert!(wrong("tabia-new", "/x/crates/new/Cargo.toml", "tabia-core", None));
    }
}
