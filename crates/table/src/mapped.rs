//! A file's bytes without reading them first: the system brings in the pages that are looked at.

use std::path::Path;

/// The bytes of a file that is never changed in place, mapped into memory.
///
/// Tabia writes such files under a temporary name and renames them when they are complete, and
/// nothing it does changes one after that.
#[derive(Debug)]
pub struct MappedFile {
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Mapped(memmap2::Mmap),
    /// Where the system does not map, and for files of no bytes.
    Read(Vec<u8>),
}

impl MappedFile {
    /// Maps a file, or reads it where that is not possible.
    pub fn open(path: &Path) -> std::io::Result<MappedFile> {
        #[cfg(target_family = "wasm")]
        let mapped: Result<memmap2::Mmap, ()> = Err(());
        #[cfg(not(target_family = "wasm"))]
        let file = std::fs::File::open(path)?;
        // SAFETY: the map is read-only, and files of this kind are only ever replaced by renaming,
        // which leaves the mapped bytes as they are. Someone who truncates one by hand while it is in
        // use can make the process fail, as with any mapped file.
        #[cfg(not(target_family = "wasm"))]
        let mapped = unsafe { memmap2::Mmap::map(&file) };
        let bytes = match mapped {
            Ok(map) => Bytes::Mapped(map),
            Err(_) => Bytes::Read(tabia_disk::read(path)?),
        };
        Ok(MappedFile { bytes })
    }
}

impl std::ops::Deref for MappedFile {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Read(bytes) => bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no files")]
    fn the_bytes_are_those_of_the_file() {
        let path = std::env::temp_dir().join(format!("tabia-mapped-{}", std::process::id()));
        for content in [b"some bytes".as_slice(), b""] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(&*MappedFile::open(&path).unwrap(), content);
        }
        std::fs::remove_file(&path).unwrap();
        assert!(MappedFile::open(&path).is_err());
    }
}
