//! The graph of positions: grows while many threads walk on it, never shrinks, never locks a walker
//! for long.
//!
//! Nodes live in blocks that are allocated once and never move, so that a node can be borrowed while
//! others are added. A node gets its edges on its second visit.

use super::seer::{SCALE, Seer};
use crate::Score;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};
use tabia_core::{Game, Key, Outcome, Record, Side, Value};

/// Nodes in a block, and the most blocks.
const BLOCK: usize = 4096;
const MOST_BLOCKS: usize = 1 << 16;

/// Locks of the index from keys to nodes: so many more than threads that two rarely want the same one.
const SHARDS: usize = 1024;

/// A move from a node.
#[derive(Debug)]
pub(crate) struct Edge<M> {
    pub(crate) mv: M,
    /// The number of the node it leads to, plus one; 0 until somebody goes there.
    child: AtomicU32,
    pub(crate) visits: AtomicU32,
    /// How much of the attention it deserves, where somebody judges positions.
    pub(crate) prior: f32,
}

/// Points: a win is twice a draw.
pub(crate) const WON: i64 = 2048;
pub(crate) const DRAWN: i64 = WON / 2;

/// A position. Results are for the side to move in it.
#[derive(Debug)]
pub(crate) struct Node<M> {
    pub(crate) side: Side,
    pub(crate) edges: OnceLock<Box<[Edge<M>]>>,
    pub(crate) visits: AtomicU32,
    /// The sum of the points.
    pub(crate) total: AtomicI64,
    /// A proven value, see [`encode`]; 0 for none.
    proven: AtomicU32,
}

impl<M> Node<M> {
    fn new(side: Side, outcome: Option<Outcome>) -> Self {
        let proven = outcome.map_or(0, |outcome| encode(outcome.value_for(side)));
        let (visits, total) = (AtomicU32::new(0), AtomicI64::new(0));
        Node { side, edges: OnceLock::new(), visits, total, proven: AtomicU32::new(proven) }
    }

    /// The share of the points won so far, a half where nothing is known.
    pub(crate) fn mean(&self) -> f64 {
        let visits = self.visits.load(Relaxed);
        let total = self.total.load(Relaxed);
        (total + DRAWN) as f64 / (WON as f64 * (f64::from(visits) + 1.0))
    }

    /// Gives it its edges.
    pub(crate) fn expand<G: Game<Move = M>>(
        &self,
        game: &G,
        state: &G::State,
        seer: Option<&mut (dyn Seer<G> + '_)>,
        reserve: &mut Reserve,
    ) {
        self.edges.get_or_init(|| {
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            let priors = seer.map_or_else(Vec::new, |seer| seer.priors(state, &moves));
            reserve.bytes += moves.len() * size_of::<Edge<M>>();
            let edge = |(at, mv)| {
                let prior = priors.get(at).copied().unwrap_or_default();
                Edge { mv, child: AtomicU32::new(0), visits: AtomicU32::new(0), prior }
            };
            moves.into_iter().enumerate().map(edge).collect()
        });
    }

    pub(crate) fn proven(&self) -> Value {
        decode(self.proven.load(Relaxed))
    }

    pub(crate) fn set_proven(&self, value: Value) {
        self.proven.store(encode(value), Relaxed);
    }
}

const fn encode(value: Value) -> u32 {
    match value {
        Value::Unknown => 0,
        Value::Draw => 1 << 16,
        Value::Win(plies) => 2 << 16 | plies as u32,
        Value::Loss(plies) => 3 << 16 | plies as u32,
    }
}

const fn decode(code: u32) -> Value {
    match code >> 16 {
        1 => Value::Draw,
        2 => Value::Win(code as u16),
        3 => Value::Loss(code as u16),
        _ => Value::Unknown,
    }
}

/// Room for a node: a cache line, not parts of two, one of which another node's visitors change.
#[repr(align(64))]
struct Place<M>(OnceLock<Node<M>>);

type Block<M> = Box<[Place<M>]>;

/// Numbers that one thread gives to the next nodes it makes, and what it has not yet told of the bytes they take:
/// counters that all threads change for every node would slow all of them down.
#[derive(Debug, Default)]
pub(crate) struct Reserve {
    numbers: Range<u32>,
    bytes: usize,
}

/// So many numbers are reserved at once.
const RESERVED: u32 = 64;

/// Something on cache lines of its own (processors fetch them in pairs): a thread that changes it does not slow down those that read
/// its neighbours.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub(crate) T);

pub(crate) struct Graph<G: Game> {
    blocks: Box<[OnceLock<Block<G::Move>>]>,
    count: Apart<AtomicU32>,
    index: Vec<Apart<Mutex<FxHashMap<u64, u32>>>>,
    bytes: Apart<AtomicUsize>,
    most_bytes: usize,
}

impl<G: Game> Graph<G> {
    /// A graph of one position, node 0.
    pub(crate) fn new(game: &G, state: &G::State, most_bytes: usize) -> Self {
        let graph = Graph {
            blocks: (0..MOST_BLOCKS).map(|_| OnceLock::new()).collect(),
            count: Apart::default(),
            index: (0..SHARDS).map(|_| Apart::default()).collect(),
            bytes: Apart::default(),
            most_bytes,
        };
        let mut reserve = Reserve::default();
        graph.find_or_add(game, state, game.key(state), &mut reserve);
        graph.settle(&mut reserve);
        graph
    }

    pub(crate) fn is_full(&self) -> bool {
        self.bytes.0.load(Relaxed) >= self.most_bytes
    }

    fn slot(&self, number: u32) -> &OnceLock<Node<G::Move>> {
        let (block, at) = (number as usize / BLOCK, number as usize % BLOCK);
        let block = self.blocks[block].get_or_init(|| (0..BLOCK).map(|_| Place(OnceLock::new())).collect());
        &block[at].0
    }

    /// A node that exists. (The stand-in is never used: numbers are given out after the node is made.)
    pub(crate) fn node(&self, number: u32) -> &Node<G::Move> {
        self.slot(number).get_or_init(|| Node::new(Side::First, None))
    }

    /// The node of a position; a new one unless memory is used up.
    fn find_or_add(&self, game: &G, state: &G::State, key: Key, reserve: &mut Reserve) -> Option<u32> {
        let mut shard = self.index[(key.0 >> 50) as usize % SHARDS].0.lock().ok()?;
        if let Some(&number) = shard.get(&key.0) {
            return Some(number);
        }
        let number = self.next_number(reserve)?;
        self.slot(number).get_or_init(|| Node::new(game.side(state), game.settled(state)));
        shard.insert(key.0, number);
        reserve.bytes += size_of::<Place<G::Move>>() + 24;
        Some(number)
    }

    /// A number for a new node; none where memory or numbers are used up.
    fn next_number(&self, reserve: &mut Reserve) -> Option<u32> {
        if reserve.numbers.is_empty() {
            let first = self.count.0.load(Relaxed);
            if first as usize >= BLOCK * (MOST_BLOCKS - 1) {
                return None;
            }
            let first = self.count.0.fetch_add(RESERVED, Relaxed);
            reserve.numbers = first..first + RESERVED;
        }
        let number = reserve.numbers.start;
        if self.is_full() && number > 0 {
            return None;
        }
        reserve.numbers.next()
    }

    /// Tells of the bytes that were taken.
    pub(crate) fn settle(&self, reserve: &mut Reserve) {
        self.bytes.0.fetch_add(std::mem::take(&mut reserve.bytes), Relaxed);
    }

    /// The node behind an edge, if it has one.
    pub(crate) fn child(&self, edge: &Edge<G::Move>) -> Option<&Node<G::Move>> {
        let number = edge.child.load(Relaxed).checked_sub(1)?;
        Some(self.node(number))
    }

    /// The node behind an edge, made if there is room; `state` is the position there.
    pub(crate) fn follow(
        &self,
        game: &G,
        edge: &Edge<G::Move>,
        state: &G::State,
        key: Key,
        reserve: &mut Reserve,
    ) -> Option<&Node<G::Move>> {
        if let Some(node) = self.child(edge) {
            return Some(node);
        }
        let number = self.find_or_add(game, state, key, reserve)?;
        edge.child.store(number + 1, Relaxed);
        Some(self.node(number))
    }

    /// The proven value behind an edge, for the side to move in `node`.
    pub(crate) fn proven_behind(&self, node: &Node<G::Move>, edge: &Edge<G::Move>) -> Value {
        let Some(child) = self.child(edge) else { return Value::Unknown };
        child.proven().one_ply_earlier_for(node.side == child.side)
    }

    /// The value that the children prove, if they do.
    pub(crate) fn prove(&self, node: &Node<G::Move>) -> Value {
        let Some(edges) = node.edges.get() else { return Value::Unknown };
        let values = || edges.iter().map(|edge| self.proven_behind(node, edge));
        let best = values().max_by_key(|value| value.rank()).unwrap_or(Value::Unknown);
        let all_known = || values().all(|value| value != Value::Unknown);
        if matches!(best, Value::Win(_)) || all_known() { best } else { Value::Unknown }
    }

    /// The edge to play: the best proven win, or the most visited that does not lose.
    fn best_edge<'a>(&self, node: &'a Node<G::Move>) -> Option<&'a Edge<G::Move>> {
        let worth = |edge: &&Edge<G::Move>| match self.proven_behind(node, edge) {
            Value::Win(plies) => (2, i64::from(u16::MAX - plies)),
            Value::Loss(plies) => (0, i64::from(plies)),
            _ => (1, i64::from(edge.visits.load(Relaxed))),
        };
        node.edges.get()?.iter().max_by_key(worth)
    }

    /// The most likely line and its score.
    pub(crate) fn answer(&self, record: &Record<G>) -> (Vec<G::Move>, Score) {
        let root = self.node(0);
        let mut line = Vec::new();
        let mut node = root;
        while let Some(edge) = self.best_edge(node).filter(|_| line.len() < 128) {
            line.push(edge.mv);
            match self.child(edge) {
                Some(child) if child.visits.load(Relaxed) > 0 => node = child,
                _ => break,
            }
        }
        let mean = self.best_edge(root).and_then(|edge| self.child(edge)).map_or(0.5, |child| {
            if child.side == record.rules().side(record.state()) { child.mean() } else { 1.0 - child.mean() }
        });
        let score = match root.proven() {
            Value::Win(plies) => Score::Win(plies),
            Value::Loss(plies) => Score::Loss(plies),
            Value::Draw => Score::Draw,
            Value::Unknown => Score::Estimate(hundredths(mean)),
        };
        (line, score)
    }
}

/// An expected result between 0 and 1 on the scale of evaluations: the logarithm of the odds, so that
/// 100 is a little less than three to one.
fn hundredths(mean: f64) -> i32 {
    let mean = mean.clamp(1e-4, 1.0 - 1e-4);
    (SCALE * (mean / (1.0 - mean)).ln()).round() as i32
}
