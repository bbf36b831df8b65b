//! The laws find the bugs of somebody new to Tabia: a whole and correct game, with one planted at a time.

#[path = "breakthrough/mod.rs"]
mod rules;

use rules::{Breakthrough, Bug};
use tabia_testkit::laws::{Effort, Violation, game_verdict, search_verdict, variants_verdict};

/// All laws that a game with an evaluation and several boards calls.
fn first_violation(size: usize, bug: Option<Bug>) -> Option<Violation> {
    let rules = Breakthrough { size, bug };
    let boards = [4, 5, 6].map(|size| Breakthrough { size, bug });
    variants_verdict(&boards)
        .and_then(|()| game_verdict(&rules, Effort::default(), |_| Vec::new()))
        .and_then(|()| search_verdict(&rules, Effort::default()))
        .err()
}

#[test]
fn breakthrough_keeps_every_law() {
    for size in [4, 5, 6] {
        assert_eq!(first_violation(size, None), None, "{size}");
    }
}

#[test]
fn all_twelve_bugs_are_found() {
    for (bug, law) in [
        (Bug::WhitesView, "symmetric positions evaluate equally"),
        (Bug::SlotOutOfRange, "slots of moves are below their number"),
        (Bug::OneVariant, "different rules have different variants"),
        (Bug::StepsReversed, "clicks begin on the piece that moves"),
        (Bug::HalfThePicture, "every move changes the picture"),
        (Bug::RareEnding, "a game is over exactly when there is no move"),
        (Bug::KeyForgetsCapture, "the key follows every move"),
        (Bug::PackForgetsTurn, "unpacking gives the position"),
        (Bug::UnpackTakesAnything, "an encoding is the only one of its position"),
        (Bug::MoveNotMirrored, "legal moves map to legal moves"),
        (Bug::MovesAfterTheEnd, "a game is over exactly when there is no move"),
        (Bug::MoveTextAmbiguous, "a written move can be read"),
    ] {
        for size in [4, 5, 6] {
            let found = first_violation(size, Some(bug));
            assert_eq!(
                found.as_ref().map(|violation| violation.law),
                Some(law),
                "{bug:?}, {size}: {found:?}"
            );
        }
    }
}

/// A newcomer who never lists the boards side by side is told too.
#[test]
fn boards_with_one_variant_are_found_on_the_second_board() {
    let rules = Breakthrough { size: 6, bug: Some(Bug::OneVariant) };
    let found = game_verdict(&rules, Effort::default(), |_| Vec::new()).unwrap_err();
    assert_eq!(found.law, "rules with one variant play alike");
}

/// The message of a key that a capture forgets names the move, the two positions and the two keys.
#[test]
fn a_forgotten_key_is_reported_with_its_move() {
    let found = first_violation(5, Some(Bug::KeyForgetsCapture)).unwrap();
    assert!(found.details.contains("after play") && found.details.contains("leads to"), "{}", found.details);
}
