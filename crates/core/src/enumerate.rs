//! All positions that can be reached, ply by ply, each counted when it is first met.

use crate::threads::{self, OnPanic};
use crate::trust::{self, GameError};
use crate::work::{Pace, Work};
use crate::{Game, Progress};
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::Serialize;
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// What to enumerate.
#[derive(Clone, Copy, Debug)]
pub struct EnumerateOptions {
    /// Count a position and its images under the game's symmetries once.
    pub symmetry: bool,
    /// Stop after this many plies.
    pub depth: Option<u32>,
}

/// The positions first reached after some number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Level {
    /// Plies from the start.
    pub ply: u32,
    /// Positions not met at an earlier ply.
    pub positions: u64,
    /// Those among them in which the game is over.
    pub finished: u64,
}

/// What was counted, and how far the counting came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// The levels that were looked at from end to end.
    pub levels: Vec<Level>,
    /// How the counting ended.
    pub end: End,
    /// Bytes that the table of positions took.
    pub table_bytes: u64,
}

/// How an enumeration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every position was found.
    Complete,
    /// There is more beyond the depth asked for.
    Depth,
    /// Somebody stopped the work in the middle of a level.
    Stopped(Unfinished),
    /// The memory was used up in the middle of a level.
    Memory(Unfinished),
}

/// The level in which the work ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Plies from the start.
    pub ply: u32,
    /// Positions of this level: all of them were found.
    pub positions: u64,
    /// Those whose moves were looked at.
    pub looked_at: u64,
    /// Positions of the next level found so far.
    pub found: u64,
}

/// Enumerates from `start`; `on_level` hears of each finished level.
pub fn enumerate<G: Game>(
    game: &G,
    start: &G::State,
    options: EnumerateOptions,
    work: &Work<'_>,
    on_level: impl FnMut(&Level),
) -> Result<Enumeration, GameError> {
    enumerate_with(game, start, options, work, on_level, &mut |_, _| ControlFlow::Continue(()))
}

/// The same for whoever wants to see the positions: `visitor` looks at each level, with its ply.
pub fn visit<G: Game>(
    game: &G,
    start: &G::State,
    options: EnumerateOptions,
    work: &Work<'_>,
    visitor: &mut Visitor<'_, G::State>,
) -> Result<Enumeration, GameError> {
    enumerate_with(game, start, options, work, |_| (), visitor)
}

fn enumerate_with<G: Game>(
    game: &G,
    start: &G::State,
    options: EnumerateOptions,
    work: &Work<'_>,
    on_level: impl FnMut(&Level),
    visitor: &mut Visitor<'_, G::State>,
) -> Result<Enumeration, GameError> {
    let decode = |packed: &G::Packed| trust::unpack(game, packed);
    if options.symmetry {
        let encode = |state: &G::State| game.pack_canonical(state);
        Search { game, options, work, encode, decode, seen: Seen::new() }.run(start, on_level, visitor)
    } else if game.packs_canonically() {
        let (encode, decode) = (G::State::clone, |state: &G::State| Ok(state.clone()));
        Search { game, options, work, encode, decode, seen: Seen::new() }.run(start, on_level, visitor)
    } else {
        let encode = |state: &G::State| game.pack(state);
        Search { game, options, work, encode, decode, seen: Seen::new() }.run(start, on_level, visitor)
    }
}

/// The positions of one level, to be looked at from any thread.
pub trait Frontier<State>: Sync {
    /// How many there are.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// One of them.
    fn state(&self, at: usize) -> Result<State, GameError>;
}

/// Somebody who looks at the positions of every level, and may have seen enough.
pub type Visitor<'a, State> = dyn FnMut(u32, &dyn Frontier<State>) -> ControlFlow<()> + 'a;

struct Codes<'a, Code, Decode> {
    codes: &'a [Code],
    decode: &'a Decode,
}

impl<State, Code: Sync, Decode> Frontier<State> for Codes<'_, Code, Decode>
where
    Decode: Fn(&Code) -> Result<State, GameError> + Sync,
{
    fn len(&self) -> usize {
        self.codes.len()
    }

    fn state(&self, at: usize) -> Result<State, GameError> {
        let code = self.codes.get(at);
        code.map_or_else(|| Err(GameError::Contradiction(format!("there is no position {at}"))), self.decode)
    }
}

/// Positions a thread takes at a time.
const CHUNK: usize = 256;
/// Codes that are put into the set together.
const BATCH: usize = 512;

struct Search<'a, G, Code, Encode, Decode> {
    game: &'a G,
    options: EnumerateOptions,
    work: &'a Work<'a>,
    encode: Encode,
    decode: Decode,
    seen: Seen<Code>,
}

/// One level, expanded as far as it was.
struct Expanded<Code> {
    next: Vec<Code>,
    finished: u64,
    looked_at: u64,
}

impl<G, Code, Encode, Decode> Search<'_, G, Code, Encode, Decode>
where
    G: Game,
    Code: Clone + Eq + Hash + Send + Sync,
    Encode: Fn(&G::State) -> Code + Sync,
    Decode: Fn(&Code) -> Result<G::State, GameError> + Sync,
{
    fn run(
        self,
        start: &G::State,
        mut on_level: impl FnMut(&Level),
        visitor: &mut Visitor<'_, G::State>,
    ) -> Result<Enumeration, GameError> {
        let first = (self.encode)(start);
        self.seen.insert(&mut vec![first.clone()], &mut Vec::new());
        let mut frontier = vec![first];
        let mut levels = Vec::new();
        let end = loop {
            let ply = levels.len() as u32;
            let positions = frontier.len() as u64;
            if visitor(ply, &Codes { codes: &frontier, decode: &self.decode }).is_break() {
                break End::Stopped(Unfinished { ply, positions, looked_at: 0, found: 0 });
            }
            let expanded = self.expand(&frontier, ply)?;
            if expanded.looked_at < positions {
                let (looked_at, found) = (expanded.looked_at, expanded.next.len() as u64);
                let unfinished = Unfinished { ply, positions, looked_at, found };
                break if self.is_full() { End::Memory(unfinished) } else { End::Stopped(unfinished) };
            }
            let level = Level { ply, positions, finished: expanded.finished };
            on_level(&level);
            levels.push(level);
            if self.is_last(ply) && level.finished < positions {
                break End::Depth;
            }
            if expanded.next.is_empty() {
                break End::Complete;
            }
            frontier = expanded.next;
        };
        Ok(Enumeration { levels, end, table_bytes: self.seen.bytes.into_inner() })
    }

    fn is_last(&self, ply: u32) -> bool {
        self.options.depth.is_some_and(|depth| ply >= depth)
    }

    fn is_full(&self) -> bool {
        self.seen.bytes.load(Relaxed) > self.work.memory
    }

    /// Looks at the moves of every position of a level.
    fn expand(&self, frontier: &[Code], ply: u32) -> Result<Expanded<Code>, GameError> {
        let (next_chunk, looked_at) = (AtomicUsize::new(0), AtomicU64::new(0));
        let (over, pace) = (AtomicBool::new(false), Pace::new());
        let workers = self.work.threads.max(1).min(frontier.len().div_ceil(CHUNK));
        let parts = threads::run(workers, |_| {
            let _alarm = OnPanic(&over);
            let mut worker = Worker::new(self, self.is_last(ply));
            while !over.load(Relaxed) && !self.work.is_stopped() && !self.is_full() {
                let at = next_chunk.fetch_add(1, Relaxed) * CHUNK;
                let Some(chunk) = frontier.get(at..frontier.len().min(at + CHUNK)).filter(|c| !c.is_empty())
                else {
                    break;
                };
                worker.look_at(chunk).inspect_err(|_| over.store(true, Relaxed))?;
                let done = looked_at.fetch_add(chunk.len() as u64, Relaxed);
                pace.tell(self.work, || {
                    Progress::positions(format!("ply {ply}"), done, Some(frontier.len() as u64))
                });
            }
            Ok(worker.into_parts())
        });
        let mut all = Expanded { next: Vec::new(), finished: 0, looked_at: looked_at.into_inner() };
        for part in parts {
            let (mut fresh, finished) = part?;
            all.next.append(&mut fresh);
            all.finished += finished;
        }
        trust::check(self.game)?;
        Ok(all)
    }
}

/// One thread's share of a level.
struct Worker<'a, 'b, G: Game, Code, Encode, Decode> {
    search: &'a Search<'b, G, Code, Encode, Decode>,
    last: bool,
    moves: Vec<G::Move>,
    /// Codes waiting to be put into the set, for each of its parts.
    pending: Vec<Vec<Code>>,
    fresh: Vec<Code>,
    finished: u64,
}

impl<'a, 'b, G, Code, Encode, Decode> Worker<'a, 'b, G, Code, Encode, Decode>
where
    G: Game,
    Code: Clone + Eq + Hash,
    Encode: Fn(&G::State) -> Code,
    Decode: Fn(&Code) -> Result<G::State, GameError>,
{
    fn new(search: &'a Search<'b, G, Code, Encode, Decode>, last: bool) -> Self {
        let pending = (0..SHARDS).map(|_| Vec::new()).collect();
        Worker { search, last, moves: Vec::new(), pending, fresh: Vec::new(), finished: 0 }
    }

    fn look_at(&mut self, chunk: &[Code]) -> Result<(), GameError> {
        let game = self.search.game;
        for code in chunk {
            let state = (self.search.decode)(code)?;
            self.moves.clear();
            if self.search.options.symmetry {
                game.moves_up_to_symmetry(&state, &mut self.moves);
            } else {
                game.moves(&state, &mut self.moves);
            }
            self.finished += u64::from(self.moves.is_empty());
            if self.last {
                continue;
            }
            for &mv in &self.moves {
                let mut child = state.clone();
                game.play(&mut child, mv);
                let code = (self.search.encode)(&child);
                let shard = &mut self.pending[Seen::shard_of(&code)];
                shard.push(code);
                if shard.len() == BATCH {
                    self.search.seen.insert(shard, &mut self.fresh);
                }
            }
        }
        trust::check(game)
    }

    /// The new positions, and how many of those looked at are finished.
    fn into_parts(mut self) -> (Vec<Code>, u64) {
        for shard in &mut self.pending {
            self.search.seen.insert(shard, &mut self.fresh);
        }
        (self.fresh, self.finished)
    }
}

const SHARDS: usize = 64;

/// A set that several threads fill: a lock for each of its parts, taken once per batch.
struct Seen<Code> {
    shards: Vec<Mutex<FxHashSet<Code>>>,
    bytes: AtomicU64,
}

impl<Code: Clone + Eq + Hash> Seen<Code> {
    fn new() -> Self {
        Seen { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), bytes: AtomicU64::new(0) }
    }

    fn shard_of(code: &Code) -> usize {
        // The set inside a shard uses the other end of the hash.
        (FxBuildHasher.hash_one(code) >> 20) as usize % SHARDS
    }

    /// Moves `batch`, all of one shard, into the set; what was new is appended to `fresh`.
    fn insert(&self, batch: &mut Vec<Code>, fresh: &mut Vec<Code>) {
        let Some(first) = batch.first() else { return };
        // Only a panic poisons a lock, and `threads::run` passes that on: what is done here is thrown away.
        let mut shard = self.shards[Self::shard_of(first)].lock().unwrap_or_else(PoisonError::into_inner);
        let before = shard.capacity();
        for code in batch.drain(..) {
            if shard.insert(code.clone()) {
                fresh.push(code);
            }
        }
        let grown = shard.capacity() - before;
        if grown > 0 {
            // A slot and its control byte; tables are at most seven eighths full.
            self.bytes.fetch_add((grown * 8 / 7 * (size_of::<Code>() + 1)) as u64, Relaxed);
        }
    }
}
