//! Depth-first search for a path to a goal, in a game for one player.
//!
//! The table holds every position that has been entered, exactly (the packed form, not a hash), so
//! that "there is no path" is a proof. With symmetry it holds one entry for all images of a position;
//! that is sound when the goal looks the same through every symmetry.

use rustc_hash::FxHashSet;
use tabia_core::{Game, GameError, Progress, Work, trust};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct DfsOptions {
    /// Give up after this many moves played.
    pub node_limit: u64,
    /// Let symmetric positions share an entry; only for goals that no symmetry changes.
    pub symmetry: bool,
}

impl Default for DfsOptions {
    fn default() -> Self {
        DfsOptions { node_limit: u64::MAX, symmetry: true }
    }
}

/// Moves between two looks at whether to go on.
const ASKING: u64 = 1 << 16;

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<M> {
    /// These moves lead from the start to the goal.
    Path(Vec<M>),
    /// Everything was searched: the goal cannot be reached.
    NoPath,
    /// A limit was met, the memory was used up, or somebody stopped it: nothing is known.
    GaveUp,
}

/// A search that has ended.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// What came of it.
    pub answer: Answer<M>,
    /// Moves played.
    pub nodes: u64,
    /// Different positions entered.
    pub positions: u64,
    /// Positions not entered because the table had them.
    pub hits: u64,
    /// Bytes of the table at the end.
    pub table_bytes: u64,
}

/// A position on the path, and what is left to try there.
struct Frame<G: Game> {
    state: G::State,
    /// The moves of this frame begin here in the common stack of moves.
    moves_from: usize,
    /// The move that led here; `None` at the start.
    by: Option<G::Move>,
}

/// Searches from `start` for a position that satisfies `goal`. Moves are tried in the game's order.
///
/// One thread is used, and as much memory for the table as the work is given.
pub fn search<G: Game>(
    game: &G,
    start: &G::State,
    goal: impl Fn(&G::State) -> bool,
    options: DfsOptions,
    work: &Work<'_>,
) -> Result<Report<G::Move>, GameError> {
    let mut search = Search {
        game,
        options,
        entered: FxHashSet::default(),
        path: Vec::new(),
        open: Vec::new(),
        nodes: 0,
        hits: 0,
    };
    let answer = search.run(start, &goal, work);
    trust::check(game)?;
    let (nodes, hits, table_bytes) = (search.nodes, search.hits, search.table_bytes());
    Ok(Report { answer, nodes, positions: search.entered.len() as u64, hits, table_bytes })
}

struct Search<'a, G: Game> {
    game: &'a G,
    options: DfsOptions,
    entered: FxHashSet<G::Packed>,
    path: Vec<Frame<G>>,
    /// Moves still to try, of all frames; the last frame's on top, reversed.
    open: Vec<G::Move>,
    nodes: u64,
    hits: u64,
}

impl<G: Game> Search<'_, G> {
    fn run(
        &mut self,
        start: &G::State,
        goal: &impl Fn(&G::State) -> bool,
        work: &Work<'_>,
    ) -> Answer<G::Move> {
        self.enter(start.clone(), None);
        if goal(start) {
            return Answer::Path(Vec::new());
        }
        while let Some(frame) = self.path.last() {
            if self.open.len() == frame.moves_from {
                self.path.pop();
                continue;
            }
            let Some(mv) = self.open.pop() else { break };
            let mut next = frame.state.clone();
            self.game.play(&mut next, mv);
            self.nodes += 1;
            if goal(&next) {
                return Answer::Path(self.path.iter().filter_map(|f| f.by).chain([mv]).collect());
            }
            self.enter(next, Some(mv));
            if self.nodes.is_multiple_of(ASKING) && self.must_stop(work) {
                return Answer::GaveUp;
            }
            if self.nodes >= self.options.node_limit {
                return Answer::GaveUp;
            }
        }
        Answer::NoPath
    }

    /// Steps into a position unless it has been entered before.
    fn enter(&mut self, state: G::State, by: Option<G::Move>) {
        let key =
            if self.options.symmetry { self.game.pack_canonical(&state) } else { self.game.pack(&state) };
        if !self.entered.insert(key) {
            self.hits += 1;
            return;
        }
        let moves_from = self.open.len();
        self.game.moves(&state, &mut self.open);
        self.open[moves_from..].reverse();
        self.path.push(Frame { state, moves_from, by });
    }

    fn must_stop(&self, work: &Work<'_>) -> bool {
        (work.progress)(&Progress::positions("depth-first", self.entered.len() as u64, None));
        self.table_bytes() > work.memory || work.is_stopped() || self.game.fault().is_some()
    }

    fn table_bytes(&self) -> u64 {
        (self.entered.capacity() * 8 / 7 * (size_of::<G::Packed>() + 1)) as u64
    }
}
