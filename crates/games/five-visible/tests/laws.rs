//! The laws, the published counts, the pinned playthrough, and arbitrary input.

use std::path::Path;
use tabia_core::{Notation, Present, SplitMix64};
use tabia_five_visible::{FiveVisible, Place, Relocation, RuleOptions, all_keys};
use tabia_testkit::laws::Effort;
use tabia_testkit::{golden, laws, parsers, perft_file, strategies};

/// A few random relocations: the whole group has 362,880.
fn relocations(rng: &mut SplitMix64) -> Vec<Relocation> {
    (0..2).filter_map(|_| Relocation::new(shuffled(rng))).collect()
}

fn shuffled(rng: &mut SplitMix64) -> [Place; 9] {
    let mut places = Place::ALL;
    for i in (1..places.len()).rev() {
        places.swap(i, rng.below(i as u64 + 1) as usize);
    }
    places
}

#[test]
fn keeps_the_laws_under_all_options() {
    for options in RuleOptions::all() {
        let rules = FiveVisible { options, ..Default::default() };
        let effort = Effort { games: 6, ..Effort::default() };
        laws::check_game_drawing(&rules, effort, relocations);
        laws::check_search(&rules, effort);
    }
}

#[test]
fn every_set_of_options_is_a_variant() {
    let rules: Vec<_> =
        RuleOptions::all().map(|options| FiveVisible { options, ..Default::default() }).to_vec();
    laws::check_variants(&rules);
}

#[test]
fn keys_are_good() {
    laws::key_table(all_keys());
}

#[test]
fn perft_by_location() {
    perft_file::check(
        &FiveVisible::default(),
        include_str!("../../../../data/five-visible/perft.txt"),
        1_000_000,
    );
}

#[test]
fn perft_by_hashcode() {
    let rules = FiveVisible::default().with_count_mode("canonical").unwrap();
    perft_file::check(&rules, include_str!("../../../../data/five-visible/perft-canonical.txt"), 1_000_000);
}

#[test]
fn codes_never_change() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../data/five-visible/golden.txt");
    golden::check_file(&FiveVisible::default(), &path, 5, 60);
}

proptest::proptest! {
    #[test]
    fn parsers_never_panic(text in strategies::texts(&FiveVisible::default())) {
        parsers::never_panic(&FiveVisible::default(), &text);
    }

    #[test]
    fn any_number_decodes_to_itself_or_is_refused(code: u64, text in "0x[0-3][0-9A-F]{1,15}(:[01])?") {
        use tabia_core::Game;
        let rules = FiveVisible::default();
        if let Ok(state) = rules.unpack(&code.to_be_bytes()) {
            proptest::prop_assert_eq!(rules.pack(&state), code.to_be_bytes());
        }
        if let Ok(position) = rules.parse(&text) {
            let code = rules.encode(&position.state, "hashcode").unwrap();
            proptest::prop_assert_eq!(rules.parse(&code).unwrap(), position);
        }
    }
}

#[test]
fn every_position_can_be_set_up_piece_by_piece() {
    laws::check_arrange(
        &tabia_five_visible::FiveVisible::default(),
        Effort { games: 4, ..Effort::default() },
    );
}
