//! Level files: what a worker found in one level, kept against being killed and out of memory.
//!
//! ```text
//! magic "TABIALV2", task u32, crc of all that follows u32,
//! sections u16, for each: shard u16, bytes of keys, edges, codes and degrees u64 each; then those bytes
//! ```
//! A file has its name when it is complete. `keys` are the positions of the level in the order of their numbers, `edges`
//! the ways into this and earlier levels (see `edges`), `codes` and `degrees` the values and the numbers of children of
//! the level before, two bytes each. Counting needs keys alone.

use crate::codec::take_bytes;
use crate::error::ClusterError;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const MAGIC: &[u8; 8] = b"TABIALV2";
const HEAD: usize = 16;
const ENTRY: usize = 34;

/// What a shard has in one level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) shard: usize,
    pub(crate) keys: Vec<u8>,
    pub(crate) edges: Vec<u8>,
    pub(crate) codes: Vec<u8>,
    pub(crate) degrees: Vec<u8>,
}

impl Section {
    fn parts(&self) -> [&Vec<u8>; 4] {
        [&self.keys, &self.edges, &self.codes, &self.degrees]
    }

    /// Its line of the table.
    fn entry(&self) -> [u8; ENTRY] {
        let mut entry = [0; ENTRY];
        entry[..2].copy_from_slice(&(self.shard as u16).to_le_bytes());
        for (place, part) in entry[2..].as_chunks_mut::<8>().0.iter_mut().zip(self.parts()) {
            *place = (part.len() as u64).to_le_bytes();
        }
        entry
    }

    /// All of it in one piece, for a worker elsewhere.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.entry());
        self.parts().into_iter().for_each(|part| out.extend_from_slice(part));
    }

    /// Takes one off the front.
    pub(crate) fn take(bytes: &mut &[u8]) -> Option<Section> {
        let entry = take_bytes(bytes, ENTRY as u64)?;
        let (mut section, lens) = Self::begin(entry)?;
        section.fill(lens, bytes)?;
        Some(section)
    }

    fn begin(entry: &[u8]) -> Option<(Section, [u64; 4])> {
        let (shard, lens) = entry.split_first_chunk::<2>()?;
        let shard = usize::from(u16::from_le_bytes(*shard));
        let mut numbers = [0; 4];
        for (number, len) in numbers.iter_mut().zip(lens.as_chunks::<8>().0) {
            *number = u64::from_le_bytes(*len);
        }
        Some((Section { shard, ..Section::default() }, numbers))
    }

    fn fill(&mut self, lens: [u64; 4], bytes: &mut &[u8]) -> Option<()> {
        let parts = [&mut self.keys, &mut self.edges, &mut self.codes, &mut self.degrees];
        for (part, len) in parts.into_iter().zip(lens) {
            *part = take_bytes(bytes, len)?.to_vec();
        }
        Some(())
    }
}

/// The name of a file: which level, and which part of how many.
pub(crate) fn path(folder: &Path, kind: &str, level: u32, worker: usize, workers: usize) -> PathBuf {
    folder.join(format!("{kind}-{level:05}.{worker:03}-of-{workers:03}"))
}

/// Writes a file; its size.
pub(crate) fn write(path: &Path, task: u32, sections: &[Section]) -> Result<u64, ClusterError> {
    let mut table = (sections.len() as u16).to_le_bytes().to_vec();
    sections.iter().for_each(|section| table.extend_from_slice(&section.entry()));
    let mut crc = crc32fast::Hasher::new();
    crc.update(&table);
    let parts = || sections.iter().flat_map(Section::parts);
    parts().for_each(|part| crc.update(part));
    let mut head = MAGIC.to_vec();
    head.extend_from_slice(&task.to_le_bytes());
    head.extend_from_slice(&crc.finalize().to_le_bytes());
    let len = head.len() + table.len() + parts().map(Vec::len).sum::<usize>();
    replace(path, |out| {
        out.write_all(&head)?;
        out.write_all(&table)?;
        parts().try_for_each(|part| out.write_all(part))
    })?;
    Ok(len as u64)
}

/// Writes a file under another name, and gives it its own when it is safe on the disk.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), ClusterError> {
    // Several workers of a process may write the same file at once: each under a name of its own.
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut temporary = tabia_disk::temporary(path).into_os_string();
    temporary.push(format!("-{}", NEXT.fetch_add(1, Relaxed)));
    let all = || {
        let mut out = std::io::BufWriter::with_capacity(1 << 18, tabia_disk::File::create(&temporary)?);
        write(&mut out)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        tabia_disk::rename(&temporary, path)
    };
    all().map_err(ClusterError::io(path))
}

/// Reads a file of this task; anything else is refused.
pub(crate) fn read(path: &Path, task: u32) -> Result<Vec<Section>, ClusterError> {
    let bytes = tabia_disk::read(path).map_err(ClusterError::io(path))?;
    let damaged = |message: &str| ClusterError::damaged(path, message);
    let (head, body) = bytes.split_at_checked(HEAD).ok_or_else(|| damaged("it is too short"))?;
    if !head.starts_with(MAGIC) {
        return Err(damaged("it is no file of a level, or of another version"));
    }
    if head[8..12] != task.to_le_bytes() {
        return Err(damaged("it belongs to other work"));
    }
    if head[12..] != crc32fast::hash(body).to_le_bytes() {
        return Err(damaged("its checksum is wrong"));
    }
    sections(body).ok_or_else(|| damaged("its table does not fit"))
}

fn sections(mut body: &[u8]) -> Option<Vec<Section>> {
    let count = u16::from_le_bytes(take_bytes(&mut body, 2)?.try_into().ok()?);
    let table = take_bytes(&mut body, u64::from(count) * ENTRY as u64)?;
    let begun: Option<Vec<_>> =
        table.as_chunks::<ENTRY>().0.iter().map(|entry| Section::begin(entry)).collect();
    let mut all = Vec::new();
    for (mut section, lens) in begun? {
        section.fill(lens, &mut body)?;
        all.push(section);
    }
    body.is_empty().then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = path(folder.path(), "level", 7, 2, 4);
        let section = |shard, n: u8| Section {
            shard,
            keys: vec![n; 40],
            edges: vec![n + 1; 7],
            codes: vec![n; 2 * usize::from(n)],
            degrees: Vec::new(),
        };
        let all = [section(2, 1), section(6, 9), section(255, 0)];
        write(&path, 77, &all).unwrap();
        assert_eq!(read(&path, 77).unwrap(), all);
        assert!(read(&path, 78).unwrap_err().to_string().contains("other work"));
        let bytes = std::fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 4;
            std::fs::write(&path, &wrong).unwrap();
            assert!(read(&path, 77).is_err(), "byte {at}");
            std::fs::write(&path, &bytes[..at]).unwrap();
            assert!(read(&path, 77).is_err(), "cut at {at}");
        }
        let mut sent = Vec::new();
        all.iter().for_each(|section| section.put(&mut sent));
        let mut rest = &sent[..];
        assert!(all.iter().all(|section| Section::take(&mut rest).as_ref() == Some(section)));
        assert_eq!(Section::take(&mut rest), None);
    }
}
