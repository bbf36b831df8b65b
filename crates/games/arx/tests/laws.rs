//! Arx keeps every law, the published counts, and its pinned keys and bytes.

use proptest::prelude::*;
use std::path::Path;
use tabia_arx::Arx;
use tabia_testkit::laws::Effort;
use tabia_testkit::{golden, laws, parsers, perft_file, strategies};

const PERFT: &str = include_str!("../../../../data/arx/perft.txt");

#[test]
fn keeps_the_laws() {
    let effort = Effort { games: 9, plies: 200, ..Effort::default() };
    laws::check_game(&Arx, effort);
    laws::check_search(&Arx, effort);
}

#[test]
#[ignore = "long: the law suite over many games"]
fn keeps_the_laws_for_long() {
    let effort = Effort { games: 100, plies: 300, seed: 9 };
    laws::check_game(&Arx, effort);
    laws::check_search(&Arx, effort);
}

#[test]
fn perft_counts_are_the_published_ones() {
    perft_file::check(&Arx, PERFT, 10_000_000);
}

#[test]
#[ignore = "long: depth 5 from the start"]
fn perft_counts_to_the_end_of_the_file() {
    perft_file::check(&Arx, PERFT, u64::MAX);
}

#[test]
fn keys_and_bytes_are_pinned() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../data/arx/golden.txt");
    golden::check_file(&Arx, &path, 1, 60);
}

proptest! {
    #[test]
    fn parsers_never_panic(text in strategies::texts(&Arx)) {
        parsers::never_panic(&Arx, &text);
    }

    #[test]
    fn code_parsers_never_panic(text in "[0-9a-fA-FxX, ]{0,200}|[A-Za-z0-9+/=é]{100,120}|\\^?[a-jA-J0-9x+^-]{0,7}") {
        parsers::never_panic(&Arx, &text);
    }
}

#[test]
fn every_position_can_be_set_up_piece_by_piece() {
    laws::check_arrange(&tabia_arx::Arx, Effort { games: 4, ..Effort::default() });
}

#[test]
fn endings_are_numbered() {
    laws::check_index(&Arx, 4, Effort { games: 10, plies: 60, seed: 1 });
}
