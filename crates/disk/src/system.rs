//! The files of the system.

use std::io;
use std::path::{Path, PathBuf};

pub use std::fs::{File, create_dir_all, read, remove_dir, remove_file};

/// Gives a file another name, in place of what has it; a pipe or a device is left where it is.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    if std::fs::metadata(&to).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return Err(io::Error::other("this is a device or a pipe, and no file can take its place"));
    }
    std::fs::rename(from, to)
}

/// Whether there is a file or folder.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Whether there is a file, and not a folder, a pipe or a device.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether there is a folder.
pub fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

/// Everything in a folder.
pub fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// The bytes of a file.
pub fn size(path: &Path) -> io::Result<u64> {
    Ok(std::fs::metadata(path)?.len())
}

/// The name of a file while it is written: no other process uses it.
pub fn temporary(path: &Path) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(format!(".{}.partial", std::process::id()));
    PathBuf::from(name)
}
