//! A book in memory that outlives the program: every commit is also a run in a folder, with the games it keeps in a file
//! beside it, and opening the folder counts all of them again. For places without a database, as a browser.

use super::kept_games;
use super::memory::MemoryStore;
use super::runs::run_files;
use crate::runs::{EXTENSION, Merge, Run, merge, write_run};
use crate::store::{Commit, FoundVisitor, Reader, RowVisitor, Store, StoreInfo, Variant};
use crate::{Error, Fingerprint, GameId, Increments, KeptGame, KeptGames, Result, Row, VisitVisitor};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// More runs of a variant than this become one when the book is opened.
const MANY: usize = 16;

/// A book in memory, kept as runs.
pub struct KeptStore {
    memory: MemoryStore,
    folder: PathBuf,
    next: AtomicU64,
}

impl KeptStore {
    /// Opens the book of a folder, or begins one.
    pub fn open(folder: &Path) -> Result<Self> {
        tabia_disk::create_dir_all(folder).map_err(Error::io(folder))?;
        let store =
            KeptStore { memory: MemoryStore::new(), folder: folder.to_owned(), next: AtomicU64::new(0) };
        let mut variants: BTreeMap<String, Vec<Run>> = BTreeMap::new();
        for path in run_files(folder)? {
            let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let number = name.rsplit('-').next().and_then(|number| number.parse().ok());
            store.next.fetch_max(number.map_or(0, |number: u64| number + 1), Ordering::Relaxed);
            let run = Run::open(&path)?;
            variants.entry(run.variant().to_owned()).or_default().push(run);
        }
        for (variant, runs) in variants {
            store.load(&variant, runs)?;
        }
        Ok(store)
    }

    fn load(&self, variant: &str, runs: Vec<Run>) -> Result<()> {
        let (mut loaded, mut all) = (Vec::new(), KeptGames::default());
        // The newest first: of runs that became one, and were left behind when that was cut short, all games are known.
        for run in runs.into_iter().rev() {
            let known = self.memory.enter(variant, run.fingerprint(), &|known| known == run.fingerprint())?;
            let ids = run.ids().collect::<Result<Vec<GameId>>>()?;
            if !ids.is_empty() && self.memory.known(&ids)?.into_iter().all(|known| known) {
                discard(&run)?;
                continue;
            }
            let mut rows = Merge::new(std::slice::from_ref(&run), &[known.number])?;
            let (variant, ledger) = (known.number, run.ledger());
            let kept = kept_games::read(run.path(), variant)?;
            self.memory.commit(Commit { variant, ids: &ids, ledger, rows: &mut rows, kept: &kept })?;
            all.games.extend(kept.games);
            all.visits.extend(kept.visits);
            loaded.push(run);
        }
        if loaded.len() > MANY { self.join(variant, &loaded, &all) } else { Ok(()) }
    }

    /// Makes one run of many, with all the games that are kept beside them.
    fn join(&self, variant: &str, runs: &[Run], kept: &KeptGames) -> Result<()> {
        let path = self.new_path(variant);
        kept_games::write(&path, kept)?;
        merge(runs, &path)?;
        runs.iter().try_for_each(discard)
    }

    fn new_path(&self, variant: &str) -> PathBuf {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{variant}-{number:06}.{EXTENSION}"))
    }

    fn keep(&self, commit: &mut Commit<'_>) -> Result<()> {
        let variants = self.memory.variants()?;
        let Some(variant) = variants.iter().find(|known| known.number == commit.variant) else {
            return Ok(());
        };
        let path = self.new_path(&variant.name);
        // Games without their run are never read; a run without its games would be.
        kept_games::write(&path, commit.kept)?;
        let named = (variant.name.as_str(), &variant.fingerprint);
        write_run(&path, named, commit.rows, commit.ids.to_vec(), commit.ledger)
    }
}

/// Removes a run and the games beside it, which nobody reads without it.
fn discard(run: &Run) -> Result<()> {
    tabia_disk::remove_file(run.path()).map_err(Error::io(run.path()))?;
    let games = kept_games::beside(run.path());
    if tabia_disk::exists(&games) {
        tabia_disk::remove_file(&games).map_err(Error::io(&games))
    } else {
        Ok(())
    }
}

/// The rows of a commit, to be read twice.
#[derive(Default)]
struct Rows {
    rows: Vec<(Vec<u8>, Row)>,
}

impl Rows {
    fn gather(source: &mut dyn Increments) -> Result<Self> {
        let mut rows = Vec::new();
        while let Some((key, row)) = source.next()? {
            rows.push((key.to_vec(), row.clone()));
        }
        Ok(Rows { rows })
    }

    /// As they were.
    fn whole(&self) -> Again<'_> {
        Again { rows: self.rows.iter(), skip: 0 }
    }

    /// With keys as runs have them.
    fn without_variant(&self) -> Again<'_> {
        Again { rows: self.rows.iter(), skip: 1 }
    }
}

struct Again<'a> {
    rows: std::slice::Iter<'a, (Vec<u8>, Row)>,
    skip: usize,
}

impl Increments for Again<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &Row)>> {
        let skip = self.skip;
        Ok(self.rows.next().map(|(key, row)| (key.get(skip..).unwrap_or_default(), row)))
    }
}

impl Reader for KeptStore {
    fn info(&self) -> Result<StoreInfo> {
        let place = self.folder.display().to_string();
        let sizes = run_files(&self.folder)?.into_iter().map(|path| tabia_disk::size(&path).unwrap_or(0));
        Ok(StoreInfo { place, bytes: sizes.sum(), ..self.memory.info()? })
    }

    fn variants(&self) -> Result<Vec<Variant>> {
        self.memory.variants()
    }

    fn rows(&self, keys: &[Vec<u8>]) -> Result<Vec<Option<Row>>> {
        self.memory.rows(keys)
    }

    fn visit_rows(&self, keys: &[&[u8]], visit: &mut FoundVisitor<'_>) -> Result<()> {
        self.memory.visit_rows(keys, visit)
    }

    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        self.memory.scan(variant, visit)
    }

    fn known(&self, ids: &[GameId]) -> Result<Vec<bool>> {
        self.memory.known(ids)
    }

    fn visits(&self, key: &[u8], visit: &mut VisitVisitor<'_>) -> Result<()> {
        self.memory.visits(key, visit)
    }

    fn kept(&self, id: GameId) -> Result<Option<KeptGame>> {
        self.memory.kept(id)
    }
}

impl Store for KeptStore {
    fn enter(&self, name: &str, ours: &Fingerprint, fits: &dyn Fn(&Fingerprint) -> bool) -> Result<Variant> {
        self.memory.enter(name, ours, fits)
    }

    fn commit(&self, commit: Commit<'_>) -> Result<()> {
        let Commit { variant, ids, ledger, rows, kept } = commit;
        let gathered = Rows::gather(rows)?;
        // What the memory refuses must not be kept.
        self.memory.commit(Commit { variant, ids, ledger, rows: &mut gathered.whole(), kept })?;
        self.keep(&mut Commit { variant, ids, ledger, rows: &mut gathered.without_variant(), kept })
    }

    fn keeps_games(&self) -> bool {
        true
    }

    fn longest_key(&self) -> usize {
        self.memory.longest_key()
    }

    fn as_reader(&self) -> &dyn Reader {
        self
    }
}
