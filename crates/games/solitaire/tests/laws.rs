//! The law suite over every named board, some boards of one's own, and the readers of text.

use proptest::prelude::*;
use std::path::Path;
use tabia_core::{Game, Notation, Puzzle};
use tabia_solitaire::{Goal, Solitaire};
use tabia_testkit::laws::Effort;
use tabia_testkit::{golden, laws, parsers, strategies};

#[test]
fn every_named_board_keeps_the_laws() {
    let effort = Effort { games: 4, plies: 60, seed: 33 };
    laws::check_game(&Solitaire::english(), effort);
    laws::check_puzzle(&Solitaire::english(), effort);
}

#[test]
fn goals_that_break_the_symmetry_keep_the_laws() {
    let rules = Solitaire::english();
    for (name, order) in [("d4", 8), ("d1", 2), ("c1", 1), ("a3", 1), ("c3", 2), ("d2", 2), ("b3", 1)] {
        let hole = rules.board().hole(name).unwrap();
        let rules = rules.with(Goal::Hole(hole));
        assert_eq!(rules.group().order(), order, "{name}");
        laws::check_game(&rules, Effort { games: 1, plies: 60, seed: 7 });
    }
}

#[test]
fn boards_of_ones_own_keep_the_laws() {
    for drawing in ["ooo.oo", "o/o/.", "oo.o/oooo/ooo-", "o/o./ooo/o-oo", "oooo/o.oo/oooo"] {
        let position = Solitaire::english().parse(drawing).unwrap();
        assert_eq!(position.rules.format(&position.state), drawing);
        laws::check_game(&position.rules, Effort { games: 2, plies: 30, seed: 1 });
    }
}

#[test]
fn every_board_and_goal_is_a_variant() {
    let boards = tabia_solitaire::catalogue::all().iter().map(|known| Solitaire::new(known.board.clone()));
    let english = Solitaire::english();
    let goals = ["d4", "a3"].map(|goal| english.with_goal(goal).unwrap());
    let drawn = ["ooo.oo", "oo.o/oooo/ooo-", "o/o./ooo/o-oo"].map(|text| english.parse(text).unwrap().rules);
    laws::check_variants(&boards.chain(goals).chain(drawn).collect::<Vec<_>>());
}

#[test]
fn golden_playthroughs_stay() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../data/solitaire/golden.txt");
    golden::check_file(&Solitaire::english(), &path, 2002, 60);
}

proptest! {
    #[test]
    fn readers_never_panic(text in strategies::texts(&Solitaire::english())) {
        parsers::never_panic(&Solitaire::english(), &text);
        parsers::never_panic(&Solitaire::named("triangle5").unwrap(), &text);
        let _ = tabia_solitaire::parse_goal(&Solitaire::english(), &text);
    }

    #[test]
    fn drawings_never_panic(text in "[o.\\-/ \n]{0,90}") {
        parsers::never_panic(&Solitaire::english(), &text);
    }

    #[test]
    fn canonical_form_is_the_same_for_every_image(bits in any::<u64>(), board in 0..11usize) {
        let rules = Solitaire::new(tabia_solitaire::catalogue::all()[board].board.clone());
        let pegs = bits & rules.board().full();
        let canonical = rules.group().canonical(pegs);
        let images = rules.group().images(pegs);
        prop_assert_eq!(images.iter().min(), Some(&canonical));
        for image in images {
            prop_assert_eq!(rules.group().canonical(image), canonical);
        }
        for (element, &image) in images.iter().enumerate().take(rules.group().order()) {
            prop_assert_eq!(rules.group().image(pegs, element), image);
        }
    }
}

#[test]
fn groups_are_found_from_the_holes() {
    let orders =
        tabia_solitaire::catalogue::all().iter().map(|known| (known.name, known.board.group().order()));
    let expected = [
        ("english", 8),
        ("european", 8),
        ("wiegleb", 8),
        ("diamond", 8),
        ("asymmetric", 2),
        ("6x6", 8),
        ("triangle4", 6),
        ("triangle5", 6),
        ("triangle6", 6),
        ("triangle7", 6),
        ("triangle8", 6),
    ];
    assert_eq!(orders.collect::<Vec<_>>(), expected);
    let rectangle = Solitaire::english().parse("oooo/o.oo/oooo").unwrap().rules;
    assert_eq!(rectangle.board().group().order(), 4);
    let lopsided = Solitaire::english().parse("oooo/o.oo/ooo-").unwrap().rules;
    assert_eq!(lopsided.board().group().order(), 1);
}

#[test]
fn boards_have_the_holes_they_are_known_for() {
    let sizes = tabia_solitaire::catalogue::all().iter().map(|known| known.board.size());
    assert_eq!(sizes.collect::<Vec<_>>(), [33, 37, 45, 41, 39, 36, 10, 15, 21, 28, 36]);
    assert_eq!(Solitaire::english().board().jumps().len(), 76);
    assert_eq!(Solitaire::english().variant(), "solitaire");
    assert_eq!(Solitaire::named("6x6").unwrap().variant(), "solitaire+6x6");
}

#[test]
fn every_position_can_be_set_up_piece_by_piece() {
    laws::check_arrange(&tabia_solitaire::Solitaire::default(), Effort { games: 4, ..Effort::default() });
}
