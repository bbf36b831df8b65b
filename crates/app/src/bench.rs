//! The benchmark: deterministic work for every game, a fingerprint of the counts, and rates.

use crate::any::{AnyGame, PerftRequest, PlayoutRequest};
use crate::measure::per_second;
use crate::views::Count;
use crate::{InputError, Registry};
use serde::Serialize;
use tabia_core::rng::mix;

/// Perft goes deeper until it has counted this many.
const ENOUGH_NODES: u128 = 2_000_000;
/// Random games per game.
const PLAYOUTS: u64 = 5_000;

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
    pub id: &'static str,
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
}

/// Runs the benchmark on one thread; `on_game` hears of each game as it is done.
pub fn run(registry: &Registry, mut on_game: impl FnMut(&GameBench)) -> Result<BenchView, InputError> {
    let mut games = Vec::new();
    let mut fingerprint = 0;
    for game in registry.games() {
        let bench = run_game(game)?;
        for word in [u64::from(bench.depth), bench.nodes.0 as u64, bench.plies] {
            fingerprint = mix(fingerprint ^ word);
        }
        on_game(&bench);
        games.push(bench);
    }
    Ok(BenchView { fingerprint: format!("{fingerprint:#018x}"), games })
}

fn run_game(game: &dyn AnyGame) -> Result<GameBench, InputError> {
    let start = game.start();
    let mut depth = 0;
    let perft = loop {
        depth += 1;
        let view = start.perft(&PerftRequest { depth, threads: 1, ..Default::default() })?;
        if view.nodes.0 >= ENOUGH_NODES || view.nodes.0 == 0 {
            break view;
        }
    };
    let playouts = start.playouts(&PlayoutRequest { time: None, games: Some(PLAYOUTS), threads: 1, seed: 1 });
    Ok(GameBench {
        id: game.id(),
        depth,
        nodes: perft.nodes,
        nodes_per_second: perft.nodes_per_second,
        plies: playouts.plies,
        plies_per_second: per_second(playouts.plies as f64, playouts.cpu_seconds),
    })
}
