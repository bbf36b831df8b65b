//! Taking up the work where it was left, after being stopped or killed.
//!
//! Two files: `PATH` has the positions and the graph, and is not written again once the enumeration
//! is complete; `PATH.levels` has the values found going backwards. All numbers are little-endian.
//!
//! ```text
//! PATH          magic "TABIACK1", task u32, crc of all that follows u32 (written last),
//!               found u64, expanded u64, edges u64 (all ones: the graph was dropped),
//!               for each position found: length u8, encoding,
//!               values u16 x expanded, degrees u16 x expanded, edges u32 x edges
//! PATH.levels   magic "TABIACL1", task u32, crc u32, level u16, positions u64, values u16 x positions
//! ```
//!
//! The task is a checksum of the game's variant and of the starts: a checkpoint of other work, or a
//! damaged one, is refused, never half used.

use super::explore::Explored;
use crate::error::FileError;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tabia_core::{Game, Packed, sort_many};
use tabia_disk::File;

const MAGIC: &[u8; 8] = b"TABIACK1";
const MAGIC_LEVELS: &[u8; 8] = b"TABIACL1";
/// Where the bytes under the checksum begin.
const BODY: u64 = 16;

/// Where the work is kept, and which work it is.
pub(super) struct Store {
    path: PathBuf,
    task: u32,
}

impl Store {
    pub(super) fn new<G: Game>(path: &Path, game: &G, starts: &[G::State]) -> Self {
        let mut keys: Vec<G::Packed> = starts.iter().map(|s| game.pack_canonical(s)).collect();
        sort_many(&mut keys, Ord::cmp);
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(game.variant().as_bytes());
        for key in &keys {
            hasher.update(key.as_bytes());
        }
        Store { path: path.to_owned(), task: hasher.finalize() }
    }

    fn levels_path(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".levels");
        PathBuf::from(name)
    }

    /// Writes what was explored.
    pub(super) fn save<P: Packed>(&self, explored: &Explored<P>) -> Result<(), FileError> {
        write(&self.path, MAGIC, self.task, &|out| {
            let edges = explored.edges.as_ref().map_or(u64::MAX, |edges| edges.len() as u64);
            for number in [explored.keys.len() as u64, explored.expanded() as u64, edges] {
                out.put(&number.to_le_bytes())?;
            }
            for key in &explored.keys {
                out.put(&[key.as_bytes().len() as u8])?;
                out.put(key.as_bytes())?;
            }
            for number in explored.values.iter().chain(&explored.degrees) {
                out.put(&number.to_le_bytes())?;
            }
            explored.edges.iter().flatten().try_for_each(|edge| out.put(&edge.to_le_bytes()))
        })
    }

    /// Writes the values after all those with distance up to `level` were found.
    pub(super) fn save_levels(&self, level: u16, values: &[u16]) -> Result<(), FileError> {
        write(&self.levels_path(), MAGIC_LEVELS, self.task, &|out| {
            out.put(&level.to_le_bytes())?;
            out.put(&(values.len() as u64).to_le_bytes())?;
            values.iter().try_for_each(|value| out.put(&value.to_le_bytes()))
        })
    }

    /// What was explored earlier, if there is a checkpoint.
    pub(super) fn load<P: Packed>(&self) -> Result<Option<Explored<P>>, FileError> {
        let Some(mut input) = Input::open(&self.path, MAGIC, self.task)? else { return Ok(None) };
        let (found, expanded, edges) = (input.u64()?, input.u64()?, input.u64()?);
        let mut keys = Vec::new();
        for _ in 0..found {
            let [len] = input.take()?;
            let mut bytes = vec![0; usize::from(len)];
            input.fill(&mut bytes)?;
            keys.push(
                P::from_bytes(&bytes).ok_or_else(|| input.damaged("an encoding has the wrong length"))?,
            );
        }
        let values = input.many(expanded, u16::from_le_bytes)?;
        let degrees = input.many(expanded, u16::from_le_bytes)?;
        let edges = if edges == u64::MAX { None } else { Some(input.many(edges, u32::from_le_bytes)?) };
        input.finish()?;
        Ok(Some(Explored { keys, values, degrees, edges }))
    }

    /// The level and values found earlier for `positions` positions, if there are any.
    pub(super) fn load_levels(&self, positions: usize) -> Result<Option<(u16, Vec<u16>)>, FileError> {
        let path = self.levels_path();
        let Some(mut input) = Input::open(&path, MAGIC_LEVELS, self.task)? else { return Ok(None) };
        let level = u16::from_le_bytes(input.take()?);
        let count = input.u64()?;
        let values = input.many(count, u16::from_le_bytes)?;
        input.finish()?;
        Ok((values.len() == positions).then_some((level, values)))
    }

    /// Removes the files: the work is done.
    pub(super) fn remove(&self) {
        // What cannot be removed is stale but harmless: it belongs to finished work.
        let _ = tabia_disk::remove_file(&self.path);
        let _ = tabia_disk::remove_file(self.levels_path());
    }
}

struct Output {
    file: BufWriter<File>,
    crc: crc32fast::Hasher,
}

impl Output {
    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.crc.update(bytes);
        self.file.write_all(bytes)
    }
}

/// Writes a file under a temporary name and renames it when it is complete.
fn write(
    path: &Path,
    magic: &[u8; 8],
    task: u32,
    body: &dyn Fn(&mut Output) -> std::io::Result<()>,
) -> Result<(), FileError> {
    let temporary = path.with_extension("partial");
    let save = || -> std::io::Result<()> {
        let mut out =
            Output { file: BufWriter::new(File::create(&temporary)?), crc: crc32fast::Hasher::new() };
        out.file.write_all(magic)?;
        out.file.write_all(&task.to_le_bytes())?;
        out.file.write_all(&[0; 4])?;
        body(&mut out)?;
        let crc = out.crc.finalize();
        let mut file = out.file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(BODY - 4))?;
        file.write_all(&crc.to_le_bytes())?;
        file.sync_all()?;
        tabia_disk::rename(&temporary, path)
    };
    save().map_err(FileError::io(path))
}

struct Input<'a> {
    path: &'a Path,
    file: BufReader<File>,
    crc: crc32fast::Hasher,
    expected: u32,
    left: u64,
}

impl<'a> Input<'a> {
    /// Opens a checkpoint; `None` when there is none.
    fn open(path: &'a Path, magic: &[u8; 8], task: u32) -> Result<Option<Self>, FileError> {
        let mut file = match File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(FileError::io(path))?,
        };
        let measure =
            |file: &mut File| file.seek(SeekFrom::End(0)).and_then(|len| file.rewind().map(|()| len));
        let len = measure(&mut file).map_err(FileError::io(path))?;
        let crc = crc32fast::Hasher::new();
        let mut input = Input { path, file: BufReader::new(file), crc, expected: 0, left: len };
        if input.take::<8>()? != *magic {
            return Err(FileError::foreign(path, "not a checkpoint of this version"));
        }
        if u32::from_le_bytes(input.take()?) != task {
            return Err(FileError::foreign(
                path,
                "a checkpoint of another game, other options or other starts",
            ));
        }
        input.expected = u32::from_le_bytes(input.take()?);
        input.crc = crc32fast::Hasher::new();
        Ok(Some(input))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), FileError> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(|| self.damaged("cut short"))?;
        self.file.read_exact(bytes).map_err(FileError::io(self.path))?;
        self.crc.update(bytes);
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn u64(&mut self) -> Result<u64, FileError> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    fn many<const N: usize, T>(&mut self, count: u64, read: fn([u8; N]) -> T) -> Result<Vec<T>, FileError> {
        if count.checked_mul(N as u64).is_none_or(|bytes| bytes > self.left) {
            return Err(self.damaged("cut short"));
        }
        (0..count).map(|_| self.take().map(read)).collect()
    }

    fn finish(self) -> Result<(), FileError> {
        if self.left > 0 || self.crc.clone().finalize() != self.expected {
            return Err(self.damaged("the checksum does not fit"));
        }
        Ok(())
    }

    fn damaged(&self, message: &str) -> FileError {
        FileError::damaged(self.path, message)
    }
}
