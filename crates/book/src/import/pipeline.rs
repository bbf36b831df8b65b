//! The threads of an import.

use super::ahead::with_rows_ahead;
use super::claims::Claims;
use super::job::{BadGame, Event, ImportOptions, ImportReport, ReadFn, Tally, count};
use super::spill::Spill;
use crate::input::{self, Source};
use crate::jsonl::ID_TAG;
use crate::runs::Unkept;
use crate::{
    Batch, BatchRows, Commit, Error, Fingerprint, GameId, Increments, Keep, KeptGames, Ledger, Played,
    Result, Store, Variant,
};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tabia_core::channel::{Receiver, bounded};
use tabia_core::{Game, RecordedGame, Stop, threads, trust};

/// Games travel from reader to worker in parcels of this many.
const PARCEL: usize = 64;

/// Commits of so many entries are worth a thread that merges them.
const LARGE: usize = 1 << 14;

/// How often a commit is tried again that others were in the way of.
const MOST_TRIES: u32 = 6;

type Parcel<G> = (usize, Vec<RecordedGame<G>>);

/// What a worker has ready.
enum Ready<G: Game> {
    /// A batch that can be committed.
    Batch(Batch<G>),
    /// A run that is written.
    Run(Unkept),
}

/// Takes what is ready.
type Deliver<'a, G> = dyn FnMut(Ready<G>) -> Result<()> + 'a;

/// What all threads of an import see.
struct Job<'a> {
    variant: String,
    store: &'a dyn Store,
    sources: &'a [Source],
    options: &'a ImportOptions,
    events: &'a (dyn Fn(Event<'_>) + Sync),
    stop: &'a Stop,
    /// Set when a thread failed: the others have nothing more to do.
    failed: AtomicBool,
    tally: Tally,
    claims: Mutex<Claims>,
}

/// Imports files. `events` hears of progress and of bad games; throwing `stop` ends the work early,
/// with everything counted so far on disk. A thread that panics ends it, too, with an error.
pub fn import<G: Game>(
    rules: &G,
    store: &dyn Store,
    sources: &[Source],
    read: &ReadFn<'_, G>,
    options: &ImportOptions,
    events: &(dyn Fn(Event<'_>) + Sync),
    stop: &Stop,
) -> Result<ImportReport> {
    if !options.keep.is_nothing() && (options.runs.is_some() || !store.keeps_games()) {
        let place = store.info()?.place;
        return Err(Error::NoTags(if options.runs.is_some() { format!("{place} with runs") } else { place }));
    }
    let total = sources.iter().map(|source| input::size(&source.path)).sum::<Result<u64>>()?;
    let variant = rules.variant();
    let Variant { number, fingerprint, .. } = enter(store, rules)?;
    let spill =
        options.runs.as_ref().map(|folder| Spill::open(folder, &variant, fingerprint, store)).transpose()?;
    let claimed = spill.as_ref().map_or_else(|| Ok(Vec::new()), Spill::ids)?;
    let job = Job {
        variant,
        store,
        sources,
        options,
        events,
        stop,
        failed: AtomicBool::new(false),
        tally: Tally::new(total),
        claims: Mutex::new(Claims::with(claimed.into_iter())),
    };
    let mut counted = job.run(read, number, spill.as_ref())?;
    if !job.stopping() {
        // Runs of an import that was stopped stay where they are: the next one goes on with them.
        if let Some(spill) = spill {
            counted.add(spill.load(store, number)?);
        }
        store.settle()?;
    }
    Ok(job.report(counted))
}

/// Counts one game, durably; `false` when it had been counted before.
pub fn record<G: Game>(store: &dyn Store, game: &RecordedGame<G>) -> Result<bool> {
    Ok(record_all(store, std::slice::from_ref(game))?.games.total() == 1)
}

/// Counts games of one variant in one transaction, equal ones each; returns what was counted, without
/// the games that had been counted before.
pub fn record_all<G: Game>(store: &dyn Store, games: &[RecordedGame<G>]) -> Result<Ledger> {
    record_keeping(store, games, &Keep::default())
}

/// The same, with this of each game kept.
pub fn record_keeping<G: Game>(store: &dyn Store, games: &[RecordedGame<G>], keep: &Keep) -> Result<Ledger> {
    let Some(first) = games.first() else { return Ok(Ledger::default()) };
    let rules = &first.start.rules;
    let (number, variant) = (enter(store, rules)?.number, rules.variant());
    let (mut batch, mut claims) = (Batch::for_store(store).keeping(keep), Claims::default());
    for game in games {
        if game.start.rules.variant() != variant {
            return Err(Error::Game("games of different variants".to_owned()));
        }
        let id = add(&mut batch, game)?;
        match claims.claim(0, id, given_id(game).is_none()).id {
            Some(id) => batch.rename_last(id),
            None => batch.pop(),
        }
    }
    commit(store, number, &mut [batch])
}

/// The variant of these rules in a book, entered now if it is new.
pub fn enter<G: Game>(store: &dyn Store, rules: &G) -> Result<Variant> {
    let fingerprint = Fingerprint::of(rules);
    trust::check(rules)?;
    store.enter(&rules.variant(), &fingerprint, &|theirs| theirs.fits(rules))
}

fn add<G: Game>(batch: &mut Batch<G>, game: &RecordedGame<G>) -> Result<GameId> {
    let Some(outcome) = game.outcome else { return Err(Error::Game("it has no result".to_owned())) };
    let id = given_id(game);
    batch.add(&Played { id, tags: &game.tags, start: &game.start, moves: &game.moves, outcome })
}

/// The id that somebody gave a game.
fn given_id<G: Game>(game: &RecordedGame<G>) -> Option<&str> {
    game.tags.iter().find(|(name, _)| name == ID_TAG).map(|(_, id)| id.as_str())
}

/// Does the work of a thread. A panic is an error like any other: the other threads end in order, and nothing
/// is counted in part.
fn guarded(work: impl FnOnce() -> Result<()>) -> Result<()> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Error::Panic(words.unwrap_or("without a word").to_owned()))
    })
}

/// The next thing that was sent; `None` when nothing more will come.
fn receive<T: 'static>(receiver: &Mutex<Receiver<T>>) -> Option<T> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Commits batches without the games that turn out to be known; returns what was counted.
fn commit<G: Game>(store: &dyn Store, variant: u8, batches: &mut [Batch<G>]) -> Result<Ledger> {
    let mut tries = 0;
    while batches.iter().any(|batch| batch.games() > 0) {
        let ids: Vec<GameId> = batches.iter().flat_map(Batch::ids).collect();
        let mut ledger = Ledger::default();
        batches.iter().for_each(|batch| ledger.add(batch.ledger()));
        let kept = kept(batches, variant);
        let is_large = batches.iter().map(Batch::entries).sum::<usize>() >= LARGE;
        let mut rows = BatchRows::new(batches, &[variant]);
        let commit = |rows: &mut dyn Increments| {
            store.commit(Commit { variant, ids: &ids, ledger, rows, kept: &kept })
        };
        let done = if is_large { with_rows_ahead(rows, commit) } else { commit(&mut rows) };
        match done {
            Ok(()) => return Ok(ledger),
            Err(Error::AlreadyCounted(known)) if !known.is_empty() => {
                let known: FxHashSet<GameId> = known.into_iter().collect();
                batches.iter_mut().for_each(|batch| batch.remove(|id| known.contains(id)));
            }
            Err(Error::TryAgain { .. }) if tries < MOST_TRIES => {
                tries += 1;
                // Whoever was in the way needs a moment, too, and not the same one.
                std::thread::sleep(Duration::from_millis(10 << tries));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Ledger::default())
}

/// What is kept of the games of all batches.
fn kept<G: Game>(batches: &[Batch<G>], variant: u8) -> KeptGames {
    let mut all = KeptGames::default();
    for kept in batches.iter().map(|batch| batch.kept(&[variant])) {
        all.games.extend(kept.games);
        all.visits.extend(kept.visits);
    }
    all.visits.sort_unstable();
    all
}

impl Job<'_> {
    fn stopping(&self) -> bool {
        self.stop.is_stopped() || self.failed.load(Ordering::Relaxed)
    }

    /// Runs all threads; returns what was committed (nothing yet, when runs are gathered).
    fn run<G: Game>(&self, read: &ReadFn<'_, G>, number: u8, spill: Option<&Spill>) -> Result<Ledger> {
        let threads = self.options.threads.max(1);
        let next_file = AtomicUsize::new(0);
        let failure: Mutex<Option<Error>> = Mutex::new(None);
        let fail = |error: Error| {
            self.failed.store(true, Ordering::Relaxed);
            failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        };
        if !threads::AVAILABLE {
            return self.run_alone(read, number, spill);
        }
        let (to_workers, parcels) = bounded::<Parcel<G>>(4 * threads);
        let (to_committer, batches) = bounded::<Batch<G>>(2 * threads);
        let (to_keeper, unkept) = bounded::<Unkept>(threads);
        let (parcels, batches) = (Mutex::new(parcels), Mutex::new(batches));
        let counted = Mutex::new(Ledger::default());
        std::thread::scope(|scope| {
            let (fail, parcels, batches) = (&fail, &parcels, &batches);
            let (next_file, counted) = (&next_file, &counted);
            for _ in 0..threads.min(self.sources.len()) {
                let to_workers = to_workers.clone();
                scope.spawn(move || {
                    while let Some(source) = self.sources.get(next_file.fetch_add(1, Ordering::Relaxed)) {
                        guarded(|| {
                            self.read_file(source, read, &mut |parcel| to_workers.send(parcel).is_ok())
                        })
                        .unwrap_or_else(fail);
                    }
                });
            }
            drop(to_workers);
            for _ in 0..threads {
                let (to_committer, to_keeper) = (to_committer.clone(), to_keeper.clone());
                scope.spawn(move || {
                    let mut deliver = |ready| {
                        // Nobody listens after a failure, which is told elsewhere.
                        match ready {
                            Ready::Batch(batch) => drop(to_committer.send(batch)),
                            Ready::Run(run) => drop(to_keeper.send(run)),
                        }
                        Ok(())
                    };
                    guarded(|| self.work(parcels, &mut deliver, spill)).unwrap_or_else(fail);
                    // After a failure there may be more: nobody must wait for ever to send it.
                    while receive(parcels).is_some() {}
                });
            }
            drop((to_committer, to_keeper));
            scope.spawn(move || {
                guarded(|| unkept.iter().try_for_each(Unkept::keep)).unwrap_or_else(fail);
                // After a failure there may be more: nobody must wait for ever to send it.
                unkept.iter().for_each(drop);
            });
            for _ in 0..self.store.writers().min(threads) {
                scope.spawn(move || {
                    guarded(|| self.commit_all(number, batches, counted)).unwrap_or_else(fail);
                    while receive(batches).is_some() {}
                });
            }
        });
        let counted = counted.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(counted), Err)
    }

    fn commit_all<G: Game>(
        &self,
        number: u8,
        batches: &Mutex<Receiver<Batch<G>>>,
        counted: &Mutex<Ledger>,
    ) -> Result<()> {
        while let Some(first) = receive(batches) {
            let (mut entries, mut together) = (first.entries(), vec![first]);
            while entries < self.options.batch
                && let Some(next) = receive(batches)
            {
                entries += next.entries();
                together.push(next);
            }
            let ledger = self.commit_some(number, &mut together)?;
            counted.lock().unwrap_or_else(PoisonError::into_inner).add(ledger);
        }
        Ok(())
    }

    /// How many entries a batch of a worker has: a part of what is committed together, or all of a run.
    fn share(&self, spill: Option<&Spill>) -> usize {
        let parts = if spill.is_some() || !threads::AVAILABLE { 1 } else { 2 * self.options.threads.max(1) };
        self.options.batch / parts
    }

    fn commit_some<G: Game>(&self, number: u8, batches: &mut [Batch<G>]) -> Result<Ledger> {
        let ledger = commit(self.store, number, batches)?;
        (self.events)(Event::Progress(self.tally.progress()));
        Ok(ledger)
    }

    /// The same without threads: every parcel is worked on before the next one is read.
    fn run_alone<G: Game>(&self, read: &ReadFn<'_, G>, number: u8, spill: Option<&Spill>) -> Result<Ledger> {
        let mut counted = Ledger::default();
        let mut deliver = |ready| {
            match ready {
                Ready::Batch(batch) => counted.add(self.commit_some(number, &mut [batch])?),
                Ready::Run(run) => run.keep()?,
            }
            Ok(())
        };
        let mut batch = self.empty();
        for source in self.sources {
            let mut worked = Ok(());
            self.read_file(source, read, &mut |parcel| {
                worked = self.work_on(&mut batch, parcel, &mut deliver, spill);
                worked.is_ok()
            })?;
            worked?;
        }
        self.close(batch, &mut deliver, spill)?;
        Ok(counted)
    }

    fn read_file<G: Game>(
        &self,
        source: &Source,
        read: &ReadFn<'_, G>,
        hand_on: &mut dyn FnMut(Parcel<G>) -> bool,
    ) -> Result<()> {
        if self.stopping() {
            return Ok(());
        }
        let file = self.sources.iter().position(|s| std::ptr::eq(s, source)).unwrap_or(0);
        let mut input = input::open(&source.path, self.tally.bytes.clone())?;
        let mut parcel = Vec::with_capacity(PARCEL);
        let mut sink = |game: Result<RecordedGame<G>, tabia_core::FileError>| {
            match game {
                Ok(game) => parcel.push(game),
                Err(e) => self.bad(file, e.number, e.line, e.message),
            }
            if parcel.len() == PARCEL && !hand_on((file, std::mem::take(&mut parcel))) {
                return ControlFlow::Break(());
            }
            if self.stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        read(&source.kind, &mut *input, &mut sink).map_err(Error::io(&source.path))?;
        // It is only refused when something else failed, and that is told there.
        hand_on((file, parcel));
        Ok(())
    }

    fn bad(&self, file: usize, number: u64, line: u64, reason: String) {
        count(&self.tally.bad, 1);
        (self.events)(Event::Bad(&self.about(file, number, line, reason)));
    }

    fn about(&self, file: usize, number: u64, line: u64, reason: String) -> BadGame {
        let file = self.sources.get(file).map_or_else(String::new, |s| s.path.display().to_string());
        BadGame { file, number, line, reason: BadGame::shortened(reason) }
    }

    fn work<G: Game>(
        &self,
        parcels: &Mutex<Receiver<Parcel<G>>>,
        deliver: &mut Deliver<'_, G>,
        spill: Option<&Spill>,
    ) -> Result<()> {
        let mut batch = self.empty();
        while let Some(parcel) = receive(parcels) {
            self.work_on(&mut batch, parcel, deliver, spill)?;
        }
        self.close(batch, deliver, spill)
    }

    fn empty<G: Game>(&self) -> Batch<G> {
        Batch::for_store(self.store).keeping(&self.options.keep)
    }

    fn work_on<G: Game>(
        &self,
        batch: &mut Batch<G>,
        (file, games): Parcel<G>,
        deliver: &mut Deliver<'_, G>,
        spill: Option<&Spill>,
    ) -> Result<()> {
        for game in &games {
            self.take(batch, file, game);
        }
        if batch.entries() < self.share(spill) {
            return Ok(());
        }
        let full = std::mem::replace(batch, self.empty());
        self.close(full, deliver, spill)
    }

    /// Puts a game into the batch, unless something speaks against it.
    fn take<G: Game>(&self, batch: &mut Batch<G>, file: usize, game: &RecordedGame<G>) {
        let tally = &self.tally;
        if game.outcome.is_none() {
            return count(&tally.unfinished, 1);
        }
        let variant = game.start.rules.variant();
        if variant != self.variant {
            let reason = format!("it is a game of {variant}, not of {}", self.variant);
            return self.bad(file, game.number, game.line, reason);
        }
        match add(batch, game) {
            Err(error) => self.bad(file, game.number, game.line, error.to_string()),
            Ok(id) => {
                if let Some(warning) = &game.warning {
                    count(&tally.warnings, 1);
                    let about = self.about(file, game.number, game.line, warning.clone());
                    (self.events)(Event::Remark(&about));
                }
                let automatic = given_id(game).is_none();
                let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
                let claim = claims.claim(file as u32, id, automatic && !self.options.distinct);
                drop(claims);
                count(&tally.equal, u64::from(automatic && claim.again));
                if let Some(id) = claim.id {
                    batch.rename_last(id);
                } else {
                    batch.pop();
                    count(&tally.known, 1);
                }
            }
        }
    }

    /// Sorts a batch and sends it on its way: to the committer, or into a run.
    fn close<G: Game>(
        &self,
        mut batch: Batch<G>,
        deliver: &mut Deliver<'_, G>,
        spill: Option<&Spill>,
    ) -> Result<()> {
        let ids = batch.ids();
        let known: FxHashSet<GameId> =
            ids.iter().zip(self.store.known(&ids)?).filter_map(|(id, known)| known.then_some(*id)).collect();
        count(&self.tally.known, known.len() as u64);
        batch.remove(|id| known.contains(id));
        if batch.games() == 0 {
            return Ok(());
        }
        batch.sort();
        match spill {
            Some(spill) => {
                deliver(Ready::Run(spill.write(&mut batch)?))?;
                (self.events)(Event::Progress(self.tally.progress()));
            }
            None => deliver(Ready::Batch(batch))?,
        }
        Ok(())
    }

    fn report(&self, counted: Ledger) -> ImportReport {
        let now = |n: &std::sync::atomic::AtomicU64| n.load(Ordering::Relaxed);
        let t = &self.tally;
        ImportReport {
            games: counted.games.total(),
            plies: counted.played,
            known: now(&t.known),
            equal: now(&t.equal),
            unfinished: now(&t.unfinished),
            bad: now(&t.bad),
            warnings: now(&t.warnings),
            stopped: self.stop.is_stopped(),
            seconds: t.started.elapsed().as_secs_f64(),
        }
    }
}
