//! Finds the description of the API, which is served where it is not made from the code.

use std::path::PathBuf;
use std::{env, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    // A published crate has it in its own folder: `cargo xtask publish` puts it there.
    let file = ["openapi.json", "../../docs/openapi.json"].map(|file| here.join(file));
    println!("cargo::rerun-if-changed=build.rs");
    // Whoever makes it from the code can do without.
    if let Some(file) = file.iter().find(|file| file.is_file()) {
        println!("cargo::rerun-if-changed={}", file.display());
        println!("cargo::rustc-env=TABIA_OPENAPI={}", file.display());
    }
    Ok(())
}
