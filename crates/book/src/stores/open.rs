//! Opening a book by its address: a PostgreSQL URL, a run, a folder of runs, or a redb file.

#[cfg(feature = "postgres")]
use super::postgres::PostgresStore;
#[cfg(feature = "redb")]
use super::redb::RedbStore;
use super::runs::RunsStore;
use crate::runs::EXTENSION;
use crate::{Error, Reader, Result, Store};
use std::path::Path;

/// The kind of store that an address names.
#[derive(Clone, Copy)]
enum Kind {
    Postgres,
    Runs,
    Redb,
}

impl Kind {
    fn of(address: &str) -> Kind {
        let path = Path::new(address);
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            Kind::Postgres
        } else if tabia_disk::is_dir(path) || path.extension().is_some_and(|e| e == EXTENSION) {
            Kind::Runs
        } else {
            Kind::Redb
        }
    }

    #[cfg(not(all(feature = "redb", feature = "postgres")))]
    fn missing(self, address: &str) -> Error {
        let kind = if matches!(self, Kind::Postgres) { "PostgreSQL" } else { "redb" };
        Error::NoStore { place: address.to_owned(), kind }
    }
}

/// Opens a book to add to it; it is created where there is none.
pub fn open_store(address: &str) -> Result<Box<dyn Store>> {
    match Kind::of(address) {
        #[cfg(feature = "postgres")]
        Kind::Postgres => Ok(Box::new(PostgresStore::open(address, true)?)),
        #[cfg(feature = "redb")]
        Kind::Redb => Ok(Box::new(RedbStore::create(Path::new(address))?)),
        Kind::Runs => Err(Error::ReadOnly(address.to_owned())),
        #[cfg(not(all(feature = "redb", feature = "postgres")))]
        kind => Err(kind.missing(address)),
    }
}

/// Opens a book to read it.
pub fn open_reader(address: &str) -> Result<Box<dyn Reader>> {
    match Kind::of(address) {
        #[cfg(feature = "postgres")]
        Kind::Postgres => Ok(Box::new(PostgresStore::open(address, false)?)),
        #[cfg(feature = "redb")]
        Kind::Redb => Ok(Box::new(RedbStore::open(Path::new(address))?)),
        Kind::Runs => Ok(Box::new(RunsStore::open(Path::new(address))?)),
        #[cfg(not(all(feature = "redb", feature = "postgres")))]
        kind => Err(kind.missing(address)),
    }
}

/// Opens a book to look for damage in it.
pub fn open_to_check(address: &str) -> Result<Box<dyn Reader>> {
    match Kind::of(address) {
        #[cfg(feature = "redb")]
        Kind::Redb if Path::new(address).exists() => Ok(Box::new(RedbStore::create(Path::new(address))?)),
        _ => open_reader(address),
    }
}
