//! Perft: the number of move sequences of a given length, the classic test of a move generator.

use crate::threads::{self, OnPanic};
use crate::trust::{self, GameError};
use crate::work::{Pace, Work};
use crate::{Game, Packed, Progress};
use std::hash::Hasher;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use thiserror::Error;

/// How to count.
#[derive(Clone, Copy, Debug, Default)]
pub struct PerftOptions {
    /// Entries of a table of exact positions per thread; 0 for none. Counts stay exact.
    pub hash_entries: usize,
}

/// Why there is no count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountError {
    /// Somebody stopped the work.
    #[error("stopped before everything was counted")]
    Stopped,
    /// The game cannot be trusted.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// The number of sequences of `depth` legal moves from `state`. A finished game has none.
pub fn perft<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    options: PerftOptions,
    work: &Work<'_>,
) -> Result<u64, CountError> {
    // Share out subtrees: enough of them that no thread waits long for the last, and that progress can be told.
    let mut tasks = vec![state.clone()];
    let mut left = depth;
    let smallest = if work.threads > 1 { 2 } else { 4 };
    while left > smallest && !tasks.is_empty() && tasks.len() < 64 * work.threads.max(1) {
        tasks = tasks.iter().flat_map(|state| children(game, state)).collect();
        left -= 1;
    }
    let (next, over, pace) = (AtomicUsize::new(0), AtomicBool::new(false), Pace::new());
    let workers = work.threads.max(1).min(tasks.len());
    let counts = threads::run(workers, |_| {
        let _alarm = OnPanic(&over);
        let mut counter = Counter::new(game, left, options, work);
        let mut total = 0;
        while !over.load(Relaxed) {
            let at = next.fetch_add(1, Relaxed);
            let Some(task) = tasks.get(at) else { break };
            pace.tell(work, || Progress {
                unit: "subtrees",
                ..Progress::positions("count", at as u64, Some(tasks.len() as u64))
            });
            total += counter.count(task, left);
        }
        total
    });
    trust::check(game)?;
    if work.is_stopped() { Err(CountError::Stopped) } else { Ok(counts.iter().sum()) }
}

/// The count below each legal move; nothing when `depth` is 0.
pub fn divide<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    options: PerftOptions,
    work: &Work<'_>,
) -> Result<Vec<(G::Move, u64)>, CountError> {
    let mut moves = Vec::new();
    if depth > 0 {
        game.moves(state, &mut moves);
    }
    let below = |mv: G::Move| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        Ok((mv, perft(game, &next, depth - 1, options, work)?))
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
    work: &'a Work<'a>,
    buffers: Vec<Vec<G::Move>>,
    table: Vec<Option<(G::Packed, u32, u64)>>,
}

impl<'a, G: Game> Counter<'a, G> {
    fn new(game: &'a G, depth: u32, options: PerftOptions, work: &'a Work<'a>) -> Self {
        let buffers = (0..depth).map(|_| Vec::with_capacity(128)).collect();
        Counter { game, work, buffers, table: vec![None; options.hash_entries] }
    }

    /// The count below a position; what it says after the work was stopped, or the rules failed, is too little.
    fn count(&mut self, state: &G::State, depth: u32) -> u64 {
        if self.table.is_empty() {
            let ended = || has_ended(self.game, self.work);
            self.game.count_below(state, depth, &mut self.buffers, &ended)
        } else {
            self.count_with_table(state, depth)
        }
    }

    fn count_with_table(&mut self, state: &G::State, depth: u32) -> u64 {
        if depth <= 1 {
            return if depth == 0 { 1 } else { self.game.count_moves(state) };
        }
        if depth >= ASKING && has_ended(self.game, self.work) {
            return 0;
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

/// Subtrees of this depth are large enough to ask before them whether to go on.
const ASKING: u32 = 3;

fn has_ended<G: Game>(game: &G, work: &Work<'_>) -> bool {
    work.is_stopped() || game.fault().is_some()
}

/// What [`Game::count_below`] answers.
pub fn below<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    buffers: &mut [Vec<G::Move>],
    ended: &dyn Fn() -> bool,
) -> u64 {
    match depth {
        0 => return 1,
        1 => return game.count_moves(state),
        ASKING.. if ended() => return 0,
        _ => {}
    }
    let Some((moves, deeper)) = buffers.split_first_mut() else { return 0 };
    if depth == 2 {
        return game.count_pairs(state, moves);
    }
    moves.clear();
    game.moves(state, moves);
    let mut total = 0;
    for &mv in moves.iter() {
        let mut next = state.clone();
        game.play(&mut next, mv);
        total += below(game, &next, depth - 1, deeper, ended);
    }
    total
}

/// The number of legal moves after each of these, together. Most nodes are here: a loop of its own, in which a small
/// position stays in registers.
#[inline]
pub fn replies<G: Game>(game: &G, state: &G::State, moves: &[G::Move]) -> u64 {
    let mut total = 0;
    for &mv in moves {
        let mut next = state.clone();
        game.play(&mut next, mv);
        total += game.count_moves(&next);
    }
    total
}
