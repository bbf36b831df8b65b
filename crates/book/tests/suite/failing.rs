//! A store that breaks down at a given moment.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use tabia_book::{
    Commit, Error, Fingerprint, GameId, Reader, Result, Row, RowVisitor, Store, StoreInfo, Variant,
};

/// A store behind which another does the work, until it fails.
pub(crate) struct Failing {
    pub(crate) store: Box<dyn Store>,
    /// Look-ups of ids that still work, and commits.
    pub(crate) looks: AtomicU32,
    pub(crate) commits: AtomicU32,
    /// The longest key it takes.
    pub(crate) longest_key: usize,
}

impl Failing {
    /// A store that does not fail before it is told to.
    pub(crate) fn new(store: Box<dyn Store>) -> Self {
        let longest_key = store.longest_key();
        Failing { store, looks: u32::MAX.into(), commits: u32::MAX.into(), longest_key }
    }
}

fn count_down(left: &AtomicU32) -> Result<()> {
    let failed = |_| Error::Database { place: "the test".to_owned(), reason: "out of order".to_owned() };
    left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).map(drop).map_err(failed)
}

impl Reader for Failing {
    fn info(&self) -> Result<StoreInfo> {
        self.store.info()
    }

    fn variants(&self) -> Result<Vec<Variant>> {
        self.store.variants()
    }

    fn rows(&self, keys: &[Vec<u8>]) -> Result<Vec<Option<Row>>> {
        self.store.rows(keys)
    }

    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        self.store.scan(variant, visit)
    }

    fn known(&self, ids: &[GameId]) -> Result<Vec<bool>> {
        count_down(&self.looks)?;
        self.store.known(ids)
    }
}

impl Store for Failing {
    fn enter(&self, name: &str, ours: &Fingerprint, fits: &dyn Fn(&Fingerprint) -> bool) -> Result<Variant> {
        self.store.enter(name, ours, fits)
    }

    fn commit(&self, commit: Commit<'_>) -> Result<()> {
        count_down(&self.commits)?;
        self.store.commit(commit)
    }

    fn longest_key(&self) -> usize {
        self.longest_key
    }

    fn as_reader(&self) -> &dyn Reader {
        self
    }
}
