//! Endings of chess: published figures, and ways of computing that share nothing.

use std::path::Path;
use tabia_chess::Chess;
use tabia_core::{Game, Index, Probe, SplitMix64, Spot, Stop, Value, Work};
use tabia_solve::code;
use tabia_solve::file::{Precision, TableFile};
use tabia_solve::slices::{SliceFolder, build_groups, verify};
use tabia_solve::stats::Histogram;
use tabia_solve::strong::{StrongOptions, solve};

/// The moves of the longest mate, as published: by whichever side moves first, with best play of both.
const PUBLISHED: [(&str, u16); 4] = [("KQvK", 10), ("KRvK", 16), ("KPvK", 28), ("KvK", 0)];
/// How many positions take longest, with plies to mate: counted by the user guido on K. Kryukov's board on endgame
/// tables ("Longest Mate in kqk").
const PUBLISHED_COUNTS: [(&str, Value, u64); 6] = [
    ("KQvK", Value::Win(19), 1),
    ("KvKQ", Value::Loss(20), 8),
    ("KRvK", Value::Win(31), 121),
    ("KvKR", Value::Loss(32), 390),
    ("KPvK", Value::Win(55), 3),
    ("KvKP", Value::Loss(56), 2),
];
/// The last is the longest of all endings of four men: 85 plies (H. Conrady, Computer Chess Club, June 2000).
const PUBLISHED_FOUR: [(&str, u16); 17] = [
    ("KBBvK", 19),
    ("KBNvK", 33),
    ("KQvKR", 35),
    ("KRvKN", 40),
    ("KRvKB", 29),
    ("KQvKQ", 13),
    ("KQQvK", 4),
    ("KQvKB", 17),
    ("KQvKN", 21),
    ("KRvKR", 19),
    ("KBvKB", 1),
    ("KBvKN", 1),
    ("KNvKN", 1),
    ("KNNvK", 1),
    ("KQvKP", 28),
    ("KRRvK", 7),
    ("KPvKR", 43),
];

fn built(folder: &Path, slices: &[&str]) -> SliceFolder<Chess> {
    for name in slices {
        let groups = Chess.groups_for(Chess.slice_named(name).unwrap());
        build_groups(&Chess, folder, &groups, Precision::Distance, &Work::unwatched(2)).unwrap();
    }
    SliceFolder::open(Chess, folder).unwrap()
}

fn file<'a>(tables: &'a SliceFolder<Chess>, name: &str) -> &'a TableFile {
    let slice = Chess.slice_named(name).unwrap();
    tables.files().into_iter().find(|(found, _)| *found == slice).unwrap().1
}

fn longest(tables: &SliceFolder<Chess>, name: &str) -> u16 {
    file(tables, name).info().longest.div_ceil(2)
}

#[test]
fn mates_of_three_men_take_as_long_as_published() {
    let folder = tempfile::tempdir().unwrap();
    let tables = built(folder.path(), &["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
    for (name, moves) in PUBLISHED {
        assert_eq!(longest(&tables, name), moves, "{name}");
    }
    for (name, value, positions) in PUBLISHED_COUNTS {
        let bars = Histogram::of(file(&tables, name), &Stop::new()).unwrap();
        assert_eq!(bars.count(value), positions, "{name}");
    }
    let verdict = verify(&tables, &Work::unwatched(2)).unwrap();
    assert!(verdict.is_right() && verdict.proof, "{:?}", verdict.examples);
}

/// Promotions and all: enumeration by the game's own moves, and a graph turned round.
#[test]
fn pawns_agree_with_the_strong_solver() {
    let folder = tempfile::tempdir().unwrap();
    let tables = built(folder.path(), &["KPvK"]);
    let mut rng = SplitMix64::new(6);
    let pawn = Chess.slice_named("KPvK").unwrap();
    let mut random = || Chess.position(Spot { slice: pawn, index: rng.below(Chess.slice_len(pawn)) });
    let starts: Vec<_> = (0..20).filter_map(|_| random()).collect();
    let solution = solve(&Chess, &starts, &StrongOptions::default(), &Work::unwatched(2)).unwrap();
    assert!(solution.len() > 300_000, "{}", solution.len());
    for (key, found) in solution.entries() {
        let state = Chess.unpack(key).unwrap();
        assert_eq!(tables.get(&state).unwrap(), Some(code::decode(found)), "{state:?}");
    }
}

#[test]
fn wrong_and_damaged_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let state = built(folder.path(), &["KQvK"]).game().position(spot("KQvK", 20_000)).unwrap();
    let (queen, rook) = (folder.path().join("chess-KQvK.tbl"), folder.path().join("chess-KRvK.tbl"));
    let mut bytes = std::fs::read(&queen).unwrap();
    std::fs::write(&rook, &bytes).unwrap();
    let refused = SliceFolder::open(Chess, folder.path()).err().unwrap().to_string();
    assert!(refused.contains("chess-KRvK.tbl") && refused.contains("KRvK is needed"), "{refused}");
    std::fs::remove_file(&rook).unwrap();
    // Nearly all of a file is its blocks.
    for at in 1..10 {
        let place = at * bytes.len() / 10;
        bytes[place] ^= 0x55;
    }
    std::fs::write(&queen, &bytes).unwrap();
    let tables = SliceFolder::open(Chess, folder.path()).unwrap();
    let refused = tables.get(&state).unwrap_err().to_string();
    assert!(refused.contains("chess-KQvK.tbl"), "{refused}");
    assert!(
        tables.probe(&state).is_none()
            && tables.fault().is_some_and(|fault| fault.contains("chess-KQvK.tbl"))
    );
    assert!(verify(&tables, &Work::unwatched(2)).is_err());
}

fn spot(slice: &str, near: u64) -> Spot {
    let slice = Chess.slice_named(slice).unwrap();
    (near..u64::MAX).map(|index| Spot { slice, index }).find(|spot| !Chess.is_gap(*spot)).unwrap()
}

#[test]
#[ignore = "long: builds endings of four men"]
fn mates_of_four_men_take_as_long_as_published() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<&str> = PUBLISHED_FOUR.iter().map(|(name, _)| *name).collect();
    let tables = built(folder.path(), &names);
    let found: Vec<_> = names.iter().map(|name| (*name, longest(&tables, name))).collect();
    assert_eq!(found, PUBLISHED_FOUR);
}
