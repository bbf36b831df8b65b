//! Reading a run: one after the other, or one row at a time through the index.

use super::foot::Foot;
use super::{END, FORMAT, LARGEST, MAGIC, PLAIN, TAIL};
use crate::block::BadBlock;
use crate::coding::{Coding, RowCursor, Sought};
use crate::room::Shelf;
use crate::{Error, Fingerprint, GameId, Increments, Ledger, Result, Row};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tabia_disk::File;
use tabia_table::Card;

/// An open run.
#[derive(Debug)]
pub struct Run {
    path: PathBuf,
    file: Mutex<File>,
    bytes: u64,
    variant: String,
    fingerprint: Fingerprint,
    coding: Coding,
    foot: Foot,
    /// The blocks that look-ups have read.
    shelf: Shelf,
}

impl Run {
    /// Opens a run; its head, foot and tail are checked now, its blocks when they are read.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = File::open(path).map_err(Error::io(path))?;
        let bytes = file.seek(SeekFrom::End(0)).map_err(Error::io(path))?;
        let mut run = Run {
            path: path.to_owned(),
            file: Mutex::new(File::open(path).map_err(Error::io(path))?),
            bytes,
            variant: String::new(),
            fingerprint: Fingerprint::from_bytes(&[]),
            coding: Coding::Packed,
            foot: Foot::default(),
            shelf: Shelf::default(),
        };
        run.read_head(&mut file)?;
        run.read_foot()?;
        Ok(run)
    }

    fn damaged(&self, reason: impl ToString) -> Error {
        Error::damaged(self.path.display(), reason)
    }

    fn read_head(&mut self, file: &mut File) -> Result<()> {
        let mut head = Vec::new();
        file.rewind().map_err(Error::io(&self.path))?;
        file.take(16).read_to_end(&mut head).map_err(Error::io(&self.path))?;
        if head.len() < 16 || !head.starts_with(MAGIC) {
            return Err(self.damaged("it does not begin like a run"));
        }
        let found = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if found > FORMAT {
            return Err(Error::Newer { place: self.path.display().to_string(), found, known: FORMAT });
        }
        self.coding = if found <= PLAIN { Coding::Plain } else { Coding::Packed };
        let name = usize::from(u16::from_le_bytes([head[12], head[13]]));
        let print = usize::from(u16::from_le_bytes([head[14], head[15]]));
        file.take((name + print + 4) as u64).read_to_end(&mut head).map_err(Error::io(&self.path))?;
        let sound = head.split_last_chunk::<4>().is_some_and(|(body, crc)| {
            head.len() == 16 + name + print + 4 && crc32fast::hash(body).to_le_bytes() == *crc
        });
        let text = head.get(16..16 + name).and_then(|name| std::str::from_utf8(name).ok());
        let (true, Some(text), Some(print)) = (sound, text, head.get(16 + name..16 + name + print)) else {
            return Err(self.damaged("its head does not match its checksum"));
        };
        text.clone_into(&mut self.variant);
        self.fingerprint = Fingerprint::from_bytes(print);
        Ok(())
    }

    fn read_foot(&mut self) -> Result<()> {
        let mut tail = [0; TAIL as usize];
        let start = self.bytes.checked_sub(TAIL).ok_or_else(|| self.damaged("it is too short"))?;
        self.read_at(start, &mut tail)?;
        let (offset, rest) = tail.split_at(8);
        if rest[4..] != END[..] || crc32fast::hash(offset).to_le_bytes() != rest[..4] {
            return Err(self.damaged("it was cut off, or does not end like a run"));
        }
        let offset = u64::from_le_bytes(offset.try_into().unwrap_or_default());
        let foot = self.block(offset)?;
        self.foot = Foot::decode(&foot).ok_or_else(|| self.damaged("its index does not decode"))?;
        self.shelf = Shelf::new(self.foot.blocks.len());
        Ok(())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset)).map_err(Error::io(&self.path))?;
        self.read_on(&mut file, buffer)
    }

    fn read_on(&self, file: &mut File, buffer: &mut [u8]) -> Result<()> {
        file.read_exact(buffer).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => self.damaged("it ends too early"),
            _ => Error::io(&self.path)(error),
        })
    }

    /// The block at an offset, its checksum checked.
    fn block(&self, offset: u64) -> Result<Vec<u8>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset)).map_err(Error::io(&self.path))?;
        let mut head = [0; 8];
        self.read_on(&mut file, &mut head)?;
        let [a, b, c, d, crc @ ..] = head;
        let len = u32::from_le_bytes([a, b, c, d]) as usize;
        if len > LARGEST || len as u64 > self.bytes {
            return Err(self.damaged(format!("the block at byte {offset} is too long")));
        }
        let mut block = vec![0; len];
        self.read_on(&mut file, &mut block)?;
        drop(file);
        if crc32fast::hash(&block).to_le_bytes() != crc {
            return Err(self.damaged(format!("the block at byte {offset} does not match its checksum")));
        }
        Ok(block)
    }

    /// The game with its options.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// How positions are packed and moves numbered.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of positions.
    pub fn rows(&self) -> u64 {
        self.foot.rows
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.foot.games
    }

    /// What was counted.
    pub fn ledger(&self) -> Ledger {
        self.foot.ledger
    }

    /// All ids, ascending.
    pub fn ids(&self) -> impl Iterator<Item = Result<GameId>> {
        self.foot.ids.iter().flat_map(|(offset, _)| match self.id_block(*offset) {
            Ok(ids) => ids.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    fn id_block(&self, offset: u64) -> Result<Vec<GameId>> {
        let block = self.block(offset)?;
        let (ids, rest) = block.as_chunks::<16>();
        if !rest.is_empty() {
            return Err(self.damaged(format!("the ids at byte {offset} are cut off")));
        }
        Ok(ids.iter().map(|id| GameId(*id)).collect())
    }

    /// Whether a game is in the run.
    pub fn knows(&self, id: &GameId) -> Result<bool> {
        let after = self.foot.ids.partition_point(|(_, first)| first <= id);
        let Some((offset, _)) = after.checked_sub(1).and_then(|at| self.foot.ids.get(at)) else {
            return Ok(false);
        };
        Ok(self.id_block(*offset)?.binary_search(id).is_ok())
    }

    /// The row of a packed position.
    pub fn row(&self, key: &[u8]) -> Result<Option<Row>> {
        let mut row = Row::default();
        Ok(self.read_row(key, &mut row)?.then_some(row))
    }

    /// Reads the row of a packed position; `false` when there is none.
    pub(crate) fn read_row(&self, key: &[u8], row: &mut Row) -> Result<bool> {
        let Some(at) = self.foot.firsts.up_to(key).checked_sub(1) else { return Ok(false) };
        let damaged = || self.damaged(format!("block {at} does not decode"));
        self.shelf.with(
            at,
            || Ok((self.block(self.foot.blocks[at])?, Card::default())),
            |block| match self.coding.find(block, key) {
                Ok(Sought::Value(value)) => value.read_into(row).ok_or_else(damaged).map(|()| true),
                Ok(Sought::Absent | Sought::Beyond) => Ok(false),
                Err(BadBlock) => Err(damaged()),
            },
        )
    }

    /// All rows, ascending.
    pub fn all(&self) -> RunRows<'_> {
        RunRows {
            run: self,
            next_block: 0,
            block: Vec::new(),
            cursor: RowCursor::new(self.coding),
            row: Row::default(),
        }
    }
}

/// The rows of a run in the order of their keys.
pub struct RunRows<'a> {
    run: &'a Run,
    next_block: usize,
    block: Vec<u8>,
    cursor: RowCursor,
    row: Row,
}

impl RunRows<'_> {
    /// Goes to the next row; `false` when there is none.
    pub(crate) fn advance(&mut self) -> Result<bool> {
        if self.block.is_empty() || self.cursor.is_at_end(&self.block) {
            let Some(offset) = self.run.foot.blocks.get(self.next_block) else { return Ok(false) };
            self.block = self.run.block(*offset)?;
            self.next_block += 1;
            self.cursor.rewind();
        }
        let row = self.cursor.advance(&self.block);
        match row.and_then(|()| self.cursor.value(&self.block)?.read_into(&mut self.row)) {
            Some(()) => Ok(true),
            None => Err(self.run.damaged(format!("block {} does not decode", self.next_block - 1))),
        }
    }

    /// The key of the row it is at.
    #[inline]
    pub(crate) fn key(&self) -> &[u8] {
        self.cursor.key()
    }

    /// The row it is at.
    pub(crate) fn row(&self) -> &Row {
        &self.row
    }
}

impl Increments for RunRows<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &Row)>> {
        Ok(if self.advance()? { Some((self.cursor.key(), &self.row)) } else { None })
    }
}
