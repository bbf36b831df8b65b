//! Files in memory, with the names and habits of the system's. Folders are there as soon as a file is in
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The bytes of a file: an open file keeps them, whatever becomes of its name.
type Content = Arc<Mutex<Vec<u8>>>;

#[derive(Default)]
struct Disk {
    files: BTreeMap<PathBuf, Content>,
    changed: BTreeSet<PathBuf>,
}

static DISK: Mutex<Disk> = Mutex::new(Disk { files: BTreeMap::new(), changed: BTreeSet::new() });

fn disk() -> MutexGuard<'static, Disk> {
    DISK.lock().unwrap_or_else(PoisonError::into_inner)
}

fn bytes(content: &Content) -> MutexGuard<'_, Vec<u8>> {
    content.lock().unwrap_or_else(PoisonError::into_inner)
}

fn find(path: &Path) -> io::Result<Content> {
    disk().files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Puts a file in its place that was kept elsewhere.
pub fn put(path: &Path, content: Vec<u8>) {
    disk().files.insert(path.to_owned(), Arc::new(Mutex::new(content)));
}

/// The files that were written, renamed or removed since this was last asked.
pub fn changes() -> Vec<PathBuf> {
    std::mem::take(&mut disk().changed).into_iter().collect()
}

/// An open file.
#[derive(Debug)]
pub struct File {
    content: Content,
    at: u64,
}

impl File {
    /// Opens a file to read it.
    pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
        Ok(File { content: find(path.as_ref())?, at: 0 })
    }

    /// A new file, in the place of one with the same name.
    pub fn create(path: impl AsRef<Path>) -> io::Result<File> {
        let content = Content::default();
        let mut disk = disk();
        disk.files.insert(path.as_ref().to_owned(), Arc::clone(&content));
        disk.changed.insert(path.as_ref().to_owned());
        Ok(File { content, at: 0 })
    }

    /// Memory has nothing to wait for.
    #[allow(clippy::unused_self, clippy::unnecessary_wraps)] // As the system's.
    pub fn sync_all(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = {
            let content = bytes(&self.content);
            let start = usize::try_from(self.at).unwrap_or(usize::MAX).min(content.len());
            let mut rest = content.get(start..).unwrap_or_default();
            rest.read(buffer)?
        };
        self.at += n as u64;
        Ok(n)
    }
}

impl Write for File {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let start = usize::try_from(self.at).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let end = start.checked_add(buffer.len()).ok_or(io::ErrorKind::FileTooLarge)?;
        {
            let mut content = bytes(&self.content);
            if content.len() < end {
                let more = end - content.len();
                content.try_reserve(more).map_err(|_| io::ErrorKind::OutOfMemory)?;
                content.resize(end, 0);
            }
            if let Some(place) = content.get_mut(start..end) {
                place.copy_from_slice(buffer);
            }
        }
        self.at = end as u64;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => (bytes(&self.content).len() as u64).checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// Folders need not be made.
#[allow(clippy::unnecessary_wraps)] // As the system's.
pub fn create_dir_all(_: impl AsRef<Path>) -> io::Result<()> {
    Ok(())
}

/// Whether there is a file, or a folder with files.
pub fn exists(path: &Path) -> bool {
    is_file(path) || is_dir(path)
}

/// Whether there is a file.
pub fn is_file(path: &Path) -> bool {
    disk().files.contains_key(path)
}

/// Whether there is a folder with files.
pub fn is_dir(path: &Path) -> bool {
    disk().files.keys().any(|file| file != path && file.starts_with(path))
}

/// The files in a folder.
#[allow(clippy::unnecessary_wraps)] // As the system's.
pub fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    Ok(disk().files.keys().filter(|file| file.parent() == Some(folder)).cloned().collect())
}

/// The bytes of a file.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    Ok(bytes(&find(path.as_ref())?).clone())
}

/// The number of bytes of a file.
pub fn size(path: &Path) -> io::Result<u64> {
    Ok(bytes(&find(path)?).len() as u64)
}

/// Gives a file another name, in the place of a file that had it.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let mut disk = disk();
    let content = disk.files.remove(from.as_ref()).ok_or(io::ErrorKind::NotFound)?;
    disk.files.insert(to.as_ref().to_owned(), content);
    disk.changed.extend([from.as_ref().to_owned(), to.as_ref().to_owned()]);
    Ok(())
}

/// Removes a file.
pub fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
    let mut disk = disk();
    disk.files.remove(path.as_ref()).ok_or(io::ErrorKind::NotFound)?;
    disk.changed.insert(path.as_ref().to_owned());
    Ok(())
}

/// A folder goes with its last file.
#[allow(clippy::unnecessary_wraps)] // As the system's.
pub fn remove_dir(_: impl AsRef<Path>) -> io::Result<()> {
    Ok(())
}

/// The name of a file while it is written.
pub fn temporary(path: &Path) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(".partial");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_was_written_wherever_it_was_moved() {
        let (draft, path) = (Path::new("/a/b.partial"), Path::new("/a/b"));
        let mut file = File::create(draft).unwrap();
        file.write_all(b"....tail").unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(b"head").unwrap();
        rename(draft, path).unwrap();
        assert_eq!(read(path).unwrap(), b"headtail");
        assert_eq!(size(path).unwrap(), 8);
        assert!(File::open(draft).is_err() && is_dir(Path::new("/a")) && !is_dir(path));
        let mut end = [0; 4];
        let mut file = File::open(path).unwrap();
        file.seek(SeekFrom::End(-4)).unwrap();
        file.read_exact(&mut end).unwrap();
        assert_eq!((&end, list(Path::new("/a")).unwrap()), (b"tail", vec![path.to_owned()]));
        assert_eq!(changes(), [path, draft]);
        put(path, b"kept".to_vec());
        assert!(changes().is_empty(), "what comes from outside is no change");
        assert_eq!(file.read(&mut end).unwrap(), 0, "an open file keeps its bytes");
        remove_file(path).unwrap();
        assert!(!exists(path) && remove_file(path).is_err());
        assert_eq!(changes(), [path]);
    }
}
