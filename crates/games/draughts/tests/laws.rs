//! The law suite, and the golden playthrough that pins keys and bytes.

use proptest::prelude::*;
use std::path::Path;
use tabia_core::{Game, Notation, Present, SplitMix64};
use tabia_draughts::{Draughts, Setup, State};
use tabia_testkit::laws::Effort;
use tabia_testkit::{golden, laws, parsers, strategies};

#[test]
fn every_law_holds() {
    let rules = Draughts::default();
    laws::check_game(&rules, Effort::default());
    laws::check_search(&rules, Effort::default());
    laws::check_files(&rules, Effort::default());
}

#[test]
fn every_law_holds_for_unique_moves() {
    let rules = Draughts::default().with_count_mode("unique").unwrap();
    let effort = Effort { seed: 1, ..Effort::default() };
    laws::check_game(&rules, effort);
    laws::check_search(&rules, effort);
    laws::check_files(&rules, effort);
    laws::check_index(&rules, 4, Effort { games: 10, plies: 100, seed: 1 });
    laws::check_levels(&rules, 4, Effort { games: 2, plies: 60, seed: 1 });
}

#[test]
fn keys_and_bytes_are_pinned() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../data/draughts/golden.txt");
    golden::check_file(&Draughts::default(), &path, 3, 120);
}

/// Positions with many kings, which random play seldom meets: long and circular captures.
#[test]
fn symmetry_keeps_the_moves_of_king_positions() {
    let mut rng = SplitMix64::new(7);
    for mode in ["routes", "unique"] {
        let rules = Draughts::default().with_count_mode(mode).unwrap();
        for _ in 0..3000 {
            let [men, kings] = [4 + rng.below(8) as u32, 1 + rng.below(3) as u32];
            let Some(state) = Setup::random(None, 0, men, kings, kings, &mut rng) else { continue };
            let state = State::try_from(state).unwrap();
            let (mut moves, mut image_moves) = (Vec::new(), Vec::new());
            rules.moves(&state, &mut moves);
            rules.moves(&state.turned(), &mut image_moves);
            let swap = tabia_draughts::HalfTurn::SWAP;
            let mut mapped: Vec<_> = moves.iter().map(|&mv| rules.map_move(mv, swap)).collect();
            mapped.sort();
            image_moves.sort();
            assert_eq!(mapped, image_moves, "{mode}: {state:?}");
            for mv in moves {
                let text = rules.format_move(&state, mv);
                assert_eq!(rules.parse_move(&state, &text), Ok(mv), "{mode}: {text} in {state:?}");
            }
        }
    }
}

proptest! {
    #[test]
    fn readers_never_panic(text in strategies::texts(&Draughts::default())) {
        parsers::never_panic(&Draughts::default(), &text);
    }

    #[test]
    fn move_readers_never_panic(text in "[0-9x:-]{0,12}", at in strategies::positions(&Draughts::default(), 60)) {
        let _ = at.rules.parse_move(&at.state, &text);
    }

    #[test]
    fn dumps_with_damage_are_refused_at_the_damage(at in 0usize..65, with in "[^01248BW]") {
        let mut dump = Setup::default_start().encode_dump();
        dump.replace_range(at..=at, &with);
        prop_assert_eq!(Setup::from_dump(&dump).unwrap_err().offset, at);
    }

    #[test]
    fn any_bytes_unpack_or_are_refused(bytes in any::<[u8; 13]>()) {
        let rules = Draughts::default();
        if let Ok(state) = rules.unpack(&bytes) {
            prop_assert_eq!(rules.pack(&state), bytes);
        }
    }
}

#[test]
fn every_position_can_be_set_up_piece_by_piece() {
    laws::check_arrange(&tabia_draughts::Draughts::default(), Effort { games: 4, ..Effort::default() });
}
