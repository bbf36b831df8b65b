//! The files that JavaScript keeps where they last.
#![cfg(target_family = "wasm")]

use std::path::Path;
use tabia_disk::memory;
use wasm_bindgen::prelude::wasm_bindgen;

/// Puts a file in its place that was kept.
#[wasm_bindgen(js_name = putFile)]
pub fn put_file(path: &str, bytes: Vec<u8>) {
    memory::put(Path::new(path), bytes);
}

/// The names of the files that were written or removed since this was last asked.
#[wasm_bindgen(js_name = changedFiles)]
pub fn changed_files() -> Vec<String> {
    memory::changes().into_iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

/// The bytes of a file; nothing when it is not there.
#[wasm_bindgen(js_name = readFile)]
pub fn read_file(path: &str) -> Option<Vec<u8>> {
    memory::read(path).ok()
}
