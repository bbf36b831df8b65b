//! The numbers of endings against the rules.

use super::*;
use crate::fen;
use tabia_core::{Game, SplitMix64};

#[test]
fn slices_are_all_materials() {
    let count = |men| Chess.slice_groups(men).len();
    // Bare kings; five materials of three men; thirty of four, sixty of five without pawns.
    assert_eq!([2, 3, 4, 5, 9].map(count), [1, 6, 36, 96, 96]);
    let names: Vec<String> = Chess.slice_groups(3).concat().iter().map(|s| Chess.slice_name(*s)).collect();
    assert_eq!(names.len(), 11);
    for name in ["KvK", "KQvK", "KvKP", "KPvKP-ep", "KBBvKN"] {
        let slice = Chess.slice_named(name).expect(name);
        assert_eq!(Chess.slice_name(slice), name);
    }
    for name in ["", "K", "KQ", "KvKv", "KQvQ", "KBQvK", "KPPvKP", "KQQQQvK", "KQvK-ep", "KPvKP-EP", "kqvk"] {
        assert_eq!(Chess.slice_named(name), None, "{name}");
    }
}

#[test]
fn some_positions_have_no_number() {
    for text in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/R3KBNR w - - 0 1"] {
        assert_eq!(Chess.locate(&fen::parse(text).unwrap()), None, "{text}");
    }
}

/// A capture en passant that is possible makes another position, one that is not does not.
#[test]
fn en_passant_has_a_slice_of_its_own() {
    let name = |text: &str| Chess.slice_name(Chess.locate(&fen::parse(text).unwrap()).unwrap().slice);
    assert_eq!(name("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), "KPvKP-ep");
    assert_eq!(name("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), "KPvKP-ep");
    assert_eq!(name("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"), "KPvKP");
    assert_eq!(name("4k3/8/8/3p3P/8/8/8/4K3 w - d6 0 1"), "KPvKP");
}

#[test]
fn five_men_without_pawns_have_numbers() {
    let mut rng = SplitMix64::new(3);
    let five: Vec<Slice> =
        Chess.slice_groups(5).concat().into_iter().filter(|s| Chess.slice_pieces(*s) == 5).collect();
    let (mut found, mut out) = (0, Vec::new());
    while found < 2000 {
        let slice = five[rng.below(five.len() as u64) as usize];
        let spot = Spot { slice, index: rng.below(Chess.slice_len(slice)) };
        let Some(state) = Chess.position(spot) else {
            assert!(Chess.is_gap(spot));
            continue;
        };
        assert_eq!(Chess.locate(&state), Some(spot));
        out.clear();
        Chess.successors(spot, &mut out);
        assert_eq!(out.len() as u64, Chess.count_moves(&state), "{}", fen::format(&state));
        found += 1;
    }
}
