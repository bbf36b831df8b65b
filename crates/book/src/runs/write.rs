//! Writing a run.

use super::foot::Foot;
use super::{BLOCK, END, MAGIC};
use crate::block::BlockWriter;
use crate::store::FORMAT;
use crate::{Error, Fingerprint, GameId, Increments, Ledger, Result, Row};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tabia_disk::File;

/// Writes a run: first its rows, ascending by key, then its ids.
pub struct RunWriter {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
    offset: u64,
    foot: Foot,
    block: BlockWriter,
    first_key: Vec<u8>,
    value: Vec<u8>,
}

impl RunWriter {
    /// Starts a run that will have the name `path`.
    pub fn create(path: &Path, variant: &str, fingerprint: &Fingerprint) -> Result<Self> {
        let temporary = path.with_extension("part");
        let file = File::create(&temporary).map_err(Error::io(&temporary))?;
        let mut writer = RunWriter {
            path: path.to_owned(),
            temporary,
            file: BufWriter::with_capacity(1 << 18, file),
            offset: 0,
            foot: Foot::default(),
            block: BlockWriter::default(),
            first_key: Vec::new(),
            value: Vec::new(),
        };
        let mut head = MAGIC.to_vec();
        head.extend_from_slice(&FORMAT.to_le_bytes());
        head.extend_from_slice(&(variant.len() as u16).to_le_bytes());
        head.extend_from_slice(&(fingerprint.as_bytes().len() as u16).to_le_bytes());
        head.extend_from_slice(variant.as_bytes());
        head.extend_from_slice(fingerprint.as_bytes());
        head.extend_from_slice(&crc32fast::hash(&head).to_le_bytes());
        writer.write(&head)?;
        Ok(writer)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(Error::io(&self.temporary))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    fn write_block(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(&(bytes.len() as u32).to_le_bytes())?;
        self.write(&crc32fast::hash(bytes).to_le_bytes())?;
        self.write(bytes)
    }

    /// Adds a row.
    pub fn row(&mut self, key: &[u8], row: &Row) -> Result<()> {
        if self.block.bytes().is_empty() {
            self.first_key.clear();
            self.first_key.extend_from_slice(key);
        }
        self.value.clear();
        row.encode(&mut self.value);
        self.block.push(key, &self.value);
        self.foot.rows += 1;
        if self.block.bytes().len() >= BLOCK { self.close_block() } else { Ok(()) }
    }

    fn close_block(&mut self) -> Result<()> {
        if !self.block.bytes().is_empty() {
            self.foot.blocks.push((self.offset, self.first_key.clone()));
            let mut block = std::mem::take(&mut self.block);
            self.write_block(block.bytes())?;
            block.clear();
            self.block = block;
        }
        Ok(())
    }

    /// Adds a block of ids; all blocks together are ascending.
    fn ids(&mut self, ids: &[GameId]) -> Result<()> {
        for part in ids.chunks(BLOCK / 16) {
            self.foot.ids.push((self.offset, part[0]));
            let bytes: Vec<u8> = part.iter().flat_map(|id| id.0).collect();
            self.write_block(&bytes)?;
        }
        self.foot.games += ids.len() as u64;
        Ok(())
    }

    /// Adds the ids, ascending, and gives the run its name.
    pub fn finish(mut self, ids: impl IntoIterator<Item = Result<GameId>>, ledger: Ledger) -> Result<()> {
        self.close_block()?;
        let mut part = Vec::with_capacity(BLOCK / 16);
        for id in ids {
            part.push(id?);
            if part.len() == BLOCK / 16 {
                self.ids(&part)?;
                part.clear();
            }
        }
        self.ids(&part)?;
        self.foot.ledger = ledger;
        let foot_offset = self.offset.to_le_bytes();
        let foot = self.foot.encode();
        self.write_block(&foot)?;
        self.write(&foot_offset)?;
        self.write(&crc32fast::hash(&foot_offset).to_le_bytes())?;
        self.write(END)?;
        let file = self.file.into_inner().map_err(|e| Error::io(&self.temporary)(e.into_error()))?;
        file.sync_all().map_err(Error::io(&self.temporary))?;
        tabia_disk::rename(&self.temporary, &self.path).map_err(Error::io(&self.path))?;
        sync_folder(&self.path)
    }
}

/// Writes rows and ids (in any order) as a run.
pub fn write_run(
    path: &Path,
    (variant, fingerprint): (&str, &Fingerprint),
    rows: &mut dyn Increments,
    mut ids: Vec<GameId>,
    ledger: Ledger,
) -> Result<()> {
    let mut writer = RunWriter::create(path, variant, fingerprint)?;
    while let Some((key, row)) = rows.next()? {
        writer.row(key, row)?;
    }
    ids.sort_unstable();
    writer.finish(ids.into_iter().map(Ok), ledger)
}

/// Makes a rename durable where the system can.
fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) {
        File::open(folder).and_then(|f| f.sync_all()).map_err(Error::io(folder))?;
    }
    Ok(())
}
