//! The default store: one redb file.
//!
//! ```text
//! table     key                        value
//! meta      "format"                   u32
//! variants  name                       number u8, ledger 5 x u64 (little-endian), fingerprint
//! games     id, 16 bytes               nothing
//! rows      variant u8, packed bytes   a row, see row.rs
//! ```
//!
//! redb writes copy-on-write pages and flips a checksummed header last, so a commit is there whole or
//! not at all. It takes a lock on the file: one process writes, or several read.

use super::guard::guard;
use crate::store::{Commit, FORMAT, Ledger, Reader, RowVisitor, Store, StoreInfo, Variant, fitting};
use crate::{Counts, Error, Fingerprint, GameId, Result, Row};
use redb::{
    Database, DatabaseError, ReadOnlyDatabase, ReadOnlyTable, ReadTransaction, ReadableDatabase,
    ReadableTable, ReadableTableMetadata, TableDefinition, TableError,
};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

const META: TableDefinition<&str, u32> = TableDefinition::new("meta");
pub(super) const VARIANTS: TableDefinition<&str, &[u8]> = TableDefinition::new("variants");
pub(super) const GAMES: TableDefinition<&[u8; 16], ()> = TableDefinition::new("games");
pub(super) const ROWS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("rows");

/// Memory for pages, read and written.
const CACHE: usize = 512 << 20;

enum Handle {
    Write(Database),
    Read(ReadOnlyDatabase),
}

/// A book in a redb file.
pub struct RedbStore {
    path: PathBuf,
    /// Always there until the store is dropped.
    handle: Option<Handle>,
    /// The snapshot that look-ups use until the next commit: opening one takes longer than a look-up.
    rows_table: RwLock<Option<RowsTable>>,
}

type RowsTable = ReadOnlyTable<&'static [u8], &'static [u8]>;

impl RedbStore {
    /// Opens a book for adding to it, and creates it where there is none.
    pub fn create(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        check_head(path)?;
        let open = || Database::builder().set_cache_size(CACHE).create(path);
        let database = guard(path, || open().map_err(|e| opening(path, e)))?;
        let store = RedbStore {
            path: path.to_owned(),
            handle: Some(Handle::Write(database)),
            rows_table: RwLock::default(),
        };
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
        let store = RedbStore { path: path.to_owned(), handle: Some(handle), rows_table: RwLock::default() };
        guard(path, || store.check_format())?;
        Ok(store)
    }

    fn initialise(&self) -> Result<()> {
        let fresh = self.read(|txn| Ok(txn.list_tables()?.count() == 0))?;
        if !fresh {
            return self.check_format();
        }
        let txn = self.begin_write()?;
        let write = || -> Result<(), redb::Error> {
            txn.open_table(META)?.insert("format", FORMAT)?;
            txn.open_table(VARIANTS)?;
            txn.open_table(GAMES)?;
            txn.open_table(ROWS)?;
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
        match format {
            Some(FORMAT) => Ok(()),
            Some(found) if found > FORMAT => Err(Error::Newer { place: self.place(), found, known: FORMAT }),
            found => Err(Error::damaged(self.place(), format!("its format is {found:?}"))),
        }
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
        match &self.handle {
            Some(Handle::Write(database)) => database.begin_write().map_err(|e| self.error(e)),
            _ => Err(Error::ReadOnly(self.place())),
        }
    }

    /// Does something in a snapshot.
    fn read<T>(&self, work: impl FnOnce(&ReadTransaction) -> Result<T, redb::Error>) -> Result<T> {
        let txn = match &self.handle {
            Some(Handle::Write(database)) => database.begin_read(),
            Some(Handle::Read(database)) => database.begin_read(),
            None => return Err(Error::database(self.place(), "it is closed")),
        };
        let txn = txn.map_err(|e| self.error(e))?;
        guard(&self.path, || work(&txn).map_err(|e| self.error(e)))
    }

    pub(super) fn damaged_row(&self, key: &[u8]) -> Error {
        Error::damaged(self.place(), format!("the row of key {} does not decode", hex(key)))
    }

    pub(super) fn list_variants(
        &self,
        table: &impl ReadableTable<&'static str, &'static [u8]>,
    ) -> Result<Vec<Variant>> {
        let mut variants = Vec::new();
        for entry in table.iter().map_err(|e| self.error(e))? {
            let (name, bytes) = entry.map_err(|e| self.error(e))?;
            let variant = decode_variant(name.value(), bytes.value());
            variants.push(variant.ok_or_else(|| Error::damaged(self.place(), "a variant does not decode"))?);
        }
        Ok(variants)
    }
}

impl Drop for RedbStore {
    /// Closing writes, and on a damaged file that can panic like everything else.
    fn drop(&mut self) {
        let (handle, table) = (self.handle.take(), std::mem::take(&mut self.rows_table));
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
        let (games, rows) =
            self.read(|txn| Ok((txn.open_table(GAMES)?.len()?, txn.open_table(ROWS)?.len()?)))?;
        Ok(StoreInfo { kind: "redb", place: self.place(), format: FORMAT, games, rows, bytes })
    }

    fn variants(&self) -> Result<Vec<Variant>> {
        let table = self.read(|txn| Ok(txn.open_table(VARIANTS)?))?;
        guard(&self.path, || self.list_variants(&table))
    }

    fn rows(&self, keys: &[Vec<u8>]) -> Result<Vec<Option<Row>>> {
        let mut snapshot = self.rows_table.read().unwrap_or_else(PoisonError::into_inner);
        if snapshot.is_none() {
            drop(snapshot);
            let table = self.read(|txn| Ok(txn.open_table(ROWS)?))?;
            *self.rows_table.write().unwrap_or_else(PoisonError::into_inner) = Some(table);
            snapshot = self.rows_table.read().unwrap_or_else(PoisonError::into_inner);
        }
        let Some(table) = snapshot.as_ref() else { return self.rows(keys) };
        let find = |key: &Vec<u8>| match table.get(&key[..]).map_err(|e| self.error(e))? {
            Some(bytes) => Row::decode(bytes.value()).map(Some).ok_or_else(|| self.damaged_row(key)),
            None => Ok(None),
        };
        guard(&self.path, || keys.iter().map(find).collect())
    }

    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        let table = self.read(|txn| Ok(txn.open_table(ROWS)?))?;
        let mut row = Row::default();
        guard(&self.path, || {
            for entry in table.range::<&[u8]>(&[variant][..]..).map_err(|e| self.error(e))? {
                let (key, bytes) = entry.map_err(|e| self.error(e))?;
                let key = key.value();
                if key.first() != Some(&variant) {
                    break;
                }
                row.decode_into(bytes.value()).ok_or_else(|| self.damaged_row(key))?;
                if visit(key, &row).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    fn known(&self, ids: &[GameId]) -> Result<Vec<bool>> {
        self.read(|txn| {
            let games = txn.open_table(GAMES)?;
            ids.iter().map(|id| Ok(games.get(&id.0)?.is_some())).collect()
        })
    }

    fn check(&mut self) -> Result<()> {
        let path = self.path.clone();
        let Some(Handle::Write(database)) = &mut self.handle else {
            return Err(Error::ReadOnly(path.display().to_string()));
        };
        match guard(&path, || Ok(database.check_integrity()))? {
            Ok(true) => Ok(()),
            Ok(false) => {
                Err(Error::damaged(path.display(), "its page checksums did not agree; it was repaired"))
            }
            Err(error) => Err(opening(&path, error)),
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
        let write = || -> Result<(), redb::Error> {
            txn.open_table(VARIANTS)?.insert(variant.name.as_str(), &encode_variant(&variant)[..])?;
            Ok(())
        };
        write().map_err(|e| self.error(e))?;
        txn.commit().map_err(|e| self.error(e))?;
        Ok(variant)
    }

    fn commit(&self, mut commit: Commit<'_>) -> Result<()> {
        // A snapshot that is kept would keep its pages, too.
        drop(self.rows_table.write().unwrap_or_else(PoisonError::into_inner).take());
        guard(&self.path, || self.write(&mut commit))
    }

    fn as_reader(&self) -> &dyn Reader {
        self
    }
}

/// Refuses what cannot be a redb file before redb sees it; a missing or empty file is fine.
fn check_head(path: &Path) -> Result<()> {
    let head = match std::fs::File::open(path) {
        Ok(mut file) => read_head(&mut file).map_err(Error::io(path))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io(path)(error)),
    };
    if head.is_empty() || head == *b"redb" {
        return Ok(());
    }
    Err(Error::damaged(path.display(), "it does not begin like a redb file"))
}

fn read_head(file: &mut std::fs::File) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(file, 4), &mut head)?;
    Ok(head)
}

fn opening(path: &Path, error: DatabaseError) -> Error {
    let place = path.display();
    match error {
        DatabaseError::DatabaseAlreadyOpen => Error::InUse(place.to_string()),
        DatabaseError::UpgradeRequired(version) => {
            Error::database(place, format!("its redb file format {version} is too old"))
        }
        DatabaseError::Storage(redb::StorageError::Io(error)) => match error.kind() {
            std::io::ErrorKind::InvalidData | std::io::ErrorKind::UnexpectedEof => {
                Error::damaged(place, error)
            }
            _ => Error::Io { path: path.to_owned(), error },
        },
        DatabaseError::Storage(redb::StorageError::Corrupted(reason)) => Error::damaged(place, reason),
        error => Error::database(place, error),
    }
}

pub(super) fn encode_variant(variant: &Variant) -> Vec<u8> {
    let ledger = variant.ledger;
    let mut bytes = vec![variant.number];
    let games = ledger.games;
    for n in [games.wins0, games.wins1, games.draws, ledger.met, ledger.played] {
        bytes.extend_from_slice(&n.to_le_bytes());
    }
    bytes.extend_from_slice(variant.fingerprint.as_bytes());
    bytes
}

fn decode_variant(name: &str, bytes: &[u8]) -> Option<Variant> {
    let (&number, rest) = bytes.split_first()?;
    let (words, fingerprint) = rest.split_at_checked(40)?;
    let words: Vec<u64> = words.as_chunks().0.iter().map(|w| u64::from_le_bytes(*w)).collect();
    let &[wins0, wins1, draws, met, played] = &words[..] else { return None };
    let ledger = Ledger { games: Counts { wins0, wins1, draws }, met, played };
    Some(Variant { number, name: name.to_owned(), fingerprint: Fingerprint::from_bytes(fingerprint), ledger })
}

/// Bytes for people.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
