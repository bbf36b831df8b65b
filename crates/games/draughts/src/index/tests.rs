//! The index against counting, the move generator, and itself.

use super::*;
use tabia_core::{Game, SplitMix64};

const RULES: Draughts = Draughts { counting: Counting::Unique };

fn random_spot(rng: &mut SplitMix64) -> Spot {
    let groups = RULES.slice_groups(5);
    let group = &groups[rng.below(groups.len() as u64) as usize];
    let slice = group[rng.below(group.len() as u64) as usize];
    Spot { slice, index: rng.below(RULES.slice_len(slice)) }
}

#[test]
fn there_are_as_many_positions_as_published() {
    let counts = [(2, 3488), (3, 196_032), (4, 6_209_316), (5, 139_450_808), (6, 2_426_085_676)];
    for (pieces, count) in counts {
        let all: u64 = materials(pieces).map(Material::len).sum();
        assert_eq!(all, count, "{pieces} pieces");
    }
}

#[test]
fn numbers_and_positions_correspond_without_gaps() {
    for slice in RULES.slice_groups(3).concat() {
        for index in 0..RULES.slice_len(slice) {
            let spot = Spot { slice, index };
            let state = RULES.position(spot).expect("every number is a valid position");
            assert_eq!(RULES.locate(&state), Some(spot));
            assert_eq!(RULES.locate(&state.turned()), Some(spot));
        }
        assert_eq!(RULES.position(Spot { slice, index: RULES.slice_len(slice) }), None);
        assert_eq!(RULES.slice_named(&RULES.slice_name(slice)), Some(slice));
    }
    let mut rng = SplitMix64::new(5);
    for _ in 0..20_000 {
        let spot = random_spot(&mut rng);
        let state = RULES.position(spot).expect("every number is a valid position");
        assert_eq!(RULES.locate(&state), Some(spot));
    }
}

#[test]
fn successors_are_those_of_the_move_generator() {
    let mut rng = SplitMix64::new(6);
    for _ in 0..20_000 {
        let spot = random_spot(&mut rng);
        let state = RULES.position(spot).expect("every number is a valid position");
        let mut moves = Vec::new();
        RULES.moves(&state, &mut moves);
        let mut expected: Vec<Option<Spot>> = moves
            .into_iter()
            .map(|mv| {
                let mut next = state;
                next.play(mv);
                RULES.locate(&next)
            })
            .collect();
        let mut found = Vec::new();
        RULES.successors(spot, &mut found);
        let mut found: Vec<Option<Spot>> =
            found.into_iter().map(|s| if let Successor::At(spot) = s { Some(spot) } else { None }).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{state:?}");
    }
}

/// Every edge inside a group is found from both ends, equally often.
#[test]
fn predecessors_are_the_successors_turned_round() {
    for group in RULES.slice_groups(3) {
        let (mut forward, mut backward) = (Vec::new(), Vec::new());
        let (mut after, mut before) = (Vec::new(), Vec::new());
        for &slice in &group {
            for index in 0..RULES.slice_len(slice) {
                let here = Spot { slice, index };
                RULES.successors(here, &mut after);
                let inside = after
                    .drain(..)
                    .filter_map(|s| if let Successor::At(spot) = s { Some(spot) } else { None });
                forward.extend(inside.filter(|spot| group.contains(&spot.slice)).map(|spot| (here, spot)));
                RULES.predecessors(here, &mut before);
                backward.extend(before.drain(..).map(|spot| (spot, here)));
            }
        }
        forward.sort_unstable();
        backward.sort_unstable();
        assert!(forward == backward, "{group:?}: {} forward, {} backward", forward.len(), backward.len());
    }
}

#[test]
fn groups_lead_only_to_themselves_and_earlier_ones() {
    let mut known = std::collections::HashSet::new();
    let mut out = Vec::new();
    for group in RULES.slice_groups(3) {
        known.extend(group.iter().copied());
        for &slice in &group {
            for index in 0..RULES.slice_len(slice) {
                RULES.successors(Spot { slice, index }, &mut out);
                for successor in out.drain(..) {
                    match successor {
                        Successor::At(spot) => assert!(known.contains(&spot.slice)),
                        Successor::Over(value) => assert_eq!(value, Value::Loss(0)),
                        Successor::Outside => panic!("nothing is outside"),
                    }
                }
            }
        }
    }
}
