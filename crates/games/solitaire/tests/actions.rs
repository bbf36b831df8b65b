//! Numbers of jumps and planes: the laws on every named board and some others.

use tabia_core::{Actions, Notation, Observe};
use tabia_solitaire::{Goal, Solitaire, catalogue};
use tabia_testkit::laws::{self, Effort};

const OPTIONS: Effort = Effort { games: 3, plies: 60, seed: 4 };

fn check(rules: &Solitaire) {
    laws::check_actions(rules, OPTIONS);
    laws::check_observe(rules, OPTIONS, |_| Vec::new());
    assert_eq!(rules.action_count(), rules.board().jumps().len());
}

#[test]
fn numbers_and_planes_keep_the_laws_on_every_board() {
    for known in catalogue::all() {
        check(&Solitaire::new(known.board.clone()));
    }
    for drawing in ["ooo.oo", "o/o/.", "oo.o/oooo/ooo-", "o/o./ooo/o-oo"] {
        check(&Solitaire::english().parse(drawing).unwrap().rules);
    }
    let english = Solitaire::english();
    check(&english.with(Goal::Hole(english.board().hole("d1").unwrap())));
    assert_eq!((english.action_count(), english.planes().bytes()), (76, 2 * 49));
}
