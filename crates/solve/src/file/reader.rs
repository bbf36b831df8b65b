//! Asking a tablebase file.

use super::block::Decoded;
use super::header::{Info, Layout};
use crate::error::FileError;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tabia_table::MappedFile;

/// Bytes of unpacked blocks a file keeps by default.
const CACHE: u64 = 64 << 20;

/// One line of the block index.
struct Line {
    at: u64,
    packed_len: u32,
    raw_len: u32,
    crc: u32,
    first_key: Box<[u8]>,
}

/// A tablebase file, mapped into memory. Blocks are checked and unpacked when they are first needed.
pub struct TableFile {
    path: PathBuf,
    bytes: MappedFile,
    info: Info,
    lines: Vec<Line>,
    /// Block `b` may be kept in slot `b % slots`.
    cache: Vec<Mutex<Option<(usize, Decoded)>>>,
}

impl TableFile {
    /// Opens a file: header and block index are checked now, blocks when they are read.
    pub fn open(path: &Path) -> Result<TableFile, FileError> {
        let bytes = MappedFile::open(path).map_err(FileError::io(path))?;
        let (info, blocks, index_at) = Info::from_bytes(&bytes).map_err(|m| FileError::foreign(path, m))?;
        let lines =
            read_index(&bytes, info.layout, blocks, index_at).map_err(|m| FileError::damaged(path, m))?;
        let largest = lines.iter().map(|line| u64::from(line.raw_len)).max().unwrap_or(1).max(1);
        let slots = blocks.min(CACHE / (2 * largest)).max(1);
        let cache = (0..slots).map(|_| Mutex::new(None)).collect();
        Ok(TableFile { path: path.to_owned(), bytes, info, lines, cache })
    }

    /// What the file says about itself.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.lines.len()
    }

    /// The code of a key; `None` when the file does not have it.
    pub fn get(&self, key: &[u8]) -> Result<Option<u16>, FileError> {
        let after = self.lines.partition_point(|line| *line.first_key <= *key);
        match after.checked_sub(1) {
            Some(block) if self.info.layout == Layout::Keyed => {
                self.with_block(block, |block| block.find(key))
            }
            _ => Ok(None),
        }
    }

    /// The code of an entry by its number; `None` past the end.
    pub fn get_index(&self, index: u64) -> Result<Option<u16>, FileError> {
        if index >= self.info.positions {
            return Ok(None);
        }
        let len = u64::from(self.info.block_len);
        self.with_block((index / len) as usize, |block| block.code((index % len) as usize))
    }

    /// The entries of a block: number, key (empty in indexed files) and code of each.
    pub fn read_block(&self, block: usize, mut each: impl FnMut(u64, &[u8], u16)) -> Result<(), FileError> {
        let decoded = self.decode(block)?;
        let from = block as u64 * u64::from(self.info.block_len);
        for at in 0..decoded.len() {
            let Some(code) = decoded.code(at) else { continue };
            each(from + at as u64, decoded.key(at).unwrap_or_default(), code);
        }
        Ok(())
    }

    /// All codes of an indexed file in memory.
    pub fn all_codes(&self) -> Result<Vec<u16>, FileError> {
        let mut codes = Vec::with_capacity(self.info.positions as usize);
        for block in 0..self.blocks() {
            self.read_block(block, |_, _, code| codes.push(code))?;
        }
        Ok(codes)
    }

    fn with_block<T>(&self, block: usize, ask: impl FnOnce(&Decoded) -> T) -> Result<T, FileError> {
        let mut slot = match self.cache[block % self.cache.len()].lock() {
            Ok(slot) => slot,
            // A panic elsewhere cannot have left half a block here: a slot is set at once.
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some((_, decoded)) = slot.as_ref().filter(|(kept, _)| *kept == block) {
            return Ok(ask(decoded));
        }
        let decoded = self.decode(block)?;
        let answer = ask(&decoded);
        *slot = Some((block, decoded));
        Ok(answer)
    }

    fn decode(&self, block: usize) -> Result<Decoded, FileError> {
        let damaged = |message: &str| FileError::damaged(&self.path, format!("block {block}: {message}"));
        let line = self.lines.get(block).ok_or_else(|| damaged("there is none"))?;
        let packed = &self.bytes[line.at as usize..line.at as usize + line.packed_len as usize];
        if crc32fast::hash(packed) != line.crc {
            return Err(damaged("the checksum does not fit"));
        }
        let raw = lz4_flex::block::decompress(packed, line.raw_len as usize)
            .map_err(|e| damaged(&e.to_string()))?;
        let block_len = u64::from(self.info.block_len);
        let len = (self.info.positions - block as u64 * block_len).min(block_len) as usize;
        Decoded::new(&self.info, len, &raw).ok_or_else(|| damaged("the entries do not fit"))
    }
}

/// Reads the block index; everything it says is within the file.
fn read_index(bytes: &[u8], layout: Layout, blocks: u64, index_at: u64) -> Result<Vec<Line>, String> {
    let index =
        usize::try_from(index_at).ok().and_then(|at| bytes.get(at..)).ok_or("the block index is missing")?;
    let (mut index, crc) = index.split_last_chunk::<4>().ok_or("the block index is cut short")?;
    if crc32fast::hash(index) != u32::from_le_bytes(*crc) {
        return Err("the checksum of the block index does not fit".to_owned());
    }
    let mut lines = Vec::new();
    for _ in 0..blocks {
        let line = read_line(&mut index, layout).ok_or("the block index is cut short")?;
        let end = line.at.checked_add(u64::from(line.packed_len));
        // LZ4 cannot shrink by more than 255, so a larger claim is a trap for memory.
        if end.is_none_or(|end| end > index_at)
            || u64::from(line.raw_len) > 256 * u64::from(line.packed_len) + 64
        {
            return Err("a block lies outside the file".to_owned());
        }
        lines.push(line);
    }
    if index.is_empty() { Ok(lines) } else { Err("the block index is too long".to_owned()) }
}

fn read_line(index: &mut &[u8], layout: Layout) -> Option<Line> {
    let at = u64::from_le_bytes(*index.split_off(..8)?.first_chunk()?);
    let mut number = || Some(u32::from_le_bytes(*index.split_off(..4)?.first_chunk()?));
    let (packed_len, raw_len, crc) = (number()?, number()?, number()?);
    let first_key = match layout {
        Layout::Indexed => Box::default(),
        Layout::Keyed => {
            let len = *index.split_off_first()?;
            index.split_off(..usize::from(len))?.into()
        }
    };
    Some(Line { at, packed_len, raw_len, crc, first_key })
}
