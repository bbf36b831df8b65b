//! Writing a tablebase file: entry after entry, under a temporary name until it is complete.

use super::block::Encoder;
use super::header::{Info, Layout, Precision};
use crate::error::FileError;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tabia_core::threads;
use tabia_disk::File;

/// A tablebase file being written. Dropped before [`Writer::finish`], it leaves nothing behind.
pub struct Writer {
    path: PathBuf,
    temporary: PathBuf,
    out: Option<BufWriter<File>>,
    at: u64,
    info: Info,
    block: Encoder,
    blocks: u64,
    index: Vec<u8>,
}

impl Writer {
    /// Begins the file; the counts of `info` are taken from the entries.
    pub fn create(path: &Path, mut info: Info) -> Result<Writer, FileError> {
        let longest = usize::from(u16::MAX);
        if info.variant.len() > longest || info.slice.len() > longest || info.block_len == 0 {
            return Err(FileError::foreign(path, "a name is too long, or blocks are empty"));
        }
        (info.positions, info.wins, info.draws, info.losses, info.longest) = (0, 0, 0, 0, 0);
        let temporary = tabia_disk::temporary(path);
        let file = File::create(&temporary).map_err(FileError::io(&temporary))?;
        let at = info.header_len() as u64;
        let (block, path) = (Encoder::default(), path.to_owned());
        let out = Some(BufWriter::new(file));
        let mut writer = Writer { path, temporary, out, at, info, block, blocks: 0, index: Vec::new() };
        let room = vec![0; at as usize];
        writer.write(&room)?;
        Ok(writer)
    }

    /// Appends an entry of a keyed file. Keys come in the order of their bytes, each once.
    pub fn push(&mut self, key: &[u8], code: u16) -> Result<(), FileError> {
        let first = self.info.positions == 0;
        if self.info.layout != Layout::Keyed || key.len() > 254 || !first && key <= self.block.last() {
            return Err(FileError::foreign(&self.path, format!("the key {key:02x?} does not belong here")));
        }
        self.info.count(code);
        self.block.push(key, code);
        self.flush_full()
    }

    /// Appends the next entry of an indexed file.
    pub fn push_code(&mut self, code: u16) -> Result<(), FileError> {
        if self.info.layout != Layout::Indexed {
            return Err(FileError::foreign(&self.path, "a keyed file needs keys"));
        }
        self.info.count(code);
        self.block.push_code(code);
        self.flush_full()
    }

    /// Completes the file and gives it its name.
    pub fn finish(mut self) -> Result<Info, FileError> {
        self.flush()?;
        let index_at = self.at;
        let mut index = std::mem::take(&mut self.index);
        index.extend_from_slice(&crc32fast::hash(&index).to_le_bytes());
        self.write(&index)?;
        let header = self.info.to_bytes(self.blocks, index_at);
        let complete = |out: Option<BufWriter<File>>| -> std::io::Result<()> {
            let out = out.ok_or(std::io::ErrorKind::Other)?;
            let mut file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            file.sync_all()?;
            tabia_disk::rename(&self.temporary, &self.path)
        };
        if let Err(error) = complete(self.out.take()) {
            let _ = tabia_disk::remove_file(&self.temporary);
            return Err(FileError::io(&self.path)(error));
        }
        Ok(self.info.clone())
    }

    fn flush_full(&mut self) -> Result<(), FileError> {
        if self.block.len() >= self.info.block_len as usize { self.flush() } else { Ok(()) }
    }

    /// Writes the block, and its line of the index.
    fn flush(&mut self) -> Result<(), FileError> {
        if self.block.len() == 0 {
            return Ok(());
        }
        let (raw, first) = self.block.take(self.info.precision);
        self.write_block(&Pressed::new(&raw))?;
        if self.info.layout == Layout::Keyed {
            self.index.push(first.len() as u8);
            self.index.extend_from_slice(&first);
        }
        Ok(())
    }

    fn write_block(&mut self, block: &Pressed) -> Result<(), FileError> {
        self.index.extend_from_slice(&self.at.to_le_bytes());
        self.index.extend_from_slice(&(block.bytes.len() as u32).to_le_bytes());
        self.index.extend_from_slice(&block.raw_len.to_le_bytes());
        self.index.extend_from_slice(&block.crc.to_le_bytes());
        self.blocks += 1;
        self.at += block.bytes.len() as u64;
        self.write(&block.bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        match &mut self.out {
            Some(out) => out.write_all(bytes).map_err(FileError::io(&self.temporary)),
            None => Ok(()),
        }
    }
}

/// A block as it stands in the file, with how many wins and losses it has where that was counted.
pub(crate) struct Pressed {
    bytes: Vec<u8>,
    raw_len: u32,
    crc: u32,
    wins: u64,
    losses: u64,
}

impl Pressed {
    fn new(raw: &[u8]) -> Pressed {
        let bytes = lz4_flex::block::compress(raw);
        Pressed { crc: crc32fast::hash(&bytes), raw_len: raw.len() as u32, bytes, wins: 0, losses: 0 }
    }

    /// A block of outcomes, two bits each: 0 draw, 1 loss, 2 win.
    pub(crate) fn outcomes(raw: &[u8]) -> Pressed {
        let count = |bits: u8| raw.iter().map(|byte| u64::from((byte & bits).count_ones())).sum();
        Pressed { wins: count(0xAA), losses: count(0x55), ..Pressed::new(raw) }
    }
}

/// Writes an indexed file of outcomes that are compressed already.
pub(crate) fn write_pressed<'a>(
    path: &Path,
    info: Info,
    blocks: impl IntoIterator<Item = &'a Pressed>,
    positions: u64,
) -> Result<Info, FileError> {
    let mut writer = Writer::create(path, Info { precision: Precision::Outcome, ..info })?;
    let (mut wins, mut losses) = (0, 0);
    for block in blocks {
        writer.write_block(block)?;
        (wins, losses) = (wins + block.wins, losses + block.losses);
    }
    let info = &mut writer.info;
    (info.positions, info.wins, info.losses) = (positions, wins, losses);
    info.draws = positions.saturating_sub(wins + losses);
    writer.finish()
}

/// Writes an indexed file of outcomes that are there already as two bits each: 0 draw, 1 loss, 2 win. The threads
/// compress side by side.
pub fn write_outcomes(
    path: &Path,
    info: Info,
    bytes: &[u8],
    positions: u64,
    threads: usize,
) -> Result<Info, FileError> {
    let blocks: Vec<&[u8]> = bytes.chunks(Info::OUTCOME_BYTES).collect();
    let share = blocks.len().div_ceil(threads.max(1)).max(1);
    let stripes: Vec<&[&[u8]]> = blocks.chunks(share).collect();
    let press = |n: usize| -> Vec<Pressed> {
        stripes.get(n).map_or(&[][..], |stripe| stripe).iter().map(|raw| Pressed::outcomes(raw)).collect()
    };
    let pressed = threads::run(stripes.len().max(1), press);
    write_pressed(path, info, pressed.iter().flatten(), positions)
}

impl Drop for Writer {
    fn drop(&mut self) {
        if self.out.is_some() {
            // Not finished: nobody wants the beginning of a table. Failing leaves a stray file.
            let _ = tabia_disk::remove_file(&self.temporary);
        }
    }
}
