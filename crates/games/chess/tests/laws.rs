//! The laws of every game, and published counts.

use proptest::prelude::*;
use std::path::Path;
use tabia_chess::{Chess, fen};
use tabia_core::{Outcome, SplitMix64, playout};
use tabia_testkit::laws::Effort;
use tabia_testkit::{golden, laws, parsers, perft_file, strategies};

const PERFT: &str = include_str!("../../../../data/chess/perft.txt");

#[test]
fn every_law_holds() {
    let effort = Effort { games: 6, ..Effort::default() };
    laws::check_game(&Chess, effort);
    laws::check_search(&Chess, effort);
    laws::check_files(&Chess, effort);
}

#[test]
fn keys_and_bytes_stay_what_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../data/chess/golden.txt");
    golden::check_file(&Chess, &path, 64, 80);
}

/// The moves that a FEN says were quiet count in random games as they do in records.
#[test]
fn random_games_begin_with_the_clock_of_the_position() {
    let state = fen::parse("4k3/8/8/8/8/8/8/R3K2R w - - 98 90").unwrap();
    for seed in 0..20 {
        let mut rng = SplitMix64::new(seed);
        let (outcome, plies) = playout::playout(&Chess, state, &mut rng, &mut Vec::new(), |_| ());
        assert!(plies <= 2, "{plies} plies with seed {seed}");
        assert!(outcome == Outcome::Draw || plies == 1);
    }
}

#[test]
fn published_counts() {
    perft_file::check(&Chess, PERFT, 2_000_000);
}

#[test]
#[ignore = "long: all published counts, up to 194 million"]
fn all_published_counts() {
    perft_file::check(&Chess, PERFT, u64::MAX);
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in strategies::texts(&Chess)) {
        parsers::never_panic(&Chess, &text);
    }
}

#[test]
fn every_position_can_be_set_up_piece_by_piece() {
    laws::check_arrange(&tabia_chess::Chess, Effort { games: 4, ..Effort::default() });
}

#[test]
fn endings_are_numbered() {
    laws::check_index(&Chess, 4, Effort { games: 10, plies: 60, seed: 1 });
}
