//! The benchmark: deterministic work for every game, a fingerprint of the counts, and rates.

use crate::search::{Method, SearchRequest, Stop};
use crate::solve::WorkError;
use crate::views::Count;
use crate::{AnyGame, InputError, PerftRequest, PlayoutRequest, Registry, Watch};
use serde::Serialize;
use tabia_core::rng::mix;

/// Perft goes deeper until it has counted this many.
const ENOUGH_NODES: u128 = 2_000_000;
/// Random games per game.
const PLAYOUTS: u64 = 5_000;

/// A search goes deeper until it has visited this many positions.
const ENOUGH_SEARCHED: u64 = 200_000;

/// What the benchmark did and how fast.
#[derive(Clone, Debug, Serialize)]
pub struct BenchView {
    /// A hash of all counts: equal fingerprints did equal work.
    pub fingerprint: String,
    /// The games.
    pub games: Vec<GameBench>,
}

/// The benchmark of one game.
#[derive(Clone, Debug, Serialize)]
pub struct GameBench {
    /// The game's id.
    pub id: String,
    /// Depth of the perft.
    pub depth: u32,
    /// Its leaves.
    pub nodes: Count,
    /// Leaves per CPU second, one thread.
    pub nodes_per_second: f64,
    /// Plies of the random games.
    pub plies: u64,
    /// Plies per CPU second, one thread.
    pub plies_per_second: f64,
    /// A search from the start, in games with an evaluation.
    pub search: Option<SearchBench>,
}

/// The search of the benchmark: one thread, an empty table. It visits the same positions every time, until
/// the search itself is changed.
#[derive(Clone, Debug, Serialize)]
pub struct SearchBench {
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Positions per CPU second.
    pub nodes_per_second: f64,
}

/// Runs the benchmark on one thread; `on_game` hears of each game as it is done.
pub fn run(registry: &Registry, mut on_game: impl FnMut(&GameBench)) -> Result<BenchView, WorkError> {
    let mut games = Vec::new();
    let mut fingerprint = 0;
    for game in registry.games() {
        let bench = run_game(game)?;
        let (depth, searched) =
            bench.search.as_ref().map_or((0, 0), |search| (u64::from(search.depth), search.nodes));
        for word in [u64::from(bench.depth), bench.nodes.0 as u64, bench.plies, depth, searched] {
            fingerprint = mix(fingerprint ^ word);
        }
        on_game(&bench);
        games.push(bench);
    }
    Ok(BenchView { fingerprint: format!("{fingerprint:#018x}"), games })
}

fn run_game(game: &dyn AnyGame) -> Result<GameBench, WorkError> {
    let start = game.start();
    let mut depth = 0;
    let perft = loop {
        depth += 1;
        let view = start
            .counting()
            .perft(&PerftRequest { depth, threads: 1, ..Default::default() }, &Watch::nobody())?;
        if view.nodes.0 >= ENOUGH_NODES || view.nodes.0 == 0 {
            break view;
        }
    };
    let request = PlayoutRequest { time: None, games: Some(PLAYOUTS), threads: 1, seed: 1 };
    let playouts = start.counting().playouts(&request, &Watch::nobody())?;
    Ok(GameBench {
        id: game.id().to_owned(),
        depth,
        nodes: perft.nodes,
        nodes_per_second: perft.nodes_per_second,
        plies: playouts.plies,
        plies_per_second: playouts.plies_per_second,
        search: search(game)?,
    })
}

/// The first iteration that has visited enough; `None` in games without an evaluation.
fn search(game: &dyn AnyGame) -> Result<Option<SearchBench>, InputError> {
    let start = game.start();
    let Some(searched) = start.as_search().filter(|search| search.has_evaluation()) else { return Ok(None) };
    let mut enough = None;
    let stop = Stop::new();
    let request = SearchRequest { method: Some(Method::AlphaBeta), ..SearchRequest::default() };
    searched.search(&request, &stop, &mut |view| {
        if enough.is_none() && view.nodes >= ENOUGH_SEARCHED {
            let (depth, nodes, nodes_per_second) = (view.depth, view.nodes, view.nodes_per_second);
            enough = Some(SearchBench { depth, nodes, nodes_per_second });
            stop.stop();
        }
    })?;
    Ok(enough)
}
