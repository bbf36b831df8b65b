//! The npm package: put together in `target/npm/`, packed, installed into an empty project, and tested there.

use crate::setup::npm_tool;
use crate::site::{answerer, answers, copy, networks};
use crate::test::{built, command, target};
use crate::types;
use crate::wasm::{self, Build};
use anyhow::Context;
use std::path::{Path, PathBuf};

/// Makes declarations from the comments of the package.
const TYPESCRIPT: &str = "typescript@5";
/// Positions of each game that both programs are asked about.
const POSITIONS: &str = "1000";

/// Puts the package together.
pub(crate) fn build(kind: Build) -> anyhow::Result<PathBuf> {
    let package = kind.folder("npm")?;
    let _ = std::fs::remove_dir_all(&package);
    std::fs::create_dir_all(package.join("local"))?;
    for file in ["package.json", "README.md", "index.js", "board.js", "platform.js"] {
        std::fs::copy(Path::new("npm").join(file), package.join(file))?;
    }
    for file in ["desk.js", "files.js", "worker.js", "workers.js"] {
        std::fs::copy(Path::new("web/local").join(file), package.join("local").join(file))?;
    }
    wasm::build(kind, &package.join("wasm"))?;
    networks(&package)?;
    let openapi = serde_json::from_slice(&std::fs::read("docs/openapi.json")?)?;
    std::fs::write(package.join("answers.d.ts"), types::of(&openapi))?;
    declare(&package)?;
    println!("{}", package.display());
    Ok(package)
}

/// Has the TypeScript compiler make the declarations.
fn declare(package: &Path) -> anyhow::Result<()> {
    let compiler = npm_tool(TYPESCRIPT, "tsc")?;
    let out = package.to_string_lossy();
    let mut options: Vec<&str> = "--allowJs --declaration --emitDeclarationOnly --strict --target esnext \
        --module nodenext --moduleResolution nodenext --skipLibCheck --lib esnext,dom"
        .split_whitespace()
        .collect();
    options.extend(["--outDir", &out, "index.js", "board.js", "platform.js"]);
    command(&compiler.to_string_lossy(), &options, |command| {
        command.current_dir(package);
    })
}

/// Tests the package as its users get it: packed, and installed into an empty project.
pub(crate) fn test() -> anyhow::Result<()> {
    let package = build(Build::Tested)?.to_string_lossy().into_owned();
    let project = target()?.join("npm-project");
    let _ = std::fs::remove_dir_all(&project);
    std::fs::create_dir_all(&project)?;
    std::fs::write(
        project.join("package.json"),
        r#"{ "name": "empty", "private": true, "type": "module" }"#,
    )?;
    let npm = |words: &[&str]| {
        command("npm", words, |command| {
            command.current_dir(&project);
        })
    };
    npm(&["pack", "--silent", &package])?;
    let packed = std::fs::read_dir(&project)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|ending| ending == "tgz"))
        .context("nothing was packed")?;
    npm(&["install", "--offline", "--no-audit", "--no-fund", "--silent", &packed.to_string_lossy()])?;
    copy(Path::new("npm/tests"), &project.join("tests"))?;
    let check = "--strict --noEmit --target esnext --module nodenext --lib esnext,dom tests/types.ts";
    let check: Vec<&str> = check.split_whitespace().collect();
    command(&npm_tool(TYPESCRIPT, "tsc")?.to_string_lossy(), &check, |command| {
        command.current_dir(&project);
    })?;
    std::fs::write(project.join("native.jsonl"), native()?)?;
    let program = built("tabia")?;
    command("node", &["--test", "tests/"], |command| {
        let data = std::path::absolute("data").unwrap_or_default();
        command.current_dir(&project).env("TABIA_DATA", data).env("TABIA_BIN", program);
    })
}

/// Prints how fast moves are counted, against the native program.
pub(crate) fn figures() -> anyhow::Result<()> {
    let package = build(Build::Shipped)?.to_string_lossy().into_owned();
    command("cargo", &["build", "--quiet", "--release", "--package", "tabia-cli"], |_| {})?;
    let native = target()?.join("release/tabia");
    command("node", &["npm/bench.js", &package], |command| {
        command.env("TABIA_BIN", native);
    })
}

/// What the program outside browsers answers about random positions of all games.
fn native() -> anyhow::Result<String> {
    let output = answerer(&["--random", POSITIONS])?.output()?;
    anyhow::ensure!(output.status.success(), "no questions were made");
    let questions: Vec<String> = String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect();
    let lines: Vec<String> = answers(&questions)?.iter().map(ToString::to_string).collect();
    Ok(lines.join("\n"))
}
