//! Laws of [`Observe`]: planes are written whole, tell positions apart, and follow the symmetries.

use super::{Effort, Verdict, law};
use std::collections::{HashMap, HashSet};
use tabia_core::{Notation, Observe, SplitMix64, Symmetry};

/// The first law that fails, if one does. `elements` draws symmetries where the group is too large to list.
pub fn observe_verdict<G: Observe + Notation>(
    game: &G,
    effort: Effort,
    elements: impl Fn(&mut SplitMix64) -> Vec<G::Symmetry>,
) -> Verdict {
    let mut rng = SplitMix64::new(effort.seed);
    for start in game.starts() {
        let rules = start.position.rules;
        let mut seen = Seen::default();
        for _ in 0..effort.games {
            let mut state = start.position.state.clone();
            for ply in 0..effort.plies {
                let drawn = elements(&mut rng);
                let planes = written_whole(&rules, &state, ply)?;
                symmetric_images_agree(&rules, &state, ply, &planes, &drawn)?;
                seen.tells_apart(&rules, &state)?;
                let Some(mv) = rules.random_move(&state, &mut rng, &mut Vec::new()) else { break };
                rules.play(&mut state, mv);
            }
        }
    }
    Ok(())
}

/// The planes over bytes that were something else before.
fn observed<G: Observe>(rules: &G, state: &G::State, quiet: u32, before: u8) -> Vec<u8> {
    let mut planes = vec![before; rules.planes().bytes()];
    rules.observe(state, quiet, &mut planes);
    planes
}

fn written_whole<G: Observe + Notation>(
    rules: &G,
    state: &G::State,
    quiet: u32,
) -> Result<Vec<u8>, crate::laws::Violation> {
    let (planes, again) = (observed(rules, state, quiet, 0x5A), observed(rules, state, quiet, 0xA5));
    let left = planes.iter().zip(&again).position(|(a, b)| a != b);
    law("every byte of the planes is written", left.is_none(), || {
        format!("byte {left:?} in {}", rules.format(state))
    })?;
    Ok(planes)
}

fn symmetric_images_agree<G: Observe + Notation>(
    rules: &G,
    state: &G::State,
    quiet: u32,
    planes: &[u8],
    drawn: &[G::Symmetry],
) -> Verdict {
    let cells = rules.planes().cells();
    for &symmetry in rules.symmetries(state).iter().chain(drawn) {
        let targets: Vec<usize> = (0..cells).map(|cell| rules.map_cell(cell, symmetry)).collect();
        let distinct: HashSet<_> = targets.iter().filter(|&&cell| cell < cells).collect();
        law("a symmetry permutes the cells", distinct.len() == cells, || {
            format!("{symmetry:?}: {targets:?}")
        })?;
        let image = observed(rules, &rules.map_state(state, symmetry), quiet, 0);
        let wrong = (0..planes.len()).find(|&at| {
            let there = at / cells * cells + targets[at % cells];
            planes[at] != image[there]
        });
        law("the planes of symmetric positions agree", wrong.is_none(), || {
            let at = wrong.unwrap_or_default();
            format!("plane {}, cell {} of {} under {symmetry:?}", at / cells, at % cells, rules.format(state))
        })?;
    }
    exchange_is_not_seen(rules, state)
}

/// Where sides can be exchanged, some way of doing it moves no cell (others also mirror the board).
fn exchange_is_not_seen<G: Observe + Notation>(rules: &G, state: &G::State) -> Verdict {
    let cells = rules.planes().cells();
    let unmoved = |exchange: G::Symmetry| (0..cells).all(|cell| rules.map_cell(cell, exchange) == cell);
    let mut exchanges = rules.symmetries(state).iter().copied().filter(|s| s.swaps_sides()).peekable();
    let unseen = exchanges.peek().is_none() || exchanges.any(unmoved);
    law("both sides see the board alike", unseen, || rules.format(state))
}

/// The planes met so far, each with the class of the position behind it.
#[derive(Default)]
struct Seen(HashMap<Vec<u8>, (Vec<u8>, String)>);

impl Seen {
    fn tells_apart<G: Observe + Notation>(&mut self, rules: &G, state: &G::State) -> Verdict {
        use tabia_core::Packed;
        let class = rules.pack_canonical(state).as_bytes().to_vec();
        let text = rules.format(state);
        let planes = observed(rules, state, 0, 0);
        let met = self.0.entry(planes).or_insert_with(|| (class.clone(), text.clone()));
        law("different positions look different", met.0 == class, || format!("{} and {text}", met.1))
    }
}
