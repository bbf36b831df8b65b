//! Laws of [`Features`]: sets are written whole, every feature is an input of its own, and exchanging the sides changes
//! nothing for the side to move.

use super::{Effort, Verdict, law};
use tabia_core::bits::ones;
use tabia_core::{Features, Side, SplitMix64, Symmetry};

/// The first law that fails, if one does.
pub fn features_verdict<G: Features>(game: &G, effort: Effort) -> Verdict {
    // Told last: what is wrong with positions is wrong with moves, too.
    let (mut rng, mut moves) = (SplitMix64::new(effort.seed), Ok(()));
    for start in game.starts() {
        let rules = start.position.rules;
        for _ in 0..effort.games {
            let mut state = start.position.state.clone();
            for _ in 0..effort.plies {
                written_whole(&rules, &state)?;
                let sides = [rules.side(&state), rules.side(&state).other()];
                let seen = [inputs(&rules, &state, sides[0])?, inputs(&rules, &state, sides[1])?];
                let alike = exchange_is_not_seen(&rules, &state, &seen)?;
                let Some(mv) = rules.random_move(&state, &mut rng, &mut Vec::new()) else { break };
                moves = moves.and(exchange_changes_no_move(&rules, &state, &alike, mv));
                rules.play(&mut state, mv);
            }
        }
    }
    moves
}

fn set<G: Features>(rules: &G, state: &G::State, before: u64) -> Vec<u64> {
    let mut set = vec![before; rules.feature_words()];
    rules.feature_set(state, &mut set);
    set
}

fn written_whole<G: Features>(rules: &G, state: &G::State) -> Verdict {
    let same = set(rules, state, 0) == set(rules, state, u64::MAX);
    law("every word of a feature set is written", same, || rules.format(state))
}

/// The inputs of a side, in order.
fn inputs<G: Features>(
    rules: &G,
    state: &G::State,
    viewer: Side,
) -> Result<Vec<usize>, crate::laws::Violation> {
    let frame = rules.frame(state, viewer);
    law("a side sees the board in one of its ways", frame < rules.frames(), || {
        format!("{frame} of {} in {}", rules.frames(), rules.format(state))
    })?;
    let set = set(rules, state, 0);
    let features = set.iter().enumerate().flat_map(|(at, &word)| ones(word).map(move |bit| at * 64 + bit));
    let mut inputs: Vec<usize> =
        features.map(|feature| rules.input(viewer, frame, feature).unwrap_or(usize::MAX)).collect();
    inputs.sort_unstable();
    let sound =
        inputs.iter().all(|&input| input < rules.inputs()) && inputs.windows(2).all(|pair| pair[0] < pair[1]);
    law("every feature is an input of its own", sound, || format!("{inputs:?} in {}", rules.format(state)))?;
    let fold = rules.inputs() / rules.folds().max(1);
    let mut folds: Vec<_> = inputs.iter().filter_map(|input| input.checked_div(fold)).collect();
    folds.dedup();
    let one = fold * rules.folds() == rules.inputs() && folds.len() < 2;
    law("a side sees a position in one fold of the inputs", one, || {
        format!("{inputs:?} in {}", rules.format(state))
    })?;
    Ok(inputs)
}

/// The inputs that come and go by a move, as the side sees them that makes it.
fn changes<G: Features>(rules: &G, state: &G::State, mv: G::Move) -> [Vec<Option<usize>>; 2] {
    let (viewer, mut after) = (rules.side(state), state.clone());
    rules.play(&mut after, mv);
    let (frame, sets) = (rules.frame(state, viewer), [set(rules, state, 0), set(rules, &after, 0)]);
    [[0, 1], [1, 0]].map(|[with, without]| {
        let only = sets[with].iter().zip(&sets[without]).map(|(with, without)| with & !without);
        let features = only.enumerate().flat_map(|(at, word)| ones(word).map(move |bit| at * 64 + bit));
        let mut inputs: Vec<_> = features.map(|feature| rules.input(viewer, frame, feature)).collect();
        inputs.sort_unstable();
        inputs
    })
}

/// Where the sides can be exchanged, some way of doing it leaves everything as it was for the side to move: which ones do.
fn exchange_is_not_seen<G: Features>(
    rules: &G,
    state: &G::State,
    seen: &[Vec<usize>; 2],
) -> Result<Vec<G::Symmetry>, crate::laws::Violation> {
    let (mut any, mut alike) = (false, Vec::new());
    for &symmetry in rules.symmetries(state).iter().filter(|symmetry| symmetry.swaps_sides()) {
        let image = rules.map_state(state, symmetry);
        let own = rules.side(&image);
        any = true;
        if inputs(rules, &image, own)? == seen[0] && inputs(rules, &image, own.other())? == seen[1] {
            alike.push(symmetry);
        }
    }
    law("exchanging the sides changes nothing for the side to move", !any || !alike.is_empty(), || {
        rules.format(state)
    })?;
    Ok(alike)
}

/// What a move changes is the same to the side that makes it, too.
fn exchange_changes_no_move<G: Features>(
    rules: &G,
    state: &G::State,
    alike: &[G::Symmetry],
    mv: G::Move,
) -> Verdict {
    let here = changes(rules, state, mv);
    let same = |&symmetry: &G::Symmetry| {
        here == changes(rules, &rules.map_state(state, symmetry), rules.map_move(mv, symmetry))
    };
    law("exchanging the sides changes no move", alike.is_empty() || alike.iter().any(same), || {
        format!("{mv:?} in {}", rules.format(state))
    })
}
