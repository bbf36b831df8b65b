//! Writing a run.

use super::foot::Foot;
use super::{BLOCK, END, FORMAT, IDS, MAGIC};
use crate::packed::{Closed, Packer, Value};
use crate::{Error, Fingerprint, GameId, Increments, Ledger, Result, Row};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tabia_disk::File;

/// Writes a run: first its rows, ascending by key, then its ids.
pub struct RunWriter {
    path: PathBuf,
    out: Out,
    packer: Packer,
    value: Vec<u8>,
}

/// The file, and what was written.
struct Out {
    temporary: PathBuf,
    file: BufWriter<File>,
    offset: u64,
    foot: Foot,
}

impl Out {
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

    fn write_rows(&mut self, block: &Closed<'_>) -> Result<()> {
        self.foot.blocks.push(self.offset);
        self.foot.firsts.push(block.first);
        self.write_block(block.bytes)
    }
}

impl RunWriter {
    /// Starts a run that will have the name `path`.
    pub fn create(path: &Path, variant: &str, fingerprint: &Fingerprint) -> Result<Self> {
        let temporary = path.with_extension("part");
        let file = File::create(&temporary).map_err(Error::io(&temporary))?;
        let file = BufWriter::with_capacity(1 << 18, file);
        let mut out = Out { temporary, file, offset: 0, foot: Foot::default() };
        let mut head = MAGIC.to_vec();
        head.extend_from_slice(&FORMAT.to_le_bytes());
        head.extend_from_slice(&(variant.len() as u16).to_le_bytes());
        head.extend_from_slice(&(fingerprint.as_bytes().len() as u16).to_le_bytes());
        head.extend_from_slice(variant.as_bytes());
        head.extend_from_slice(fingerprint.as_bytes());
        head.extend_from_slice(&crc32fast::hash(&head).to_le_bytes());
        out.write(&head)?;
        Ok(RunWriter { path: path.to_owned(), out, packer: Packer::new(BLOCK), value: Vec::new() })
    }

    /// Adds a row.
    pub fn row(&mut self, key: &[u8], row: &Row) -> Result<()> {
        let (out, value) = (&mut self.out, Value::of(row, &mut self.value));
        out.foot.rows += 1;
        self.packer.push(key, value, &mut |block| out.write_rows(&block))
    }

    /// Adds a block of ids; all blocks together are ascending.
    fn ids(&mut self, ids: &[GameId]) -> Result<()> {
        for part in ids.chunks(IDS) {
            self.out.foot.ids.push((self.out.offset, part[0]));
            let bytes: Vec<u8> = part.iter().flat_map(|id| id.0).collect();
            self.out.write_block(&bytes)?;
        }
        self.out.foot.games += ids.len() as u64;
        Ok(())
    }

    /// Adds the ids, ascending, and gives the run its name.
    pub fn finish(self, ids: impl IntoIterator<Item = Result<GameId>>, ledger: Ledger) -> Result<()> {
        self.close(ids, ledger)?.keep()
    }

    /// Adds the ids, ascending; the run has its name once it is kept.
    fn close(mut self, ids: impl IntoIterator<Item = Result<GameId>>, ledger: Ledger) -> Result<Unkept> {
        let out = &mut self.out;
        self.packer.finish(&mut |block| out.write_rows(&block))?;
        let mut part = Vec::with_capacity(IDS);
        for id in ids {
            part.push(id?);
            if part.len() == IDS {
                self.ids(&part)?;
                part.clear();
            }
        }
        self.ids(&part)?;
        let mut out = self.out;
        out.foot.ledger = ledger;
        let foot_offset = out.offset.to_le_bytes();
        let foot = out.foot.encode();
        out.write_block(&foot)?;
        out.write(&foot_offset)?;
        out.write(&crc32fast::hash(&foot_offset).to_le_bytes())?;
        out.write(END)?;
        let file = out.file.into_inner().map_err(|e| Error::io(&out.temporary)(e.into_error()))?;
        Ok(Unkept { path: self.path, temporary: out.temporary, file })
    }
}

/// A run that is written, but may not be on the disk yet.
pub(crate) struct Unkept {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
}

impl Unkept {
    /// Waits until it is on the disk, and gives it its name.
    pub(crate) fn keep(self) -> Result<()> {
        self.file.sync_all().map_err(Error::io(&self.temporary))?;
        tabia_disk::rename(&self.temporary, &self.path).map_err(Error::io(&self.path))?;
        sync_folder(&self.path)
    }
}

/// Writes rows and ids (in any order) as a run.
pub fn write_run(
    path: &Path,
    (variant, fingerprint): (&str, &Fingerprint),
    rows: &mut dyn Increments,
    ids: Vec<GameId>,
    ledger: Ledger,
) -> Result<()> {
    write_unkept(path, (variant, fingerprint), rows, ids, ledger)?.keep()
}

/// The same, to be kept later.
pub(crate) fn write_unkept(
    path: &Path,
    (variant, fingerprint): (&str, &Fingerprint),
    rows: &mut dyn Increments,
    mut ids: Vec<GameId>,
    ledger: Ledger,
) -> Result<Unkept> {
    let mut writer = RunWriter::create(path, variant, fingerprint)?;
    while let Some((key, row)) = rows.next()? {
        writer.row(key, row)?;
    }
    ids.sort_unstable();
    writer.close(ids.into_iter().map(Ok), ledger)
}

/// Makes a rename durable where the system can.
fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) {
        File::open(folder).and_then(|f| f.sync_all()).map_err(Error::io(folder))?;
    }
    Ok(())
}
