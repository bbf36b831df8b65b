//! Counts of move sequences against published numbers, and against fingerprints of wrong rules.

use tabia_core::perft::{PerftOptions, perft};
use tabia_core::{Game, Present, Work};
use tabia_draughts::Draughts;

const FILE: &str = include_str!("../../../../data/draughts/perft.txt");
const UNIQUE_FILE: &str = include_str!("../../../../data/draughts/perft_unique.txt");

fn unique() -> Draughts {
    Draughts::default().with_count_mode("unique").unwrap()
}

#[test]
fn routes_as_published() {
    tabia_testkit::perft_file::check(&Draughts::default(), FILE, 100_000_000);
}

#[test]
fn unique_moves() {
    tabia_testkit::perft_file::check(&unique(), UNIQUE_FILE, 20_000_000);
}

#[test]
#[ignore = "long: perft 12 and 13"]
fn routes_as_published_deep() {
    tabia_testkit::perft_file::check(&Draughts::default(), FILE, u64::MAX);
}

#[test]
#[ignore = "long: perft 12 and 13"]
fn unique_moves_deep() {
    tabia_testkit::perft_file::check(&unique(), UNIQUE_FILE, u64::MAX);
}

/// A table of positions must not change a count.
#[test]
fn counting_with_a_table_is_exact() {
    let rules = Draughts::default();
    let options = PerftOptions { hash_entries: 1 << 16 };
    assert_eq!(perft(&rules, &rules.start(), 10, options, &Work::unwatched(1)), Ok(18391564));
}
