//! Files of games into a book of sorted runs, by many machines.
//!
//! Every worker reads files of its own, or parts of large ones. In rounds: the id of each game goes to its owner, who lets it in once and for all;
//! the rows of the games let in go to the owners of their keys, who sum them. In the end each worker writes runs with its
//! rows and its ids, and all runs together are the book. They get their names only when everybody's are safe.

use crate::codec::{put_number, take_bytes, take_number};
use crate::error::ClusterError;
use crate::games::{Games, Taken};
use crate::hello::Task;
use crate::net::{Net, Outbox, Phase};
use crate::parts::{Part, parts};
use crate::run::Cluster;
use crate::runs_folder::RunsFolder;
use crate::shard::{hash, owner, shard_of};
use crate::status::{Figure, Gauges};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tabia_book::import::{BadGame, ImportReport};
use tabia_book::input::Source;
use tabia_book::{Batch, Fingerprint, GameId, Increments, Ledger, Row};
use tabia_core::files::GameSink;
use tabia_core::{Game, Stop};

/// Reads the games of a file of some kind.
pub type ReadGames<G> =
    dyn Fn(&str, &mut dyn BufRead, &mut GameSink<'_, G>) -> std::io::Result<()> + Send + Sync;

/// What to import.
pub struct BookImport<G: Game> {
    /// The files.
    pub sources: Vec<Source>,
    /// Whether the files are those of this process alone; otherwise all processes name the same ones, and share them.
    pub own_files: bool,
    /// How they are read.
    pub read: Arc<ReadGames<G>>,
    /// Count equal games of a file as one.
    pub distinct: bool,
    /// Hears of games that are not counted.
    pub bad: Arc<dyn Fn(&BadGame) + Send + Sync>,
    /// Rows that a worker holds before it writes a run.
    pub rows_at_once: usize,
    /// A file of twice so many bytes or more is read in parts, by several workers.
    pub part_bytes: u64,
}

/// Games of a worker in one round.
const ROUND: usize = 4096;

/// Imports files into the runs of a folder, which each machine has its own of.
pub fn import<G: Game>(
    cluster: &Cluster,
    rules: &G,
    folder: &Path,
    job: BookImport<G>,
    stop: &Stop,
    watch: &mut dyn FnMut(&[Gauges]),
) -> Result<ImportReport, ClusterError> {
    let began = Instant::now();
    let fingerprint = Fingerprint::of(rules);
    let task = Task::new("book")
        .with("game", rules.variant())
        .with("fingerprint", format!("{:08x}", crc32fast::hash(fingerprint.as_bytes())))
        .with("equal games", if job.distinct { "count once" } else { "count each" });
    let (rules, folder) = (rules.clone(), folder.to_owned());
    let first = cluster.process * cluster.workers;
    let workers = cluster.workers;
    let all = cluster.run(&task, stop, watch, move |net| {
        let mut runs = RunsFolder::open(net, &folder, &rules.variant(), &fingerprint, workers)?;
        let (at, step) = if job.own_files { (net.me() - first, workers) } else { (net.me(), net.workers()) };
        // Files of one process alone are not those of another with the same place.
        let first_file = if job.own_files { (first as u64) << 32 } else { 0 };
        let all = parts(&job.sources, first_file, &*job.read, step, job.part_bytes)?;
        let shared = agree(net, &all, job.own_files)?;
        let mine = all.into_iter().skip(at).step_by(step).collect();
        let mut games = Games::begin(&rules, mine, &job);
        let mut import = Import::new(net, &runs, shared)?;
        while import.round(net, &mut games, &mut runs, job.rows_at_once)? {}
        games.tell_late(net)?;
        import.finish(net, &mut runs)?;
        import.report(net, &games.taken)
    })?;
    let report = all.into_iter().next().ok_or(ClusterError::Stopped)?;
    Ok(ImportReport { seconds: began.elapsed().as_secs_f64(), ..report })
}

/// Whether any file is read in parts. Machines with other files would leave games out, or count them twice.
fn agree(net: &mut Net<'_>, parts: &[Part], own_files: bool) -> Result<bool, ClusterError> {
    let ends = parts.iter().filter_map(|part| Some((part.file, part.bytes.as_ref()?.end)));
    let mut text = Vec::new();
    for (file, end) in ends {
        put_number(&mut text, file);
        put_number(&mut text, end);
    }
    let all = net.gather(&text)?;
    if let Some(other) = all.iter().position(|theirs| !own_files && *theirs != text) {
        let what = format!(
            "the files of worker {other} are not those of worker {}: give all machines the same",
            net.me()
        );
        return Err(ClusterError::Unsupported(what));
    }
    Ok(all.iter().any(|theirs| !theirs.is_empty()))
}

/// A worker's part of an import.
struct Import {
    /// Whether any file is read in parts.
    shared: bool,
    /// How often each of this worker's ids has come up in a file that is.
    met: HashMap<(u64, GameId), u32>,
    /// Games of this worker's ids that count already.
    known: HashSet<GameId>,
    /// Those of them that are new.
    fresh: Vec<GameId>,
    rows: BTreeMap<Vec<u8>, Row>,
    ledger: Ledger,
    counted: Ledger,
    refused: u64,
    written: u64,
}

impl Import {
    /// Learns which games count already: their ids go to their owners.
    fn new(net: &mut Net<'_>, runs: &RunsFolder, shared: bool) -> Result<Self, ClusterError> {
        let mut ids = Ids { all: runs.ids()?, at: 0, came: HashSet::new() };
        net.step(&mut ids)?;
        Ok(Import {
            shared,
            met: HashMap::new(),
            known: ids.came,
            fresh: Vec::new(),
            rows: BTreeMap::new(),
            ledger: Ledger::default(),
            counted: Ledger::default(),
            refused: 0,
            written: 0,
        })
    }

    /// A round of games; whether anybody has more.
    fn round<G: Game>(
        &mut self,
        net: &mut Net<'_>,
        games: &mut Games<G>,
        runs: &mut RunsFolder,
        rows_at_once: usize,
    ) -> Result<bool, ClusterError> {
        let mut batch = games.take(ROUND)?;
        if self.shared {
            self.place(net, games, &batch)?;
        }
        games.settle(&mut batch);
        let ids = batch.ids();
        let mut claims = Claims { ids: &ids, came: Vec::new() };
        net.step(&mut claims)?;
        let refused = self.judge(claims.came);
        let mut answers = Answers { refused, told: HashSet::new() };
        net.step(&mut answers)?;
        self.refused += answers.told.len() as u64;
        batch.remove(|id| answers.told.contains(id));
        self.ledger.add(batch.ledger());
        self.counted.add(batch.ledger());
        let mut rows = Rows { batch: Some(batch), sums: &mut self.rows };
        net.step(&mut rows)?;
        net.gauges().set(Figure::Positions, self.written + self.rows.len() as u64);
        net.gauges().add(Figure::Level, 1);
        if self.rows.len() >= rows_at_once {
            self.write(net, runs)?;
        }
        let [more] = net.sum([u64::from(games.has_more())])?;
        Ok(more > 0)
    }

    /// Learns how many equal games of a file come before each game, where others read parts of it, too. Equal games are
    /// alike in all that counts: it does not matter which is called the first.
    fn place<G: Game>(
        &mut self,
        net: &mut Net<'_>,
        games: &mut Games<G>,
        batch: &Batch<G>,
    ) -> Result<(), ClusterError> {
        let ids = batch.ids();
        let asking = games.unplaced().filter_map(|(at, file)| Some((at, file, *ids.get(at)?))).collect();
        let mut places = AskPlaces { asking, met: &mut self.met, answers: Vec::new() };
        net.step(&mut places)?;
        net.step(&mut TellPlaces { answers: places.answers, games })
    }

    /// Lets ids in, each once; returns who is refused what.
    fn judge(&mut self, mut claims: Vec<(GameId, usize)>) -> Vec<(usize, GameId)> {
        // Whoever has the smaller number: the same game in two files is the same.
        claims.sort_unstable();
        let mut refused = Vec::new();
        for (id, from) in claims {
            if self.known.insert(id) {
                self.fresh.push(id);
            } else {
                refused.push((from, id));
            }
        }
        refused
    }

    fn write(&mut self, net: &Net<'_>, runs: &mut RunsFolder) -> Result<(), ClusterError> {
        let (rows, ids) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.fresh));
        if !rows.is_empty() || !ids.is_empty() || self.ledger != Ledger::default() {
            self.written += rows.len() as u64;
            let bytes = runs.write(net.me(), &rows, ids, std::mem::take(&mut self.ledger))?;
            net.gauges().add(Figure::Disk, bytes);
        }
        Ok(())
    }

    /// Writes what is left, and makes the runs of all a part of the book.
    fn finish(&mut self, net: &mut Net<'_>, runs: &mut RunsFolder) -> Result<(), ClusterError> {
        self.write(net, runs)?;
        runs.commit(net)
    }

    fn report(&self, net: &mut Net<'_>, taken: &Taken) -> Result<ImportReport, ClusterError> {
        let Taken { known, equal, unfinished, bad, warnings } = *taken;
        let known = known + self.refused;
        let numbers =
            [self.counted.games.total(), self.counted.played, known, equal, unfinished, bad, warnings];
        let [games, plies, known, equal, unfinished, bad, warnings] = net.sum(numbers)?;
        Ok(ImportReport { games, plies, known, equal, unfinished, bad, warnings, ..ImportReport::default() })
    }
}

fn owner_of(id: &GameId, workers: usize) -> usize {
    owner((hash(&id.0) >> 56) as usize, workers)
}

fn garbled(worker: usize) -> ClusterError {
    ClusterError::Garbled { worker, message: "a game or a row that is none".to_owned() }
}

fn ids_in(from: usize, records: &[u8]) -> Result<impl Iterator<Item = GameId>, ClusterError> {
    let (ids, rest) = records.as_chunks::<16>();
    if rest.is_empty() { Ok(ids.iter().map(|id| GameId(*id))) } else { Err(garbled(from)) }
}

/// Brings the ids of the book to their owners.
struct Ids {
    all: Vec<GameId>,
    at: usize,
    came: HashSet<GameId>,
}

impl Phase for Ids {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let end = self.all.len().min(self.at + (1 << 14));
        for id in &self.all[self.at..end] {
            out.record(owner_of(id, out.workers()), |buffer| buffer.extend_from_slice(&id.0));
        }
        self.at = end;
        Ok(end < self.all.len())
    }

    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError> {
        self.came.extend(ids_in(from, records)?);
        Ok(())
    }
}

/// Asks the owners of ids how often they have come up in a file.
struct AskPlaces<'a> {
    /// Places in the batch, files and ids.
    asking: Vec<(usize, u64, GameId)>,
    met: &'a mut HashMap<(u64, GameId), u32>,
    /// Who asked, for which place of the batch, and the answer.
    answers: Vec<(usize, u64, u32)>,
}

impl Phase for AskPlaces<'_> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        for (at, file, id) in self.asking.drain(..) {
            out.record(owner_of(&id, out.workers()), |buffer| {
                put_number(buffer, at as u64);
                put_number(buffer, file);
                buffer.extend_from_slice(&id.0);
            });
        }
        Ok(false)
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        let mut question = || {
            let (at, file) = (take_number(&mut records)?, take_number(&mut records)?);
            Some((at, file, GameId(take_bytes(&mut records, 16)?.try_into().ok()?)))
        };
        while let Some((at, file, id)) = question() {
            let met = self.met.entry((file, id)).or_default();
            self.answers.push((from, at, *met));
            *met += 1;
        }
        if records.is_empty() { Ok(()) } else { Err(garbled(from)) }
    }
}

/// Tells what was asked.
struct TellPlaces<'a, G: Game> {
    answers: Vec<(usize, u64, u32)>,
    games: &'a mut Games<G>,
}

impl<G: Game> Phase for TellPlaces<'_, G> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        for (target, at, place) in self.answers.drain(..) {
            out.record(target, |buffer| {
                put_number(buffer, at);
                put_number(buffer, place.into());
            });
        }
        Ok(false)
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        let mut answer = || Some((take_number(&mut records)?, take_number(&mut records)?));
        while let Some((at, place)) = answer() {
            self.games.set_place(at as usize, place as u32).ok_or_else(|| garbled(from))?;
        }
        if records.is_empty() { Ok(()) } else { Err(garbled(from)) }
    }
}

/// Asks for games to be let in.
struct Claims<'a> {
    ids: &'a [GameId],
    came: Vec<(GameId, usize)>,
}

impl Phase for Claims<'_> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        for id in self.ids {
            out.record(owner_of(id, out.workers()), |buffer| buffer.extend_from_slice(&id.0));
        }
        Ok(false)
    }

    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError> {
        self.came.extend(ids_in(from, records)?.map(|id| (id, from)));
        Ok(())
    }
}

/// Tells which games are not let in.
struct Answers {
    refused: Vec<(usize, GameId)>,
    told: HashSet<GameId>,
}

impl Phase for Answers {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        for (target, id) in self.refused.drain(..) {
            out.record(target, |buffer| buffer.extend_from_slice(&id.0));
        }
        Ok(false)
    }

    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError> {
        self.told.extend(ids_in(from, records)?);
        Ok(())
    }
}

/// Brings rows to the owners of their keys.
struct Rows<'a, G: Game> {
    batch: Option<Batch<G>>,
    sums: &'a mut BTreeMap<Vec<u8>, Row>,
}

impl<G: Game> Phase for Rows<'_, G> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let Some(mut batch) = self.batch.take() else { return Ok(false) };
        let mut rows = batch.increments(&[]);
        let mut value = Vec::new();
        while let Some((key, row)) = rows.next()? {
            value.clear();
            row.encode(&mut value);
            out.record(owner(shard_of(key), out.workers()), |buffer| {
                put_number(buffer, key.len() as u64);
                buffer.extend_from_slice(key);
                put_number(buffer, value.len() as u64);
                buffer.extend_from_slice(&value);
            });
        }
        Ok(false)
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        let mut take = || {
            let len = take_number(&mut records)?;
            take_bytes(&mut records, len)
        };
        while let Some(key) = take() {
            let row = take().and_then(Row::decode).ok_or_else(|| garbled(from))?;
            match self.sums.get_mut(key) {
                Some(sum) => sum.add(&row),
                None => drop(self.sums.insert(key.to_vec(), row)),
            }
        }
        if records.is_empty() { Ok(()) } else { Err(garbled(from)) }
    }
}
