//! The guide as a book of HTML pages: `docs/` through mdBook.

use crate::docs::GUIDE;
use crate::setup::{cargo_tool, has};
use crate::site::copy;
use crate::test::{command, target};
use anyhow::Context;
use std::path::Path;

const MDBOOK: &str = "0.5.4";

/// Builds the book into `target/book`. Links that lead out of the guide lead to the repository there.
pub(crate) fn build() -> anyhow::Result<()> {
    let source = target()?.join("book-source");
    let _ = std::fs::remove_dir_all(&source);
    copy(Path::new(GUIDE), &source.join(GUIDE))?;
    std::fs::copy("book.toml", source.join("book.toml"))?;
    let manifest = std::fs::read_to_string("Cargo.toml")?;
    let home = manifest.split_once("repository = \"").and_then(|(_, rest)| rest.split('"').next());
    let home = format!("{}/blob/main/", home.context("Cargo.toml does not name a repository")?);
    outward(&source.join(GUIDE), "../", &home)?;
    let tool = if has("mdbook") { "mdbook".into() } else { cargo_tool("mdbook", "mdbook", MDBOOK)? };
    let (source, out) = (source.to_string_lossy(), target()?.join("book"));
    command(&tool.to_string_lossy(), &["build", &source, "--dest-dir", &out.to_string_lossy()], |_| {})?;
    println!("{}", out.join("index.html").display());
    Ok(())
}

/// Rewrites the links of all pages of a folder that begin with as many steps up as lead out of the guide.
fn outward(folder: &Path, up: &str, home: &str) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            outward(&path, &format!("../{up}"), home)?;
        } else if path.extension().is_some_and(|ending| ending == "md") {
            let text = std::fs::read_to_string(&path)?;
            std::fs::write(&path, text.replace(&format!("]({up}"), &format!("]({home}")))?;
        }
    }
    Ok(())
}
