//! The laws of every game, and published counts.

use proptest::prelude::*;
use tabia_chess::Chess;
use tabia_testkit::{laws, parsers, perft_file, strategies};

const PERFT: &str = include_str!("../../../../data/chess/perft.txt");

#[test]
fn every_law_holds() {
    laws::check(&Chess, &laws::Options { games: 6, ..laws::Options::default() });
}

#[test]
fn published_counts() {
    perft_file::check(&Chess, PERFT, 500_000);
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
