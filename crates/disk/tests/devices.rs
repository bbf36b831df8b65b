//! What is no file keeps its place.
#![cfg(unix)]

use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// `tabia tablebase build --out /dev/null` had left a file in the place of the device.
#[test]
fn nothing_takes_the_place_of_a_pipe() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (pipe, file) = (folder.join("a-pipe"), folder.join("a-file"));
    let _ = std::fs::remove_file(&pipe);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::write(&file, "a table").unwrap();
    let refused = tabia_disk::rename(&file, &pipe).unwrap_err().to_string();
    assert!(refused.contains("a device or a pipe"), "{refused}");
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    tabia_disk::rename(&file, folder.join("another")).unwrap();
}
