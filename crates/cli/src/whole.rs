//! Files that have their name only when they are whole.

use anyhow::Context;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file on its way: under another name until it is finished, and gone when it never is. A pipe or a device, such
/// as `/dev/stdout`, is written to as it comes: nothing may take its place.
pub(crate) struct Whole {
    writer: BufWriter<File>,
    path: PathBuf,
    unfinished: Option<PathBuf>,
}

impl Whole {
    /// Begins a file.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let (path, unfinished) = places(path).with_context(|| cannot(path))?;
        let file = File::create(unfinished.as_ref().unwrap_or(&path)).with_context(|| cannot(&path))?;
        Ok(Whole { writer: BufWriter::new(file), path, unfinished })
    }

    /// Gives it its name.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let mut finish = || -> io::Result<()> {
            self.writer.flush()?;
            let Some(unfinished) = &self.unfinished else { return Ok(()) };
            self.writer.get_ref().sync_all()?;
            fs::rename(unfinished, &self.path)?;
            self.unfinished = None;
            Ok(())
        };
        finish().with_context(|| cannot(&self.path))
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        if let Some(unfinished) = &self.unfinished {
            let _ = fs::remove_file(unfinished);
        }
    }
}

/// Writes a text as a whole file.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = Whole::create(path)?;
    file.write_all(text.as_bytes()).with_context(|| cannot(path))?;
    file.finish()
}

/// Where the file will be, and its name until then where there is one. A link stays, and leads to the new file.
fn places(path: &Path) -> io::Result<(PathBuf, Option<PathBuf>)> {
    let path = match fs::metadata(path) {
        Ok(there) if there.is_file() => fs::canonicalize(path)?,
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => return Ok((path.to_owned(), None)),
        Err(_) => path.to_owned(),
    };
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_owned();
    name.push(format!(".{}.unfinished", std::process::id()));
    let unfinished = path.with_file_name(name);
    Ok((path, Some(unfinished)))
}

fn cannot(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_name_when_it_is_whole_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        let mut file = Whole::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        write(&path, "all").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "all");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(folder.path(), "all").is_err());
    }

    /// A device that had been renamed over was gone.
    #[cfg(unix)]
    #[test]
    fn pipes_stay_pipes_and_links_stay_links() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let (pipe, link, file) = (folder.path().join("p"), folder.path().join("l"), folder.path().join("f"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write(&pipe, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }
}
