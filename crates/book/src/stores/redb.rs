//! The default store: one redb file, see `redb_file.rs` for its tables.
//!
//! redb writes copy-on-write pages and flips a checksummed header last, so a commit is there whole or
//! not at all. It takes a lock on the file: one process writes, or several read.

use super::guard::guard;
use super::redb_file::{
    BLOCKS, FENCES, GAMES, KEPT, Layout, META, SIZES, VARIANTS, VISITS, begin_again, check_head,
    decode_variant, encode_variant, opening,
};
use super::redb_read::{Snapshot, TOGETHER};
use crate::hex::hex;
use crate::store::{Commit, FoundVisitor, Ledger, Reader, RowVisitor, Store, StoreInfo, Variant, fitting};
use crate::{Error, Fingerprint, GameId, KeptGame, Result, Row, VisitVisitor};
use redb::{
    CompactionError, Database, DatabaseError, ReadOnlyDatabase, ReadTransaction, ReadableDatabase,
    ReadableTable, ReadableTableMetadata, TableError,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{PoisonError, RwLock};

/// Memory for pages, read and written.
const CACHE: usize = 512 << 20;

/// A block of one row, with the key of the block before it, still fits a page of 4 KiB.
const LONGEST_KEY: usize = 1 << 10;

enum Handle {
    Write(Database),
    Read(ReadOnlyDatabase),
}

/// A book in a redb file.
pub struct RedbStore {
    path: PathBuf,
    /// Always there until the store is dropped.
    handle: RwLock<Option<Handle>>,
    /// Set by commits that wrote the table anew, and so left free space behind: the database doubles its file as it grows.
    pub(super) rewritten: AtomicBool,
    /// The snapshot that look-ups use until the next commit: opening one takes longer than a look-up.
    blocks: RwLock<Option<Snapshot>>,
    /// Commits so far: a snapshot of before the last one is not used any more.
    pub(super) commits: AtomicU64,
}

impl RedbStore {
    /// Opens a book for adding to it, and creates it where there is none.
    pub fn create(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        begin_again(path)?;
        check_head(path)?;
        let open = || Database::builder().set_cache_size(CACHE).create(path);
        let database = guard(path, || open().map_err(|e| opening(path, e)))?;
        let store = Self::new(path, Handle::Write(database));
        guard(path, || store.initialise())?;
        Ok(store)
    }

    /// Opens a book for reading.
    pub fn open(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Err(Error::Missing(path.display().to_string()));
        }
        check_head(path)?;
        let reader = || Database::builder().set_cache_size(CACHE).open_read_only(path);
        let handle = match guard(path, || Ok(reader()))? {
            Ok(database) => Handle::Read(database),
            // A killed writer left work behind that only a writer may tidy up.
            Err(DatabaseError::RepairAborted) => return Self::create(path),
            Err(error) => return Err(opening(path, error)),
        };
        let store = Self::new(path, handle);
        guard(path, || store.check_format())?;
        Ok(store)
    }

    fn new(path: &Path, handle: Handle) -> Self {
        RedbStore {
            path: path.to_owned(),
            handle: RwLock::new(Some(handle)),
            rewritten: AtomicBool::new(false),
            blocks: RwLock::default(),
            commits: AtomicU64::new(0),
        }
    }

    fn initialise(&self) -> Result<()> {
        let fresh = self.read(|txn| Ok(txn.list_tables()?.count() == 0))?;
        if !fresh {
            return self.check_format();
        }
        let txn = self.begin_write()?;
        let write = || -> Result<(), redb::Error> {
            txn.open_table(META)?.insert("format", Layout::NEWEST)?;
            txn.open_table(VARIANTS)?;
            txn.open_table(GAMES)?;
            txn.open_table(SIZES)?;
            txn.open_table(BLOCKS)?;
            txn.open_table(FENCES)?;
            Ok(())
        };
        write().map_err(|e| self.error(e))?;
        txn.commit().map_err(|e| self.error(e))
    }

    fn check_format(&self) -> Result<()> {
        let format = self.read(|txn| match txn.open_table(META) {
            Ok(meta) => Ok(meta.get("format")?.map(|format| format.value())),
            Err(TableError::TableDoesNotExist(_) | TableError::TableTypeMismatch { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        })?;
        let (place, known) = (self.place(), Layout::NEWEST);
        match format {
            Some(found) if Layout::of(found).is_some() => Ok(()),
            Some(found) if found > known => Err(Error::Newer { place, found, known }),
            Some(found) if found > 0 => Err(Error::Older { place, found, known }),
            found => Err(Error::damaged(self.place(), format!("its format is {found:?}"))),
        }
    }

    /// The fences are the keys of the blocks.
    fn check_fences(&self) -> Result<()> {
        let (meta, blocks) = self.read(|txn| Ok((txn.open_table(META)?, txn.open_table(BLOCKS)?)))?;
        if self.layout(&meta)? != Layout::Packed {
            return Ok(());
        }
        let fences = self.read(|txn| Ok(txn.open_table(FENCES)?))?;
        let mut fences = fences.iter().map_err(|e| self.error(e))?;
        let differ = || Error::damaged(self.place(), "its fences are not the keys of its blocks");
        for block in blocks.iter().map_err(|e| self.error(e))? {
            let block = block.map_err(|e| self.error(e))?.0;
            let fence = fences.next().transpose().map_err(|e| self.error(e))?;
            if fence.is_none_or(|(fence, _)| fence.value() != block.value()) {
                return Err(differ());
            }
        }
        if fences.next().is_none() { Ok(()) } else { Err(differ()) }
    }

    /// The number of rows is kept beside them.
    fn check_sizes(&self) -> Result<()> {
        let (told, mut found) = (self.info()?.rows, 0);
        for variant in self.variants()? {
            self.scan(variant.number, &mut |_, _| {
                found += 1;
                std::ops::ControlFlow::Continue(())
            })?;
        }
        let reason = || format!("it has {found} positions and says {told}");
        if found == told { Ok(()) } else { Err(Error::damaged(self.place(), reason())) }
    }

    pub(super) fn place(&self) -> String {
        self.path.display().to_string()
    }

    pub(super) fn error(&self, error: impl Into<redb::Error>) -> Error {
        match error.into() {
            redb::Error::Corrupted(reason) => Error::damaged(self.place(), reason),
            redb::Error::Io(error) => Error::Io { path: self.path.clone(), error },
            error => Error::database(self.place(), error),
        }
    }

    pub(super) fn begin_write(&self) -> Result<redb::WriteTransaction> {
        match &*self.handle.read().unwrap_or_else(PoisonError::into_inner) {
            Some(Handle::Write(database)) => database.begin_write().map_err(|e| self.error(e)),
            _ => Err(Error::ReadOnly(self.place())),
        }
    }

    /// Does something that nobody else may be in the way of; the snapshot of look-ups is given up.
    fn exclusively<T>(&self, work: impl FnOnce(&mut Database) -> Result<T>) -> Result<T> {
        drop(self.blocks.write().unwrap_or_else(PoisonError::into_inner).take());
        match &mut *self.handle.write().unwrap_or_else(PoisonError::into_inner) {
            Some(Handle::Write(database)) => guard(&self.path, || work(database)),
            _ => Err(Error::ReadOnly(self.place())),
        }
    }

    /// Does something in a snapshot.
    pub(super) fn read<T>(&self, work: impl FnOnce(&ReadTransaction) -> Result<T, redb::Error>) -> Result<T> {
        let txn = match &*self.handle.read().unwrap_or_else(PoisonError::into_inner) {
            Some(Handle::Write(database)) => database.begin_read(),
            Some(Handle::Read(database)) => database.begin_read(),
            None => return Err(Error::database(self.place(), "it is closed")),
        };
        let txn = txn.map_err(|e| self.error(e))?;
        guard(&self.path, || work(&txn).map_err(|e| self.error(e)))
    }

    /// Looks things up in the snapshot that is kept for it.
    fn with_snapshot<T>(&self, work: impl FnOnce(&Snapshot) -> Result<T>) -> Result<T> {
        loop {
            let current = self.commits.load(Acquire);
            if let Some(blocks) = &*self.blocks.read().unwrap_or_else(PoisonError::into_inner)
                && blocks.commits == current
            {
                return guard(&self.path, || work(blocks));
            }
            let taken = guard(&self.path, || self.snapshot())?;
            *self.blocks.write().unwrap_or_else(PoisonError::into_inner) = Some(taken);
        }
    }

    pub(super) fn damaged_row(&self, key: &[u8]) -> Error {
        Error::damaged(self.place(), format!("the row of key {} does not decode", hex(key)))
    }

    pub(super) fn damaged_block(&self, key: &[u8]) -> Error {
        Error::damaged(self.place(), format!("the block of key {} does not decode", hex(key)))
    }

    pub(super) fn list_variants(
        &self,
        table: &impl ReadableTable<&'static str, &'static [u8]>,
        layout: Layout,
    ) -> Result<Vec<Variant>> {
        let mut variants = Vec::new();
        for entry in table.iter().map_err(|e| self.error(e))? {
            let (name, bytes) = entry.map_err(|e| self.error(e))?;
            let variant = decode_variant(name.value(), bytes.value(), layout.is_sealed());
            variants.push(variant.ok_or_else(|| Error::damaged(self.place(), "a variant does not decode"))?);
        }
        Ok(variants)
    }
}

impl Drop for RedbStore {
    /// Closing writes, and on a damaged file that can panic like everything else.
    fn drop(&mut self) {
        let (handle, table) = (std::mem::take(&mut self.handle), std::mem::take(&mut self.blocks));
        let _ = guard(&self.path, || {
            drop(table);
            drop(handle);
            Ok(())
        });
    }
}

impl Reader for RedbStore {
    fn info(&self) -> Result<StoreInfo> {
        let bytes = std::fs::metadata(&self.path).map_err(Error::io(&self.path))?.len();
        let (games, sizes, variants, meta) = self.read(|txn| {
            let games = txn.open_table(GAMES)?.len()?;
            Ok((games, txn.open_table(SIZES)?, txn.open_table(VARIANTS)?, txn.open_table(META)?))
        })?;
        guard(&self.path, || {
            let layout = self.layout(&meta)?;
            let (rows, format) = (self.count_rows(&sizes, layout)?, layout.number());
            let counted: u64 =
                self.list_variants(&variants, layout)?.iter().map(|v| v.ledger.games.total()).sum();
            if games != counted {
                let reason = format!("{games} games have ids, {counted} games were counted");
                return Err(Error::damaged(self.place(), reason));
            }
            Ok(StoreInfo { kind: "redb", place: self.place(), format, games, rows, bytes })
        })
    }

    fn variants(&self) -> Result<Vec<Variant>> {
        let (table, meta) = self.read(|txn| Ok((txn.open_table(VARIANTS)?, txn.open_table(META)?)))?;
        guard(&self.path, || self.list_variants(&table, self.layout(&meta)?))
    }

    fn rows(&self, keys: &[Vec<u8>]) -> Result<Vec<Option<Row>>> {
        self.with_snapshot(|blocks| {
            let mut rows = Vec::with_capacity(keys.len());
            for keys in keys.chunks(TOGETHER) {
                let places = self.places(blocks, keys)?;
                for (n, key) in keys.iter().enumerate() {
                    let mut row = Row::default();
                    rows.push(self.find(blocks, (&places, n), key, &mut row)?.then_some(row));
                }
            }
            Ok(rows)
        })
    }

    fn visit_rows(&self, keys: &[&[u8]], visit: &mut FoundVisitor<'_>) -> Result<()> {
        self.with_snapshot(|blocks| {
            let mut row = Row::default();
            for (first, keys) in (0..).step_by(TOGETHER).zip(keys.chunks(TOGETHER)) {
                let places = self.places(blocks, keys)?;
                for (n, key) in keys.iter().enumerate() {
                    if self.find(blocks, (&places, n), key, &mut row)? {
                        visit(first + n, &row);
                    }
                }
            }
            Ok(())
        })
    }

    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        guard(&self.path, || self.scan_blocks(variant, visit))
    }

    fn known(&self, ids: &[GameId]) -> Result<Vec<bool>> {
        self.read(|txn| {
            let games = txn.open_table(GAMES)?;
            ids.iter().map(|id| Ok(games.get(&id.0)?.is_some())).collect()
        })
    }

    fn visits(&self, key: &[u8], visit: &mut VisitVisitor<'_>) -> Result<()> {
        let tables = self.read(|txn| match (txn.open_table(KEPT), txn.open_table(VISITS)) {
            (Ok(kept), Ok(visits)) => Ok(Some((kept, visits))),
            (Err(TableError::TableDoesNotExist(_)), _) => Ok(None),
            (Err(error), _) | (_, Err(error)) => Err(error.into()),
        })?;
        let Some((kept, visits)) = tables else { return Ok(()) };
        guard(&self.path, || self.visit_kept(&kept, &visits, key, visit))
    }

    fn kept(&self, id: GameId) -> Result<Option<KeptGame>> {
        let table = self.read(|txn| match txn.open_table(KEPT) {
            Ok(kept) => Ok(Some(kept)),
            Err(TableError::TableDoesNotExist(_)) => Ok(None),
            Err(error) => Err(error.into()),
        })?;
        let Some(kept) = table else { return Ok(None) };
        guard(&self.path, || self.find_kept(&kept, id))
    }

    fn check(&mut self) -> Result<()> {
        match self.exclusively(|database| Ok(database.check_integrity()))? {
            Ok(true) => guard(&self.path, || self.check_fences()).and_then(|()| self.check_sizes()),
            Ok(false) => {
                Err(Error::damaged(self.place(), "its page checksums did not agree; it was repaired"))
            }
            Err(error) => Err(opening(&self.path, error)),
        }
    }
}

impl Store for RedbStore {
    fn enter(&self, name: &str, ours: &Fingerprint, fits: &dyn Fn(&Fingerprint) -> bool) -> Result<Variant> {
        let mut variants = self.variants()?;
        if let Some(at) = variants.iter().position(|v| v.name == name) {
            return fitting(variants.swap_remove(at), fits, self.place());
        }
        let taken = variants.iter().map(|v| v.number).max().unwrap_or(0);
        let number =
            taken.checked_add(1).ok_or_else(|| Error::database(self.place(), "too many variants"))?;
        let (name, fingerprint) = (name.to_owned(), ours.clone());
        let variant = Variant { number, name, fingerprint, ledger: Ledger::default() };
        let txn = self.begin_write()?;
        let layout = self.layout(&txn.open_table(META).map_err(|e| self.error(e))?)?;
        let write = || -> Result<(), redb::Error> {
            let bytes = encode_variant(&variant, layout.is_sealed());
            txn.open_table(VARIANTS)?.insert(variant.name.as_str(), &bytes[..])?;
            Ok(())
        };
        write().map_err(|e| self.error(e))?;
        txn.commit().map_err(|e| self.error(e))?;
        Ok(variant)
    }

    fn commit(&self, mut commit: Commit<'_>) -> Result<()> {
        // A snapshot that is kept would keep its pages, too.
        drop(self.blocks.write().unwrap_or_else(PoisonError::into_inner).take());
        let written = guard(&self.path, || self.write(&mut commit));
        self.commits.fetch_add(1, Release);
        written
    }

    fn keeps_games(&self) -> bool {
        true
    }

    fn longest_key(&self) -> usize {
        LONGEST_KEY
    }

    fn settle(&self) -> Result<()> {
        if !self.rewritten.swap(false, Relaxed) {
            return Ok(());
        }
        self.exclusively(|database| match database.compact() {
            // A reader is at work: the space stays free for the next commit.
            Ok(_) | Err(CompactionError::TransactionInProgress) => Ok(()),
            Err(error) => Err(self.error(error)),
        })
    }

    fn as_reader(&self) -> &dyn Reader {
        self
    }
}
