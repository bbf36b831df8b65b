//! Finding every position that can be reached, and the graph of moves between them.
//!
//! Positions are numbered in the order they are met. They are expanded in that order, in batches: a
//! batch is the unit after which everything is consistent, so that a checkpoint can be written.
//!
//! A batch is done in two steps. First all children are made, and laid on one of many heaps by their hashes. Then heap
//! after heap gets its numbers, each from a small table that stays in the cache meanwhile: looking up child after child
//! in one large table would wait for memory every time.
//!
//! ```text
//! keys     0 ........ expanded ........ found        edge  31      30 .. 0
//! values   |---------|                                     |       number of the child
//! degrees  |---------|   edges: all children in order      the same player moves again
//! ```

use super::Patience;
use crate::code;
use crate::error::SolveError;
use crate::stage::Stage;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tabia_core::clock::Instant;
use tabia_core::{Game, Packed, Work, sort_few, sort_many, threads, trust};

/// Set in an edge to a child in which the same player moves again.
pub(super) const SAME_MOVER: u32 = 1 << 31;
/// Positions expanded between two consistent states, and between two looks at the clock where there is little time.
const BATCH: usize = 1 << 14;
/// Positions a thread takes at a time.
const PIECE: usize = 256;
const SHARDS: usize = 512;
/// Children for whose numbers another thread is worth starting.
const SHARE: usize = 1 << 14;
/// A game with more positions waiting for each one looked at than this is still growing fast.
const GROWING: usize = 2;

/// What the exploration may use.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) memory: u64,
    pub(super) may_drop_graph: bool,
    pub(super) patience: Option<Patience>,
}

/// What is known of the positions met so far: the part that goes into a checkpoint.
pub(super) struct Explored<P> {
    /// The encodings, by number.
    pub(super) keys: Vec<P>,
    /// The codes of those expanded: the value of a finished game, 0 for others.
    pub(super) values: Vec<u16>,
    /// The number of different children of those expanded.
    pub(super) degrees: Vec<u16>,
    /// The children of those expanded; `None` when memory does not allow to keep them.
    pub(super) edges: Option<Vec<u32>>,
}

impl<P> Explored<P> {
    /// How many positions were expanded.
    pub(super) fn expanded(&self) -> usize {
        self.degrees.len()
    }

    fn bytes(&self) -> u64 {
        let edges = self.edges.as_ref().map_or(0, |edges| 4 * edges.capacity());
        (self.keys.capacity() * size_of::<P>()
            + 2 * self.values.capacity()
            + 2 * self.degrees.capacity()
            + edges) as u64
    }

    /// What the backward phase will need: with the graph, its mirror image beside it.
    fn bytes_backward(&self) -> u64 {
        let n = self.keys.len();
        let graph = self.edges.as_ref().map_or(0, |edges| 8 * edges.len() + 8 * n);
        (n * (size_of::<P>() + 2 + 2 + 2) + graph) as u64
    }
}

/// The hash of an encoding: for the table of numbers, never stored.
fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let step = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| step(hash, u64::from_le_bytes(*word)));
    let hash = if rest.is_empty() { hash } else { step(hash, u64::from_le_bytes(last)) };
    hash ^ hash >> 32
}

/// The number of a heap and of a table.
fn shard_of(hash: u64) -> usize {
    // The table inside a shard uses both ends of the hash.
    (hash >> 40) as usize % SHARDS
}

/// The numbers of all positions met: a lock for each part.
pub(super) struct Numbers<P> {
    shards: Vec<Mutex<HashTable<(P, u32)>>>,
    next: AtomicU32,
}

impl<P: Packed> Numbers<P> {
    fn new(keys: &[P]) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        let numbers = Numbers { shards, next: AtomicU32::new(0) };
        let mut known = Vec::new();
        for &key in keys {
            let mut shard = numbers.shard(shard_of(hash(key.as_bytes())));
            numbers.intern(&mut shard, key, &mut known);
            known.clear();
        }
        numbers
    }

    fn shard(&self, shard: usize) -> MutexGuard<'_, HashTable<(P, u32)>> {
        locked(&self.shards[shard])
    }

    /// The number of a position of this shard, given now if it has none; new ones are noted in `fresh`.
    fn intern(&self, shard: &mut HashTable<(P, u32)>, key: P, fresh: &mut Vec<(u32, P)>) -> u32 {
        let hash_of = |key: &P| hash(key.as_bytes());
        match shard.entry(hash_of(&key), |(known, _)| *known == key, |(known, _)| hash_of(known)) {
            Entry::Occupied(entry) => entry.get().1,
            Entry::Vacant(entry) => {
                let number = self.next.fetch_add(1, Relaxed);
                entry.insert((key, number));
                fresh.push((number, key));
                number
            }
        }
    }

    /// The number of a position that has one.
    pub(super) fn get(&self, key: &P) -> Option<u32> {
        let hash = hash(key.as_bytes());
        let shard = self.shard(shard_of(hash));
        shard.find(hash, |(known, _)| known == key).map(|(_, number)| *number)
    }

    fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| locked(shard).allocation_size()).sum::<usize>() as u64
    }
}

/// Only a panic poisons a lock, and whoever waits for the threads passes that on: what is done here is thrown away.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One child of a position, up to symmetry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Child<P> {
    pub(super) key: P,
    /// Whether the same player moves again.
    pub(super) same_mover: bool,
}

/// Calls back with the children of a position that is not over; symmetric ones may come several times.
#[inline]
fn each_child<G: Game>(
    game: &G,
    state: &G::State,
    moves: &mut Vec<G::Move>,
    mut found: impl FnMut(Child<G::Packed>),
) {
    moves.clear();
    game.moves_up_to_symmetry(state, moves);
    let side = game.side(state);
    for &mv in &*moves {
        let mut child = state.clone();
        game.play(&mut child, mv);
        // Whether the mover changes is asked before a symmetry may swap the sides.
        let same_mover = game.side(&child) == side;
        found(Child { key: game.pack_canonical(&child), same_mover });
    }
}

/// The children of one position; symmetric ones are listed once.
pub(super) struct Children<G: Game> {
    moves: Vec<G::Move>,
    pub(super) list: Vec<Child<G::Packed>>,
}

impl<G: Game> Children<G> {
    pub(super) fn new() -> Self {
        Children { moves: Vec::with_capacity(128), list: Vec::with_capacity(128) }
    }

    /// Lists the children of a position that is not over, up to symmetry.
    pub(super) fn list(&mut self, game: &G, state: &G::State) {
        self.list.clear();
        each_child(game, state, &mut self.moves, |child| self.list.push(child));
        sort_few(&mut self.list, Ord::cmp);
        self.list.dedup();
    }
}

/// A child that waits for its number.
struct Waiting<P> {
    key: P,
    /// Its place among the edges that one thread found, with [`SAME_MOVER`].
    edge: u32,
}

/// What one thread found out about a piece of consecutive positions.
struct Piece {
    from: usize,
    values: Vec<u16>,
    degrees: Vec<u16>,
}

/// What one thread found in a batch.
struct Found<G: Game> {
    moves: Vec<G::Move>,
    pieces: Vec<Piece>,
    /// The children of all pieces, by shard.
    heaps: Vec<Vec<Waiting<G::Packed>>>,
    /// How many there are.
    edges: u32,
}

impl<G: Game> Found<G> {
    fn new() -> Self {
        let heaps = (0..SHARDS).map(|_| Vec::new()).collect();
        Found { moves: Vec::with_capacity(128), pieces: Vec::new(), heaps, edges: 0 }
    }

    /// Lays the children of a position on the heaps, symmetric ones once; how many there are.
    fn lay_children(&mut self, game: &G, state: &G::State) -> u32 {
        let Found { moves, heaps, edges, .. } = self;
        let first = *edges;
        each_child(game, state, moves, |Child { key, same_mover }| {
            let heap = &mut heaps[shard_of(hash(key.as_bytes()))];
            let same = if same_mover { SAME_MOVER } else { 0 };
            // Equal children lie on one heap, and those of this position on top of it.
            let mut own = heap.iter().rev().take_while(|other| other.edge & !SAME_MOVER >= first);
            if !own.any(|other| other.key == key && other.edge & SAME_MOVER == same) {
                heap.push(Waiting { key, edge: *edges | same });
                *edges += 1;
            }
        });
        *edges - first
    }
}

/// The exploration: what is known, and the numbers of what was met.
pub(super) struct Explorer<'a, G: Game> {
    game: &'a G,
    pub(super) data: Explored<G::Packed>,
    pub(super) numbers: Numbers<G::Packed>,
    /// The most children of a position expanded so far.
    widest: u16,
}

impl<'a, G: Game> Explorer<'a, G> {
    /// Goes on from what is known already.
    pub(super) fn resume(game: &'a G, data: Explored<G::Packed>) -> Self {
        let numbers = Numbers::new(&data.keys);
        let widest = data.degrees.iter().copied().max().unwrap_or(0);
        Explorer { game, data, numbers, widest }
    }

    /// Begins with these positions and those symmetric to them.
    pub(super) fn begin(game: &'a G, starts: &[G::State], keep_edges: bool) -> Self {
        let mut keys: Vec<G::Packed> = starts.iter().map(|state| game.pack_canonical(state)).collect();
        sort_many(&mut keys, Ord::cmp);
        keys.dedup();
        let edges = keep_edges.then(Vec::new);
        Explorer::resume(game, Explored { keys, values: Vec::new(), degrees: Vec::new(), edges })
    }

    /// Expands everything; `after_batch` is called whenever the state is consistent.
    pub(super) fn run(
        &mut self,
        limits: Limits,
        work: &Work<'_>,
        mut after_batch: impl FnMut(&Explored<G::Packed>) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let began = Instant::now();
        let mut stage = Stage::new(work, "enumerate", None);
        while self.data.expanded() < self.data.keys.len() {
            let from = self.data.expanded();
            let to = self.data.keys.len().min(from + self.batch_len(limits));
            self.batch(from..to, stage.after(from as u64))?;
            self.keep_within(limits)?;
            self.keep_patience(limits, began)?;
            after_batch(&self.data)?;
        }
        Ok(())
    }

    /// As many positions as cannot use up the memory that is left, even if each has as many new children
    /// as the widest so far: the limit must be noticed before it is passed by far.
    fn batch_len(&self, limits: Limits) -> usize {
        // A slot in a table half full, the key, an edge either way, and what waits for its number.
        let slot = 2 * (size_of::<(G::Packed, u32)>() + 1) + size_of::<G::Packed>();
        let child = slot + 8 + size_of::<Waiting<G::Packed>>() + 4;
        let left = limits.memory.saturating_sub(self.bytes_needed());
        // Before anything was expanded nothing is known of how wide the game is.
        let widest = if self.widest == 0 { usize::MAX } else { usize::from(self.widest) };
        (left as usize / child.saturating_mul(widest)).clamp(PIECE, BATCH)
    }

    /// Drops the graph when it will not fit, and gives up when even the positions do not.
    fn keep_within(&mut self, limits: Limits) -> Result<(), SolveError> {
        if self.bytes_needed() > limits.memory && limits.may_drop_graph && self.data.edges.is_some() {
            self.data.edges = None;
        }
        let needed = self.bytes_needed();
        if needed <= limits.memory {
            return Ok(());
        }
        let positions = self.data.keys.len() as u64;
        Err(SolveError::Memory { positions, per_position: needed / positions.max(1), limit: limits.memory })
    }

    /// Gives up when too much time has passed for a game of this kind.
    fn keep_patience(&self, limits: Limits, began: Instant) -> Result<(), SolveError> {
        let (found, expanded) = (self.data.keys.len(), self.data.expanded());
        let tired = limits.patience.is_some_and(|patience| {
            let growing = found - expanded > GROWING * expanded;
            let time = began.elapsed();
            time > patience.longest || growing && time > patience.doubtful
        });
        if tired && expanded < found { Err(SolveError::GaveUp { positions: found as u64 }) } else { Ok(()) }
    }

    /// Memory now, or in the backward phase over what is known, whichever is more.
    pub(super) fn bytes_needed(&self) -> u64 {
        // Without the graph the numbers are needed to the end.
        let numbers = self.numbers.bytes();
        let backward = self.data.bytes_backward() + if self.data.edges.is_some() { 0 } else { numbers };
        backward.max(self.data.bytes() + numbers)
    }

    fn batch(&mut self, range: Range<usize>, stage: &Stage<'_>) -> Result<(), SolveError> {
        let base = range.start;
        let this = &*self;
        let found = stage.share(range.len(), PIECE, Found::new, |found, part| {
            this.piece(found, base + part.start..base + part.end)
        })?;
        let (edges, fresh) = this.number(&found, stage.threads());
        self.merge(found, &edges, fresh)
    }

    /// Makes the children of consecutive positions.
    fn piece(&self, found: &mut Found<G>, range: Range<usize>) -> Result<(), SolveError> {
        let len = range.len();
        let (values, degrees) = (Vec::with_capacity(len), Vec::with_capacity(len));
        let mut piece = Piece { from: range.start, values, degrees };
        for key in &self.data.keys[range] {
            let state = trust::unpack(self.game, key)?;
            if let Some(outcome) = self.game.settled(&state) {
                piece.values.push(code::encode(outcome.value_for(self.game.side(&state))));
                piece.degrees.push(0);
                continue;
            }
            let degree = found.lay_children(self.game, &state);
            if degree == 0 {
                return Err(self.contradiction(format!("{state:?} has no moves but is not over")));
            }
            let too_many = |_| self.contradiction(format!("{state:?} has more moves than can be counted"));
            piece.values.push(code::DRAW);
            piece.degrees.push(u16::try_from(degree).map_err(too_many)?);
        }
        found.pieces.push(piece);
        Ok(trust::check(self.game)?)
    }

    /// Gives all children their numbers. For each thread that found some the edges (none when the graph is not kept),
    /// and what is new.
    fn number(
        &self,
        found: &[Found<G>],
        threads: usize,
    ) -> (Vec<Vec<AtomicU32>>, Vec<Vec<(u32, G::Packed)>>) {
        let keep = self.data.edges.is_some();
        let room = |found: &Found<G>| if keep { found.edges as usize } else { 0 };
        let edges: Vec<Vec<AtomicU32>> =
            found.iter().map(|found| (0..room(found)).map(|_| AtomicU32::new(0)).collect()).collect();
        let children: usize = found.iter().map(|found| found.edges as usize).sum();
        let next = AtomicUsize::new(0);
        let fresh = threads::run(threads.min(children.div_ceil(SHARE)).max(1), |_| {
            let mut fresh = Vec::new();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= SHARDS {
                    return fresh;
                }
                let mut shard = self.numbers.shard(number);
                for (found, edges) in found.iter().zip(&edges) {
                    for child in &found.heaps[number] {
                        let number = self.numbers.intern(&mut shard, child.key, &mut fresh);
                        if let Some(edge) = edges.get((child.edge & !SAME_MOVER) as usize) {
                            edge.store(number | child.edge & SAME_MOVER, Relaxed);
                        }
                    }
                }
            }
        });
        (edges, fresh)
    }

    fn contradiction(&self, what: String) -> SolveError {
        trust::contradiction(self.game, what).into()
    }

    fn merge(
        &mut self,
        found: Vec<Found<G>>,
        edges: &[Vec<AtomicU32>],
        fresh: Vec<Vec<(u32, G::Packed)>>,
    ) -> Result<(), SolveError> {
        let count = self.numbers.next.load(Relaxed);
        if count >= SAME_MOVER {
            return Err(SolveError::TooMany(u64::from(SAME_MOVER)));
        }
        let Some(&filler) = self.data.keys.first() else { return Ok(()) };
        self.data.keys.resize(count as usize, filler);
        for (number, key) in fresh.into_iter().flatten() {
            self.data.keys[number as usize] = key;
        }
        // Every thread has its edges in the order of its pieces.
        let mut edges: Vec<_> = edges.iter().map(|edges| edges.iter()).collect();
        let pieces = found.into_iter().enumerate();
        let mut pieces: Vec<(usize, Piece)> = pieces
            .flat_map(|(thread, found)| found.pieces.into_iter().map(move |piece| (thread, piece)))
            .collect();
        sort_pieces(&mut pieces);
        for (thread, piece) in pieces {
            self.widest = piece.degrees.iter().copied().max().unwrap_or(0).max(self.widest);
            if let Some(all) = &mut self.data.edges {
                let own = piece.degrees.iter().map(|&degree| usize::from(degree)).sum();
                all.extend(edges[thread].by_ref().take(own).map(|edge| edge.load(Relaxed)));
            }
            self.data.values.extend(piece.values);
            self.data.degrees.extend(piece.degrees);
        }
        Ok(())
    }
}

/// Not part of anything generic: the library's sort is large, and once is enough.
fn sort_pieces(pieces: &mut [(usize, Piece)]) {
    pieces.sort_unstable_by_key(|(_, piece)| piece.from);
}
