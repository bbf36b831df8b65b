//! Text, codes and errors, example by example.

use tabia_core::{Game, MoveError, Notation, Outcome, PositionError, Side};
use tabia_solitaire::{Goal, Solitaire, State, chain, parse_goal};

const START: &str = "--ooo--/--ooo--/ooooooo/ooo.ooo/ooooooo/--ooo--/--ooo--";

#[test]
fn the_start_is_written_as_in_the_contract() {
    let rules = Solitaire::english();
    assert_eq!(rules.format(&rules.start()), START);
    for text in ["english", "english:d4", "d4", START, " english ", "English"] {
        assert_eq!(rules.parse(text).unwrap().state, rules.start(), "{text}");
    }
    assert_eq!(rules.parse("6x6:a1").unwrap().rules.board().name(), Some("6x6"));
    let lines = START.replace('/', "\n");
    assert_eq!(rules.parse(&lines).unwrap().state, rules.start());
    let spaces = lines.replace('-', " ");
    assert_eq!(rules.parse(&spaces).unwrap().state, rules.start());
}

#[test]
fn bits_are_those_of_the_seven_by_seven_grid() {
    let rules = Solitaire::english();
    let mut expected = 0_u64;
    for (y, row) in START.split('/').enumerate() {
        for (x, c) in row.chars().enumerate() {
            expected |= u64::from(c == 'o') << (y * 7 + x);
        }
    }
    assert_eq!(rules.encode(&rules.start(), "bits").unwrap(), format!("{expected:#x}"));
    assert_eq!(rules.decode(&expected.to_string(), "bits").unwrap().state, rules.start());
    assert!(matches!(rules.decode("1", "bits"), Err(PositionError::Rules(_))));
    assert!(matches!(rules.decode("12x", "bits"), Err(PositionError::Syntax(e)) if e.offset == 2));
    assert!(matches!(rules.decode("99999999999999999999", "bits"), Err(PositionError::Syntax(_))));
}

#[test]
fn a_bad_board_is_told_what_is_wrong() {
    let rules = Solitaire::english();
    let message = |text: &str| rules.parse(text).unwrap_err().to_string();
    assert_eq!(message("o-o/-o-"), "the board has no three holes in a row, so no peg can ever jump");
    assert!(message("ooo/oxo").starts_with("at byte 5: expected 'o' (peg)"));
    assert!(message(&["ooooooooo"; 9].join("/")).starts_with("the board has 81 holes"));
    assert!(message(&"o".repeat(30)).starts_with("the board is 30 by 1"));
    assert!(message("europaen").contains("european"));
    assert!(message("english:a1").starts_with("at byte 8: expected a hole of the english board"));
    assert!(message("/-/").contains("a hole"));
    assert!(message("").contains("a board"));
}

#[test]
fn moves_say_why_they_are_refused() {
    let rules = Solitaire::english();
    let start = rules.start();
    let message = |text: &str| rules.parse_move(&start, text).unwrap_err().to_string();
    assert_eq!(message("d3-d4"), "d4 is not two steps in a row from d3");
    assert_eq!(message("d4-d2"), "there is no peg on d4");
    assert_eq!(message("c1-e1"), "e1 is not empty");
    assert!(matches!(rules.parse_move(&start, "d2"), Err(MoveError::Syntax(e)) if e.offset == 2));
    assert!(matches!(rules.parse_move(&start, "d2-"), Err(MoveError::Syntax(e)) if e.offset == 3));
    assert!(matches!(rules.parse_move(&start, "z2-d4"), Err(MoveError::Syntax(e)) if e.offset == 0));
    assert!(message("d2-d4 ").contains("expected '-'"));
}

#[test]
fn chains_are_jumps_in_a_row() {
    let position = Solitaire::english().parse("triangle5").unwrap();
    let rules = position.rules.parse("./o./.../.o../..o..").unwrap().rules;
    let state = rules.parse("o/o./.../.o../.....").unwrap().state;
    let jumps = chain::parse(&rules, &state, "a1-a3").unwrap();
    assert_eq!(jumps.len(), 1);
    let state = rules.parse("o/o./.../o.../.....").unwrap().state;
    let jumps = chain::parse(&rules, &state, "a1-a3-a5").unwrap();
    assert_eq!(chain::format(rules.board(), &jumps), "a1-a3-a5");
    assert_eq!(chain::group(&jumps).len(), 1);
    let error = chain::parse(&rules, &state, "a1-a3-c3").unwrap_err();
    assert!(matches!(error, MoveError::Illegal(error) if error.offset == Some(6)));
    assert!(rules.parse_move(&state, "a1-a3-a5").unwrap_err().to_string().contains("2 jumps"));
}

#[test]
fn goals_are_read_and_decide_the_outcome() {
    let rules = Solitaire::english();
    let hole = |name| rules.board().hole(name).unwrap();
    assert_eq!(parse_goal(&rules, "any"), Ok(Goal::OnePeg));
    assert_eq!(parse_goal(&rules, "d4"), Ok(Goal::Hole(hole("d4"))));
    assert_eq!(parse_goal(&rules, START), Ok(Goal::Position(rules.start())));
    assert!(parse_goal(&rules, "a1").is_err());
    assert!(parse_goal(&rules, "o/oo/o.o").is_err());
    let single = State::new(hole("d1").bit());
    let at_centre = rules.with(Goal::Hole(hole("d4")));
    assert_eq!(rules.outcome(&single), Some(Outcome::Win(Side::First)));
    assert_eq!(at_centre.outcome(&single), Some(Outcome::Win(Side::Second)));
    assert_eq!(rules.outcome(&State::new(0)), Some(Outcome::Win(Side::Second)));
    assert_eq!(rules.outcome(&rules.start()), None);
}

/// The seed's hash: a weighted sum over the four rotations. Rotating the board permutes the terms,
/// so the sum changes; ours is taken from the canonical form and does not.
#[test]
fn the_hash_of_the_seed_is_not_the_same_for_rotated_boards() {
    fn rotate(marbles: u64) -> u64 {
        let cells = (0..49).filter(|i| marbles >> i & 1 != 0);
        cells.fold(0, |sum, i| sum | 1 << (i % 7 * 7 + 6 - i / 7))
    }
    fn seed_hash(marbles: u64) -> u64 {
        // std::hash of an integer is the integer itself in the common C++ libraries.
        let [one, two, three] = [rotate(marbles), rotate(rotate(marbles)), rotate(rotate(rotate(marbles)))];
        let terms =
            [marbles, one.wrapping_mul(31), two.wrapping_mul(31 * 31), three.wrapping_mul(31 * 31 * 31)];
        terms.into_iter().fold(0, u64::wrapping_add)
    }
    let rules = Solitaire::english();
    let mut state = rules.start();
    let jump = rules.parse_move(&state, "d2-d4").unwrap();
    rules.play(&mut state, jump);
    let marbles = tabia_solitaire::pack::to_bits(rules.board(), state);
    assert_ne!(seed_hash(marbles), seed_hash(rotate(marbles)));
    let turned = tabia_solitaire::pack::from_bits(rules.board(), rotate(marbles)).unwrap();
    assert_ne!(turned, state);
    assert_eq!(rules.pack_canonical(&turned), rules.pack_canonical(&state));
    assert_eq!(rules.key(&rules.canonicalise(&turned).state), rules.key(&rules.canonicalise(&state).state));
}

#[test]
fn a_chain_is_several_jumps_of_one_move() {
    let position =
        Solitaire::english().parse("--...--/--.o.--/....o../...o.../...o.../--...--/--...--").unwrap();
    let rules = position.rules;
    let jumps = rules.parse_moves(&position.state, "d5-d3-f3").unwrap();
    assert_eq!(jumps.len(), 2);
    assert!(rules.parse_move(&position.state, "d5-d3-f3").is_err());
    assert!(rules.parse_moves(&position.state, "d5-d3-b3").is_err());
}

/// Found by random input (`cargo xtask fuzz`): rows far outside the board were multiplied before they were compared with it.
#[test]
fn a_row_far_outside_the_board_is_no_hole() {
    let board = Solitaire::english().board().clone();
    for name in ["c010110100101104004040", "a2635249153387078804", "a18446744073709551615", "c8"] {
        assert_eq!(board.hole(name), None, "{name}");
    }
    assert_eq!(board.at(0, usize::MAX), None);
}
