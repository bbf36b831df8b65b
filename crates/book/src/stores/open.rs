//! Opening a book by its address: a PostgreSQL URL, a run, a folder of runs, or a redb file.

use super::postgres::PostgresStore;
use super::redb::RedbStore;
use super::runs::RunsStore;
use crate::runs::EXTENSION;
use crate::{Error, Reader, Result, Store};
use std::path::Path;

fn is_url(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

fn is_runs(path: &Path) -> bool {
    path.is_dir() || path.extension().is_some_and(|e| e == EXTENSION)
}

/// Opens a book to add to it; it is created where there is none.
pub fn open_store(address: &str) -> Result<Box<dyn Store>> {
    let path = Path::new(address);
    if is_url(address) {
        Ok(Box::new(PostgresStore::open(address, true)?))
    } else if is_runs(path) {
        Err(Error::ReadOnly(address.to_owned()))
    } else {
        Ok(Box::new(RedbStore::create(path)?))
    }
}

/// Opens a book to read it.
pub fn open_reader(address: &str) -> Result<Box<dyn Reader>> {
    let path = Path::new(address);
    if is_url(address) {
        Ok(Box::new(PostgresStore::open(address, false)?))
    } else if is_runs(path) {
        Ok(Box::new(RunsStore::open(path)?))
    } else {
        Ok(Box::new(RedbStore::open(path)?))
    }
}

/// Opens a book to look for damage in it.
pub fn open_to_check(address: &str) -> Result<Box<dyn Reader>> {
    let path = Path::new(address);
    if is_url(address) || is_runs(path) || !path.exists() {
        return open_reader(address);
    }
    Ok(Box::new(RedbStore::create(path)?))
}
