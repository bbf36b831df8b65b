//! Numbers of moves and planes: the laws, and the sizes that follow from the board.

use tabia_core::{Actions, Game, Notation, Observe, SplitMix64};
use tabia_draughts::{Draughts, Setup, State};
use tabia_testkit::laws::{self, Effort};

#[test]
fn numbers_and_planes_keep_the_laws() {
    laws::check_actions(&Draughts::default(), Effort::default());
    laws::check_observe(&Draughts::default(), Effort::default(), |_| Vec::new());
}

/// Many kings make the long and circular captures that random play seldom meets.
#[test]
fn numbers_of_long_captures_keep_the_laws() {
    let (rules, mut rng) = (Draughts::default(), SplitMix64::new(11));
    let mut longest = 0;
    for _ in 0..20_000 {
        let [men, kings] = [4 + rng.below(8) as u32, 1 + rng.below(3) as u32];
        let Some(state) = Setup::random(None, 0, men, kings, kings, &mut rng) else { continue };
        let state = State::try_from(state).unwrap();
        laws::action_verdict(&rules, &state, &mut rng).unwrap();
        let mut moves = Vec::new();
        rules.moves(&state, &mut moves);
        longest = moves.iter().map(|mv| mv.captured().count_ones()).max().unwrap_or(0).max(longest);
    }
    assert!(longest >= 4, "{longest}");
}

/// 7 rows of 7 pairs of neighbours, both ways; the jumps are counted once more here, without a table.
#[test]
fn there_are_98_steps_and_1328_routes() {
    fn routes(row: i32, column: i32, jumped: &mut Vec<(i32, i32)>) -> usize {
        let mut count = 0;
        for (down, right) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let over = (row + down, column + right);
            let (row, column) = (row + 2 * down, column + 2 * right);
            if (0..8).contains(&row) && (0..8).contains(&column) && !jumped.contains(&over) {
                jumped.push(over);
                count += 1 + routes(row, column, jumped);
                jumped.pop();
            }
        }
        count
    }
    let dark =
        (0..8).flat_map(|row| (0..8).map(move |column| (row, column))).filter(|(r, c)| (r + c) % 2 == 1);
    let jumps: usize = dark.map(|(row, column)| routes(row, column, &mut Vec::new())).sum();
    assert_eq!((2 * 7 * 7, jumps), (98, 1328));
    // Four ways onto each square, though 30 of them come from beside the board.
    assert_eq!(Draughts::default().action_count(), 4 * 32 + 1328);
    assert_eq!(Draughts::default().planes().bytes(), 5 * 64);
}

#[test]
fn a_position_looks_as_it_stands() {
    let rules = Draughts::default();
    let state = rules.parse("W:W18,K32:B8,14,15,23").unwrap().state;
    let mut planes = vec![9; 320];
    rules.observe(&state, 7, &mut planes);
    let ones = |plane: usize| (0..64).filter(|cell| planes[plane * 64 + cell] == 1).collect::<Vec<_>>();
    // After the half turn 18 is 15, 32 is 1: rows 3 and 0. Of Black 8, 14, 15, 23 are 25, 19, 18, 10.
    assert_eq!(ones(0), [3 * 8 + 4]);
    assert_eq!(ones(1), [1]);
    assert_eq!(ones(2), [2 * 8 + 3, 4 * 8 + 3, 4 * 8 + 5, 6 * 8 + 1]);
    assert!(ones(3).is_empty() && planes[256..].iter().all(|&cell| cell == 7));
}
