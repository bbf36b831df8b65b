//! Strong solving: the exact value of every position that can be reached.
//!
//! 1. [`plan`] says what it will cost.
//! 2. Every position reachable from the starts is enumerated, up to symmetry, with the graph of moves.
//! 3. Values spread backwards from the finished positions, ply by ply.
//!
//! The game offers no un-move generator: the graph is turned round instead. When it does not fit into
//! the memory allowed, the solver goes over the positions in passes and generates the children anew.
//! A symmetry that swaps the sides does not change the value for the side to move, so nothing needs to
//! be undone for it.

mod checkpoint;
mod explore;
mod passes;
mod plan;
mod retrograde;
mod solution;

pub use plan::{Plan, plan};
pub use solution::Solution;

use crate::error::SolveError;
use checkpoint::Store;
use explore::{Explored, Explorer, Limits};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;
use tabia_core::clock::Instant;
use tabia_core::{Game, Work, trust};

/// How the values are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// With the graph while memory lasts, in passes after that.
    Auto,
    /// Backwards over the graph of moves.
    Graph,
    /// In passes over all positions.
    Passes,
}

/// How to solve.
#[derive(Clone, Debug)]
pub struct StrongOptions {
    /// How the values are found.
    pub method: Method,
    /// Where to keep the work against being killed; it is resumed from there.
    pub checkpoint: Option<PathBuf>,
    /// How often to do that.
    pub checkpoint_every: Duration,
    /// When to give up on a game that grows and grows; never when left out.
    pub patience: Option<Patience>,
}

/// How long to go on finding positions of a game that may be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// After this time only a game whose end is in sight is gone on with: most positions that were found have
    /// been looked at.
    pub doubtful: Duration,
    /// After this time none is.
    pub longest: Duration,
}

impl Default for StrongOptions {
    fn default() -> Self {
        let checkpoint_every = Duration::from_mins(1);
        StrongOptions { method: Method::Auto, checkpoint: None, checkpoint_every, patience: None }
    }
}

/// What a solution cost.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Report {
    /// Positions, up to symmetry.
    pub positions: u64,
    /// Edges of the graph; 0 when it was not kept.
    pub edges: u64,
    /// How the values were found.
    pub method: Method,
    /// The most memory the solver held, in bytes.
    pub peak_bytes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Somebody who hears of each distance that is complete, and can ask for the values so far.
type AfterLevel<'a> = &'a mut dyn FnMut(u16, &dyn Fn() -> Vec<u16>) -> Result<(), SolveError>;

/// Solves every position that can be reached from `starts`.
///
/// With a checkpoint, work that was stopped or killed goes on from where it was last saved.
pub fn solve<G: Game>(
    game: &G,
    starts: &[G::State],
    options: &StrongOptions,
    work: &Work<'_>,
) -> Result<Solution<G>, SolveError> {
    let began = Instant::now();
    let store = options.checkpoint.as_deref().map(|path| Store::new(path, game, starts));
    let mut explorer = match store.as_ref().map(Store::load).transpose()?.flatten() {
        Some(explored) => Explorer::resume(game, explored),
        None => Explorer::begin(game, starts, options.method != Method::Passes),
    };
    explore(&mut explorer, options, store.as_ref(), work)?;
    let peak_bytes = explorer.bytes_needed();
    let edges = explorer.data.edges.as_ref().map(Vec::len);
    let explored = go_back(game, explorer, options, store.as_ref(), work)?;
    trust::check(game)?;
    let report = Report {
        positions: explored.keys.len() as u64,
        edges: edges.unwrap_or(0) as u64,
        method: if edges.is_some() { Method::Graph } else { Method::Passes },
        peak_bytes,
        seconds: began.elapsed().as_secs_f64(),
    };
    if let Some(store) = store {
        store.remove();
    }
    Ok(Solution::new(game.clone(), explored.keys, explored.values, report))
}

fn explore<G: Game>(
    explorer: &mut Explorer<'_, G>,
    options: &StrongOptions,
    store: Option<&Store>,
    work: &Work<'_>,
) -> Result<(), SolveError> {
    let limits = Limits {
        memory: work.memory,
        may_drop_graph: options.method == Method::Auto,
        patience: options.patience,
    };
    let mut saved = Instant::now();
    let complete = |explored: &Explored<G::Packed>| explored.expanded() == explored.keys.len();
    let result = explorer.run(limits, work, |explored| match store {
        // A small game is finished sooner than saved.
        Some(store) if saved.elapsed() >= options.checkpoint_every && !complete(explored) => {
            store.save(explored)?;
            saved = Instant::now();
            Ok(())
        }
        _ => Ok(()),
    });
    if let (Err(SolveError::Stopped), Some(store)) = (&result, store) {
        store.save(&explorer.data)?;
    }
    result
}

fn go_back<G: Game>(
    game: &G,
    explorer: Explorer<'_, G>,
    options: &StrongOptions,
    store: Option<&Store>,
    work: &Work<'_>,
) -> Result<Explored<G::Packed>, SolveError> {
    let Explorer { mut data, numbers, .. } = explorer;
    let mut level = 0;
    if let Some(store) = store {
        store.save(&data)?;
        if let Some((reached, values)) = store.load_levels(data.keys.len())? {
            (level, data.values) = (reached, values);
        }
    }
    let mut saved = Instant::now();
    let mut after_level = |level: u16, values: &dyn Fn() -> Vec<u16>| match store {
        Some(store) if saved.elapsed() >= options.checkpoint_every => {
            store.save_levels(level, &values())?;
            saved = Instant::now();
            Ok(())
        }
        _ => Ok(()),
    };
    if let Some(edges) = data.edges.take() {
        drop(numbers);
        let values = std::mem::take(&mut data.values);
        data.values = retrograde::solve(&data.degrees, edges, values, level, work, &mut after_level)?;
    } else {
        passes::solve(game, &mut data, &numbers, level, work, &mut after_level)?;
    }
    Ok(data)
}
