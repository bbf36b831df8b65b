//! Numbers of moves and planes: the laws, and a stack as the planes show it.

use tabia_arx::Arx;
use tabia_core::{Actions, Game, Notation, Observe};
use tabia_testkit::laws::{self, Effort};

#[test]
fn numbers_and_planes_keep_the_laws() {
    let options = Effort { games: 8, plies: 200, ..Effort::default() };
    laws::check_actions(&Arx, options);
    laws::check_observe(&Arx, options, |_| Vec::new());
    assert_eq!((Arx.action_count(), Arx.planes().bytes()), (5120, 17 * 81));
}

#[test]
fn stacks_show_bottom_and_top() {
    let position = Arx.parse("4k4/9/9/9/9/9/[SS][CS]7/9/4K4 b").unwrap();
    let mut planes = vec![9; 17 * 81];
    Arx.observe(&position.state, 3, &mut planes);
    // Black sees A3 as I7 and B3 as H7: row 2, columns 8 and 7. Soldiers are kind 0, Commanders 2.
    let theirs = |kind: usize| &planes[(8 + kind) * 81..][..81];
    assert_eq!((theirs(0)[2 * 9 + 8], theirs(0)[2 * 9 + 7], theirs(2)[2 * 9 + 7]), (3, 1, 2));
    assert_eq!(planes[7 * 81 + 8 * 9 + 4], 1, "the own King stands on row 8");
    let shown = planes[..16 * 81].iter().filter(|&&cell| cell != 0).count();
    assert_eq!((shown, planes[16 * 81]), (5, 3));
}

#[test]
fn the_top_alone_has_a_number_of_its_own() {
    let state = Arx.parse("4k4/9/9/9/9/9/[SC]8/9/4K4 w").unwrap().state;
    let (mut whole, mut top) = (0, 0);
    let mut moves = Vec::new();
    Arx.moves(&state, &mut moves);
    for mv in moves {
        let half = if mv.unstack() { &mut top } else { &mut whole };
        *half += 1;
        assert_eq!(Arx.action_of(&state, mv) >= 2560, mv.unstack());
    }
    assert!(whole > 0 && top > 0);
}
