//! What a solution will cost, said before it is begun.

use super::explore::Children;
use serde::Serialize;
use tabia_core::{Game, SplitMix64};

/// The price of solving a game, estimated from random play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// Different children of a position, on average over random play.
    pub branching: f64,
    /// Bytes for each position with the graph of moves in memory.
    pub bytes_with_graph: u64,
    /// Bytes for each position without it (slower: children are generated on every pass).
    pub bytes_without_graph: u64,
    /// How many positions fit into the memory allowed, with the graph.
    pub fit_with_graph: u64,
    /// How many positions fit into the memory allowed, without the graph.
    pub fit_without_graph: u64,
}

/// Positions looked at for an estimate.
const SAMPLES: u32 = 2000;

/// Estimates the cost of solving from these starts with `memory` bytes.
pub fn plan<G: Game>(game: &G, starts: &[G::State], memory: u64) -> Plan {
    let branching = sample_branching(game, starts);
    let key = size_of::<G::Packed>() as f64;
    // A slot of the hash table, its control byte, and tables between half full and full.
    let number = (size_of::<(G::Packed, u32)>() as f64 + 1.0) * 1.6;
    let forward = key + 4.0 + 4.0 * branching + number;
    let backward = key + 6.0 + 8.0 + 8.0 * branching;
    let (with, without) = (forward.max(backward).ceil() as u64, (key + 6.0 + number).ceil() as u64);
    Plan {
        branching,
        bytes_with_graph: with,
        bytes_without_graph: without,
        fit_with_graph: memory / with,
        fit_without_graph: memory / without,
    }
}

fn sample_branching<G: Game>(game: &G, starts: &[G::State]) -> f64 {
    let mut rng = SplitMix64::new(0x706C_616E);
    let (mut children, mut moves) = (Children::<G>::new(), Vec::new());
    let (mut sum, mut count) = (0usize, 0u32);
    while count < SAMPLES && !starts.is_empty() {
        let start = rng.below(starts.len() as u64) as usize;
        let mut state = starts[start].clone();
        let before = count;
        while count < SAMPLES && game.settled(&state).is_none() {
            children.list(game, &state);
            sum += children.list.len();
            count += 1;
            let Some(mv) = game.random_move(&state, &mut rng, &mut moves) else { break };
            game.play(&mut state, mv);
        }
        if count == before {
            // Starts that are over already would never fill the sample.
            count += 1;
        }
    }
    sum as f64 / f64::from(count.max(1))
}
