//! The laws of every game, and published counts.

use proptest::prelude::*;
use std::path::Path;
use tabia_chess::Chess;
use tabia_testkit::{golden, laws, parsers, perft_file, strategies};

const PERFT: &str = include_str!("../../../../data/chess/perft.txt");

#[test]
fn every_law_holds() {
    laws::check(&Chess, &laws::Options { games: 6, ..laws::Options::default() });
}

#[test]
fn keys_and_bytes_stay_what_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../data/chess/golden.txt");
    golden::check_file(&Chess, &path, 64, 80);
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
