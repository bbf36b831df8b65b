//! Lists the files of the page, so that every one of them is part of the binary.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What the page is made of; the tests beside it are not.
const PARTS: [&str; 5] = ["index.html", "icon.svg", "css", "js", "lang"];

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    // A published crate has the page in its own folder: `cargo xtask publish` puts it there.
    let web = ["web", "../../web"].map(|folder| here.join(folder));
    let web = web.into_iter().find(|folder| folder.is_dir()).ok_or(io::ErrorKind::NotFound)?;
    let mut files = Vec::new();
    for part in PARTS {
        println!("cargo::rerun-if-changed={}", web.join(part).display());
        collect(&web.join(part), part, &mut files)?;
    }
    files.sort();
    let entries: String = files.iter().map(|(path, file)| entry(path, file)).collect();
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("assets.rs"), format!("&[\n{entries}]\n"))
}

/// The files of a folder and of the folders in it, with their addresses.
fn collect(file: &Path, path: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    if !file.is_dir() {
        files.push((path.to_owned(), file.to_owned()));
        return Ok(());
    }
    for entry in fs::read_dir(file)? {
        let entry = entry?;
        collect(&entry.path(), &format!("{path}/{}", entry.file_name().to_string_lossy()), files)?;
    }
    Ok(())
}

fn entry(path: &str, file: &Path) -> String {
    let media = match file.extension().and_then(|end| end.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let file = file.display().to_string();
    format!("    Asset {{ path: {path:?}, media: {media:?}, embedded: include_bytes!({file:?}) }},\n")
}
