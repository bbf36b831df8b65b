//! All positions that can be reached, ply by ply, each counted when it is first met.

use crate::Game;
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::Serialize;
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How to enumerate.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Count a position and its images under the game's symmetries once.
    pub symmetry: bool,
    /// Stop after this many plies.
    pub depth: Option<u32>,
    /// Threads to use; at least one is.
    pub threads: usize,
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

/// Enumerates from `start`; `on_level` hears of each finished level and may stop the work.
pub fn enumerate<G: Game>(
    game: &G,
    start: &G::State,
    options: Options,
    on_level: impl FnMut(&Level) -> ControlFlow<()>,
) -> Vec<Level> {
    if options.symmetry {
        let decode = |packed: &G::Packed| game.unpack(packed).ok();
        breadth_first(game, start, options, |state| game.pack_canonical(state), decode, on_level)
    } else if game.packs_canonically() {
        breadth_first(game, start, options, Clone::clone, |state| Some(state.clone()), on_level)
    } else {
        let decode = |packed: &G::Packed| game.unpack(packed).ok();
        breadth_first(game, start, options, |state| game.pack(state), decode, on_level)
    }
}

fn breadth_first<G: Game, Code: Clone + Eq + Hash + Send + Sync>(
    game: &G,
    start: &G::State,
    options: Options,
    encode: impl Fn(&G::State) -> Code + Sync,
    decode: impl Fn(&Code) -> Option<G::State> + Sync,
    mut on_level: impl FnMut(&Level) -> ControlFlow<()>,
) -> Vec<Level> {
    let seen = Seen::new();
    let first = encode(start);
    seen.insert(&mut vec![first.clone()], &mut Vec::new());
    let mut frontier = vec![first];
    let mut levels = Vec::new();
    for ply in 0.. {
        let last = options.depth.is_some_and(|depth| ply >= depth);
        let (next, finished) = expand(game, &frontier, options.threads, last, &seen, &encode, &decode);
        let level = Level { ply, positions: frontier.len() as u64, finished };
        let go_on = on_level(&level);
        levels.push(level);
        if next.is_empty() || go_on.is_break() {
            break;
        }
        frontier = next;
    }
    levels
}

/// The new positions after one more ply (none when `last`), and how many of `frontier` are finished.
fn expand<G: Game, Code: Clone + Eq + Hash + Send + Sync>(
    game: &G,
    frontier: &[Code],
    threads: usize,
    last: bool,
    seen: &Seen<Code>,
    encode: &(impl Fn(&G::State) -> Code + Sync),
    decode: &(impl Fn(&Code) -> Option<G::State> + Sync),
) -> (Vec<Code>, u64) {
    const CHUNK: usize = 256;
    let (next_chunk, finished) = (AtomicUsize::new(0), AtomicU64::new(0));
    let found = Mutex::new(Vec::new());
    let work = || {
        let (mut moves, mut fresh) = (Vec::new(), Vec::new());
        let mut pending: Vec<Vec<Code>> = (0..SHARDS).map(|_| Vec::new()).collect();
        while let Some(chunk) = frontier.chunks(CHUNK).nth(next_chunk.fetch_add(1, Ordering::Relaxed)) {
            for state in chunk.iter().filter_map(decode) {
                moves.clear();
                game.moves(&state, &mut moves);
                finished.fetch_add(u64::from(moves.is_empty()), Ordering::Relaxed);
                if last {
                    continue;
                }
                for &mv in &moves {
                    let mut child = state.clone();
                    game.play(&mut child, mv);
                    let code = encode(&child);
                    let shard = &mut pending[Seen::shard_of(&code)];
                    shard.push(code);
                    if shard.len() == 512 {
                        seen.insert(shard, &mut fresh);
                    }
                }
            }
        }
        for shard in &mut pending {
            seen.insert(shard, &mut fresh);
        }
        if let Ok(mut found) = found.lock() {
            found.append(&mut fresh);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    (found.into_inner().unwrap_or_default(), finished.into_inner())
}

const SHARDS: usize = 64;

/// A set that several threads fill: a lock for each of its parts, taken once per batch.
struct Seen<Code> {
    shards: Vec<Mutex<FxHashSet<Code>>>,
}

impl<Code: Clone + Eq + Hash> Seen<Code> {
    fn new() -> Self {
        Seen { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    fn shard_of(code: &Code) -> usize {
        // The set inside a shard uses the other end of the hash.
        (FxBuildHasher.hash_one(code) >> 20) as usize % SHARDS
    }

    /// Moves `batch`, all of one shard, into the set; what was new is appended to `fresh`.
    fn insert(&self, batch: &mut Vec<Code>, fresh: &mut Vec<Code>) {
        let Some(first) = batch.first() else { return };
        // A poisoned lock means another worker panicked; the scope passes that on.
        let Ok(mut shard) = self.shards[Self::shard_of(first)].lock() else { return };
        for code in batch.drain(..) {
            if shard.insert(code.clone()) {
                fresh.push(code);
            }
        }
    }
}
