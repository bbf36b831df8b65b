//! The exact value of every position that can be reached.

use crate::backward::{Backward, Range};
use crate::codec::{keys, put_key};
use crate::enumerate::task_of;
use crate::error::ClusterError;
use crate::explore::Explorer;
use crate::folder::Folder;
use crate::holding::Solving;
use crate::levels::explore;
use crate::net::Net;
use crate::run::Cluster;
use crate::status::{Figure, Gauges};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tabia_core::{Game, Packed, Stop, sort_many};
use tabia_solve::code;
use tabia_solve::file::{Info, Layout, Writer};
use tabia_solve::keyed::sort_by_bytes;

/// How to solve.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// The file that process 0 writes: the same as that of one machine.
    pub out: Option<PathBuf>,
    /// What the file says about its positions.
    pub about: String,
    /// Where complete levels are kept; work that was killed goes on from there.
    pub folder: Option<PathBuf>,
    /// Bytes of memory for each worker; what does not fit goes to the folder.
    pub memory: Option<u64>,
    /// How often values are kept on the way back.
    pub keep_every: Duration,
}

impl Default for SolveOptions {
    fn default() -> Self {
        let keep_every = Duration::from_mins(1);
        SolveOptions { out: None, about: String::new(), folder: None, memory: None, keep_every }
    }
}

/// A game solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Positions, up to symmetry.
    pub positions: u64,
    /// Edges between them.
    pub edges: u64,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions that nobody wins.
    pub draws: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// Plies of the longest win or loss.
    pub longest: u16,
    /// The level from which an earlier run was gone on with.
    pub resumed: Option<u32>,
    /// What the file says, in the process that wrote it.
    pub info: Option<Info>,
}

/// Entries that the writer of the table holds at once.
const AT_ONCE: u64 = 1 << 21;

/// Solves everything that can be reached from `starts`, together with the other processes.
pub fn solve<G: Game>(
    cluster: &Cluster,
    game: &G,
    starts: &[G::State],
    options: &SolveOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(&[Gauges]),
) -> Result<Solved, ClusterError> {
    let task = task_of("solve", game, starts);
    let fingerprint = task.fingerprint();
    let task = task.with("memory", if options.memory.is_some() { "limited" } else { "free" });
    let (game, starts, options) = (game.clone(), starts.to_vec(), options.clone());
    let all = cluster.run(&task, stop, watch, move |net| {
        let folder = match &options.folder {
            Some(path) => Some(Folder::open(net, path, fingerprint, options.memory.is_some())?),
            None => None,
        };
        let mut folder = folder;
        let mut explorer =
            Explorer::<G, Solving>::new(game.clone(), starts.clone(), true, (net.me(), net.workers()));
        if let (Some(memory), Some(folder)) = (options.memory, &options.folder) {
            explorer.limit(memory, folder, net.me())?;
        }
        let found = explore(net, &mut explorer, None, folder.as_mut())?;
        let memory = explorer.memory();
        let mut part = Backward::new(explorer.into_kept(), memory, net.workers())?;
        go_back(net, &mut part, folder.as_mut(), options.keep_every)?;
        let mut solved = count(net, &mut part, found.resumed)?;
        if let Some(out) = &options.out {
            let info = Info::new(game.variant(), &options.about, Layout::Keyed);
            let writer = if net.me() == 0 { Some(Writer::create(out, info)?) } else { None };
            // A quarter of the memory is for entries on their way into the file.
            let entry = size_of::<(G::Packed, u16)>() as u64;
            let at_once =
                options.memory.map_or(AT_ONCE, |memory| AT_ONCE.min(memory / 4 / entry).max(1 << 16));
            solved.info = write::<G::Packed>(net, &mut part, solved.positions, at_once, writer)?;
        }
        // The table is safe on the disk before anything is forgotten.
        net.sum([0])?;
        if let Some(folder) = folder {
            folder.clear()?;
        }
        Ok(solved)
    })?;
    let written = all.iter().find_map(|solved| solved.info.clone());
    let first = all.into_iter().next().ok_or(ClusterError::Stopped)?;
    Ok(Solved { info: written, ..first })
}

/// Step by step backwards, from where an earlier run was.
fn go_back(
    net: &mut Net<'_>,
    part: &mut Backward,
    mut folder: Option<&mut Folder>,
    every: Duration,
) -> Result<(), ClusterError> {
    if let Some(folder) = folder.as_deref_mut()
        && let Some((plies, parts)) = folder.manifest.round
    {
        folder.load(net, "round", plies, parts, &mut |section| {
            let message = || "values of other positions".to_owned();
            let fits = part.load(plies as u16, section)?;
            if fits { Ok(()) } else { Err(ClusterError::Garbled { worker: 0, message: message() }) }
        })?;
    }
    let mut kept = Instant::now();
    loop {
        net.gauges().set(Figure::Level, part.plies().into());
        net.gauges().set(Figure::Memory, part.bytes());
        // All are of one mind on when to keep: the first worker's clock tells.
        part.due = folder.is_some() && net.me() == 0 && kept.elapsed() >= every;
        net.step(part)?;
        // Now most is in memory.
        net.gauges().set(Figure::Memory, part.bytes());
        let sum = |word: usize| net.said().iter().map(|words| words[word]).sum::<u64>();
        let (decided, due) = (sum(0), sum(1));
        if decided == 0 {
            return Ok(());
        }
        part.turn()?;
        if let Some(folder) = folder.as_deref_mut().filter(|_| due > 0) {
            keep(net, part, folder)?;
            kept = Instant::now();
        }
    }
}

fn keep(net: &mut Net<'_>, part: &mut Backward, folder: &mut Folder) -> Result<(), ClusterError> {
    let (before, plies) = (folder.manifest.round, u32::from(part.plies()));
    for number in 0..folder.files_each() {
        folder.keep(net, "round", plies, number, &part.sections(number, folder.files_each())?)?;
    }
    net.sum([0])?;
    folder.complete_round(plies, net.workers() * folder.files_each())?;
    net.sum([0])?;
    if let Some((old, parts)) = before.filter(|(old, _)| *old != plies) {
        for part in 0..parts {
            // Nobody needs it any more, and perhaps it is on another machine.
            let _ = tabia_disk::remove_file(folder.file("round", old, part, parts));
        }
    }
    Ok(())
}

fn count(net: &mut Net<'_>, part: &mut Backward, resumed: Option<u32>) -> Result<Solved, ClusterError> {
    let (mut wins, mut draws, mut losses, mut longest) = (0, 0, 0, 0);
    part.codes(&mut |code| {
        if code == code::DRAW {
            draws += 1;
            return;
        }
        longest = longest.max(code::distance(code));
        if code::is_win(code) { wins += 1 } else { losses += 1 }
    })?;
    let [wins, draws, losses, edges] = net.sum([wins, draws, losses, part.edges])?;
    let [longest] = net.max([longest.into()])?;
    let positions = wins + draws + losses;
    Ok(Solved { positions, edges, wins, draws, losses, longest: longest as u16, resumed, info: None })
}

/// Brings all entries to the writer, a range of keys at a time.
fn write<P: Packed>(
    net: &mut Net<'_>,
    part: &mut Backward,
    positions: u64,
    at_once: u64,
    mut writer: Option<Writer>,
) -> Result<Option<Info>, ClusterError> {
    let mut from: Option<P> = None;
    for to in splitters(net, part, positions, at_once)?.into_iter().map(Some).chain([None]) {
        let mut range = Range { part: &mut *part, from, to, at: 0, collected: Vec::new() };
        net.step(&mut range)?;
        sort_by_bytes(&mut range.collected);
        if let Some(writer) = &mut writer {
            for (key, code) in &range.collected {
                writer.push(key.as_bytes(), *code)?;
            }
        }
        from = to;
    }
    Ok(writer.map(Writer::finish).transpose()?)
}

/// Keys that cut all positions into ranges of about the same size.
fn splitters<P: Packed>(
    net: &mut Net<'_>,
    part: &Backward,
    positions: u64,
    at_once: u64,
) -> Result<Vec<P>, ClusterError> {
    let ranges = positions.div_ceil(at_once) as usize;
    let mut sample = Vec::new();
    if ranges > 1 {
        let stride = (at_once / 64) as usize;
        part.sample::<P>(stride)?.iter().for_each(|key| put_key(&mut sample, key));
    }
    let mut all: Vec<P> = Vec::new();
    for (worker, bytes) in net.gather(&sample)?.iter().enumerate() {
        let message = || "a sample of keys that are none".to_owned();
        all.extend(keys::<P>(bytes).ok_or_else(|| ClusterError::Garbled { worker, message: message() })?);
    }
    sort_many(&mut all, Ord::cmp);
    let step = all.len().div_ceil(ranges.max(1)).max(1);
    Ok(all.into_iter().skip(step).step_by(step).collect())
}
