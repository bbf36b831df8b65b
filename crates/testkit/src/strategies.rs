//! Strategies for property tests: positions from random play, and text that almost parses.

use proptest::prelude::*;
use tabia_core::{Notation, Position, SplitMix64};

/// Positions reached by random play of up to `plies` from any named start.
pub fn positions<G: Notation>(game: &G, plies: u32) -> impl Strategy<Value = Position<G>> + use<G> {
    let starts: Vec<Position<G>> = game.starts().into_iter().map(|start| start.position).collect();
    (any::<u64>(), 0..=plies, 0..starts.len()).prop_map(move |(seed, plies, start)| {
        let Position { rules, mut state } = starts[start].clone();
        let (mut rng, mut buffer) = (SplitMix64::new(seed), Vec::new());
        for _ in 0..plies {
            let Some(mv) = rules.random_move(&state, &mut rng, &mut buffer) else { break };
            rules.play(&mut state, mv);
        }
        Position { rules, state }
    })
}

/// Text to throw at parsers: anything at all, and texts of real positions with some damage.
pub fn texts<G: Notation>(game: &G) -> impl Strategy<Value = String> + use<G> {
    let real = positions(game, 40).prop_map(|position| position.rules.format(&position.state));
    let damaged =
        (real, any::<prop::sample::Index>(), ".{0,3}", 0usize..4).prop_map(|(text, at, with, cut)| {
            let chars: Vec<char> = text.chars().collect();
            let at = at.index(chars.len() + 1);
            let end = (at + cut).min(chars.len());
            chars[..at].iter().chain(with.chars().collect::<Vec<_>>().iter()).chain(&chars[end..]).collect()
        });
    prop_oneof![damaged, any::<String>(), "[ -~]{0,40}"]
}
