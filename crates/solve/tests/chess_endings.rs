//! Endings of chess: published figures, and ways of computing that share nothing.

use std::path::Path;
use tabia_chess::Chess;
use tabia_core::{Index, Work};
use tabia_solve::file::Precision;
use tabia_solve::slices::{SliceFolder, build_groups, verify};

/// The moves of the longest mate, as published: by whichever side moves first, with best play of both.
const PUBLISHED: [(&str, u16); 4] = [("KQvK", 10), ("KRvK", 16), ("KPvK", 28), ("KvK", 0)];
const PUBLISHED_FOUR: [(&str, u16); 16] = [
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
];

fn built(folder: &Path, slices: &[&str]) -> SliceFolder<Chess> {
    for name in slices {
        let groups = Chess.groups_for(Chess.slice_named(name).unwrap());
        build_groups(&Chess, folder, &groups, Precision::Distance, &Work::unwatched(2)).unwrap();
    }
    SliceFolder::open(Chess, folder).unwrap()
}

fn longest(tables: &SliceFolder<Chess>, name: &str) -> u16 {
    let slice = Chess.slice_named(name).unwrap();
    let (_, file) = tables.files().into_iter().find(|(found, _)| *found == slice).unwrap();
    file.info().longest.div_ceil(2)
}

#[test]
fn mates_of_three_men_take_as_long_as_published() {
    let folder = tempfile::tempdir().unwrap();
    let tables = built(folder.path(), &["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
    for (name, moves) in PUBLISHED {
        assert_eq!(longest(&tables, name), moves, "{name}");
    }
    let verdict = verify(&tables, &Work::unwatched(2)).unwrap();
    assert!(verdict.is_right() && verdict.proof, "{:?}", verdict.examples);
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
