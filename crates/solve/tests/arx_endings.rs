//! Endings of Arx: ways of computing that share nothing.

use tabia_arx::Arx;
use tabia_core::{Game, Index, SplitMix64, Spot, Work};
use tabia_solve::code;
use tabia_solve::file::Precision;
use tabia_solve::slices::{SliceFolder, build_groups, verify};
use tabia_solve::strong::{StrongOptions, solve};

/// The index, its successors and its moves taken back against the game's own moves and a graph turned round.
#[test]
fn a_single_man_agrees_with_the_strong_solver_and_with_verification() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KSvK", "KDvK"] {
        let groups = Arx.groups_for(Arx.slice_named(name).unwrap());
        build_groups(&Arx, folder.path(), &groups, Precision::Distance, &Work::unwatched(2)).unwrap();
    }
    let tables = SliceFolder::open(Arx, folder.path()).unwrap();
    let mut rng = SplitMix64::new(4);
    let soldier = Arx.slice_named("KSvK").unwrap();
    let mut random = || Arx.position(Spot { slice: soldier, index: rng.below(Arx.slice_len(soldier)) });
    let starts: Vec<_> = (0..40).filter_map(|_| random()).collect();
    let solution = solve(&Arx, &starts, &StrongOptions::default(), &Work::unwatched(2)).unwrap();
    assert!(solution.len() > 50_000, "{}", solution.len());
    for (key, found) in solution.entries() {
        let state = Arx.unpack(key).unwrap();
        assert_eq!(tables.get(&state).unwrap(), Some(code::decode(found)), "{state:?}");
    }
    let verdict = verify(&tables, &Work::unwatched(2)).unwrap();
    assert!(verdict.is_right() && verdict.proof, "{:?}", verdict.examples);
}
