//! The runs of an import, from the first to the commit that loads them all.
//!
//! A run that a killed import left behind is used again if the book has none of its games, and
//! deleted if it has all (the import was killed after its commit) or some (they came in on another
//! way; those that are missing will be read again from their files).

use super::ahead::with_rows_ahead;
use crate::runs::{EXTENSION, Merge, Run, Unkept, write_unkept};
use crate::stores::runs::run_files;
use crate::{Batch, Commit, Error, Fingerprint, GameId, KeptGames, Ledger, Result, Store};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use tabia_core::Game;

pub(super) struct Spill {
    folder: PathBuf,
    variant: String,
    fingerprint: Fingerprint,
    next: AtomicU64,
}

impl Spill {
    /// A folder for runs; what an earlier import left there is sorted out.
    pub(super) fn open(
        folder: &Path,
        variant: &str,
        fingerprint: Fingerprint,
        store: &dyn Store,
    ) -> Result<Self> {
        tabia_disk::create_dir_all(folder).map_err(Error::io(folder))?;
        let spill = Spill {
            folder: folder.to_owned(),
            variant: variant.to_owned(),
            fingerprint,
            next: AtomicU64::new(0),
        };
        let mut next = 0;
        for path in run_files(folder)? {
            let number =
                path.file_stem().and_then(|s| s.to_str()).and_then(|s| s.rsplit('-').next()?.parse().ok());
            next = next.max(number.map_or(0, |n: u64| n + 1));
            let usable = match Run::open(&path) {
                Ok(run) if run.variant() != spill.variant => continue,
                Ok(run) => *run.fingerprint() == spill.fingerprint && !any_known(&run, store)?,
                Err(Error::Damaged { .. }) => false,
                Err(error) => return Err(error),
            };
            if !usable {
                tabia_disk::remove_file(&path).map_err(Error::io(&path))?;
            }
        }
        spill.next.store(next, Ordering::Relaxed);
        Ok(spill)
    }

    fn runs(&self) -> Result<Vec<Run>> {
        let runs = run_files(&self.folder)?.into_iter().map(|path| Run::open(&path));
        runs.filter(|run| run.as_ref().map_or(true, |run| run.variant() == self.variant)).collect()
    }

    /// The games that are in runs already.
    pub(super) fn ids(&self) -> Result<Vec<GameId>> {
        let runs = self.runs()?;
        runs.iter().flat_map(Run::ids).collect()
    }

    /// Writes a batch as a run, which counts once it is kept.
    pub(super) fn write<G: Game>(&self, batch: &mut Batch<G>) -> Result<Unkept> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!("{}-{number:06}.{EXTENSION}", self.variant));
        let (ids, ledger) = (batch.ids(), batch.ledger());
        write_unkept(&path, (&self.variant, &self.fingerprint), &mut batch.increments(&[]), ids, ledger)
    }

    /// Loads all runs in one commit and deletes them.
    pub(super) fn load(self, store: &dyn Store, number: u8) -> Result<Ledger> {
        let runs = self.runs()?;
        let mut ledger = Ledger::default();
        for run in &runs {
            ledger.add(run.ledger());
        }
        let ids = runs.iter().flat_map(Run::ids).collect::<Result<Vec<GameId>>>()?;
        if !ids.is_empty() {
            let kept = &KeptGames::default();
            with_rows_ahead(Merge::new(&runs, &[number])?, |rows| {
                store.commit(Commit { variant: number, ids: &ids, ledger, rows, kept })
            })?;
        }
        for run in &runs {
            tabia_disk::remove_file(run.path()).map_err(Error::io(run.path()))?;
        }
        // Other variants may still have runs there.
        let _ = tabia_disk::remove_dir(&self.folder);
        Ok(ledger)
    }
}

/// Whether the book has any game of a run.
fn any_known(run: &Run, store: &dyn Store) -> Result<bool> {
    let ids = run.ids().collect::<Result<Vec<GameId>>>()?;
    Ok(store.known(&ids)?.contains(&true))
}
