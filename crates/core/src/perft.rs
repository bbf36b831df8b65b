//! Perft: the number of move sequences of a given length, the classic test of a move generator.

use crate::{Game, Packed};
use std::hash::Hasher;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Threads to use; at least one is.
    pub threads: usize,
    /// Entries of a table of exact positions per thread; 0 for none. Counts stay exact.
    pub hash_entries: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 1, hash_entries: 0 }
    }
}

/// The number of sequences of `depth` legal moves from `state`. A finished game has none.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32, options: Options) -> u64 {
    if options.threads <= 1 {
        return Counter::new(game, depth, options).count(state, depth);
    }
    // Share out subtrees: enough of them that no thread waits long for the last.
    let mut tasks = vec![state.clone()];
    let mut left = depth;
    while left > 2 && !tasks.is_empty() && tasks.len() < 64 * options.threads {
        tasks = tasks.iter().flat_map(|state| children(game, state)).collect();
        left -= 1;
    }
    let (next, total) = (AtomicUsize::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| {
                let mut counter = Counter::new(game, left, options);
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    total.fetch_add(counter.count(task, left), Ordering::Relaxed);
                }
            });
        }
    });
    total.into_inner()
}

/// The count below each legal move; nothing when `depth` is 0.
pub fn divide<G: Game>(game: &G, state: &G::State, depth: u32, options: Options) -> Vec<(G::Move, u64)> {
    let mut moves = Vec::new();
    if depth > 0 {
        game.moves(state, &mut moves);
    }
    let below = |mv: G::Move| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        (mv, perft(game, &next, depth - 1, options))
    };
    moves.into_iter().map(below).collect()
}

fn children<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let child = |mv: &G::Move| {
        let mut next = state.clone();
        game.play(&mut next, *mv);
        next
    };
    moves.iter().map(child).collect()
}

/// One thread's counting: a move buffer for every depth, and the optional table.
struct Counter<'a, G: Game> {
    game: &'a G,
    buffers: Vec<Vec<G::Move>>,
    table: Vec<Option<(G::Packed, u32, u64)>>,
}

impl<'a, G: Game> Counter<'a, G> {
    fn new(game: &'a G, depth: u32, options: Options) -> Self {
        let buffers = (0..depth).map(|_| Vec::with_capacity(128)).collect();
        Counter { game, buffers, table: vec![None; options.hash_entries] }
    }

    fn count(&mut self, state: &G::State, depth: u32) -> u64 {
        if self.table.is_empty() {
            count_plain(self.game, state, depth, &mut self.buffers)
        } else {
            self.count_with_table(state, depth)
        }
    }

    fn count_with_table(&mut self, state: &G::State, depth: u32) -> u64 {
        if depth <= 1 {
            return count_plain(self.game, state, depth, &mut self.buffers);
        }
        let packed = self.game.pack(state);
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write(packed.as_bytes());
        hasher.write_u32(depth);
        let slot = (hasher.finish() % self.table.len() as u64) as usize;
        if let Some((known, at, count)) = &self.table[slot]
            && *known == packed
            && *at == depth
        {
            return *count;
        }
        let mut moves = std::mem::take(&mut self.buffers[depth as usize - 1]);
        moves.clear();
        self.game.moves(state, &mut moves);
        let mut total = 0;
        for &mv in &moves {
            let mut next = state.clone();
            self.game.play(&mut next, mv);
            total += self.count_with_table(&next, depth - 1);
        }
        self.buffers[depth as usize - 1] = moves;
        self.table[slot] = Some((packed, depth, total));
        total
    }
}

fn count_plain<G: Game>(game: &G, state: &G::State, depth: u32, buffers: &mut [Vec<G::Move>]) -> u64 {
    match depth {
        0 => return 1,
        1 => return game.count_moves(state),
        _ => {}
    }
    let Some((moves, deeper)) = buffers.split_first_mut() else { return 0 };
    moves.clear();
    game.moves(state, moves);
    let mut total = 0;
    for &mv in moves.iter() {
        let mut next = state.clone();
        game.play(&mut next, mv);
        // Most nodes are one ply before the leaves: no call for them.
        total +=
            if depth == 2 { game.count_moves(&next) } else { count_plain(game, &next, depth - 1, deeper) };
    }
    total
}
