//! The state as data: every way in and out, and everything that can be wrong with it.

use std::collections::HashSet;
use tabia_core::{Game, PositionError, SplitMix64};
use tabia_draughts::{Board, Color, Draughts, PieceSet, Rule, Selector, Setup, State};

const START: &str = "0101010110101010010101010000000000000000404040400404040440404040B";

fn random_states(count: usize) -> impl Iterator<Item = Setup> {
    let mut rng = SplitMix64::new(21);
    let draw = move || {
        let [bm, wm, bk, wk] = std::array::from_fn(|_| rng.below(9) as u32);
        Setup::random(None, bm, wm, bk, wk, &mut rng)
    };
    std::iter::repeat_with(draw).flatten().take(count)
}

#[test]
fn all_constructors_agree_on_the_start() {
    let start = Setup::default_start();
    assert_eq!(start, Setup::default());
    assert_eq!(start, Setup::from(Draughts::default().start()));
    assert_eq!(start, Setup::from_dump(START).unwrap());
    assert_eq!(start, Setup::from_fen("B:W21-32:B1-12").unwrap());
    assert_eq!(start, Setup::new(0x0000000000AA55AA, 0, 0x55AA550000000000, 0, true));
    let board =
        Board { black_men: start.board.black_men, white_men: start.board.white_men, ..Board::default() };
    assert_eq!(start, Setup::from_board(board, Color::Black));
    assert_eq!(start.id(), START);
}

#[test]
fn every_code_gives_the_state_back() {
    for state in random_states(500) {
        assert_eq!(Setup::from_fen(&state.encode_fen()).unwrap(), state);
        assert_eq!(Setup::from_dump(&state.encode_dump()).unwrap(), state);
        let json = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<Setup>(&json).unwrap(), state, "{json}");
        assert_eq!(Setup::from(State::try_from(state).unwrap()), state);
        assert!(state.valid());
    }
}

#[test]
fn json_has_names_and_hexadecimal_sets() {
    let json = serde_json::to_value(Setup::default_start()).unwrap();
    assert_eq!(json["turn"], "black");
    assert_eq!(json["board"]["black_men"], "0x0000000000aa55aa");
    for wrong in [r#"{"board":{},"turn":"black"}"#, r#"{"turn":"red"}"#, "7"] {
        assert!(serde_json::from_str::<Setup>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn different_states_have_different_ids_even_when_invalid() {
    let mut ids = HashSet::new();
    for sets in 0..16u64 {
        for black_turn in [true, false] {
            let at = |n: u64| (sets >> n & 1) << 1;
            assert!(ids.insert(Setup::new(at(0), at(1), at(2), at(3), black_turn).id()));
        }
    }
}

#[test]
fn every_violated_rule_is_named() {
    let state = Setup::new(1 | 1 << 62, 1 << 1, 1 << 1 | 1 << 3, 1 << 9, false);
    let rules: Vec<Rule> = state.violations().iter().map(|violation| violation.rule).collect();
    assert_eq!(
        rules,
        [Rule::OnePiecePerSquare, Rule::DarkSquares, Rule::BlackManOnKingRow, Rule::WhiteManOnKingRow]
    );
    let Err(PositionError::Rules(errors)) = State::try_from(state) else { panic!("the state is not valid") };
    assert_eq!(errors.len(), 4);
    assert_eq!(errors[1].message, "a piece on a light square: bit 0, bit 9");
    assert!(!state.valid() && state.children().is_empty());
}

#[test]
fn selectors_select() {
    let state = Setup::from_fen("B:W18,24,K30:B5,12,K7").unwrap();
    let counts = [
        (Selector::All, 6),
        (Selector::Empty, 26),
        (Selector::Color(Color::Black), 3),
        (Selector::Men, 4),
        (Selector::Kings, 2),
        (Selector::MenOf(Color::White), 2),
        (Selector::KingsOf(Color::White), 1),
    ];
    for (selector, count) in counts {
        assert_eq!(state.number(selector), count, "{selector:?}");
        assert_eq!(state.pieces(selector, None).len(), count, "{selector:?}");
        assert_eq!(state.pieces(selector, Some(selector)), PieceSet::EMPTY);
    }
    let black_men = state.pieces(Selector::Men, Some(Selector::Color(Color::White)));
    assert_eq!(black_men, state.pieces(Selector::MenOf(Color::Black), None));
}

#[test]
fn children_are_the_positions_after_each_move() {
    let rules = Draughts::default();
    for parent in random_states(300) {
        let state = State::try_from(parent).unwrap();
        let mut moves = Vec::new();
        rules.moves(&state, &mut moves);
        let after = |mv| {
            let mut next = state;
            rules.play(&mut next, mv);
            Setup::from(next)
        };
        let expected: HashSet<_> = moves.into_iter().map(after).collect();
        let children = parent.children();
        assert_eq!(children.len(), expected.len());
        assert_eq!(children.into_iter().collect::<HashSet<_>>(), expected);
    }
}

#[test]
fn the_picture_is_drawn_from_the_top() {
    let state = Setup::from_fen("W:WK1,29:B4,K32").unwrap();
    let lines: Vec<String> = state.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "  W   .   .   b");
    assert_eq!(lines[7], "w   .   .   B  ");
    assert_eq!(lines[8], "White to move");
}

#[test]
fn wrong_dumps_and_fens_are_refused_where_they_are_wrong() {
    let offset = |text: &str| Setup::from_dump(text).unwrap_err().offset;
    assert_eq!(offset(&START.replace('B', "b")), 64);
    assert_eq!(offset(&START[..64]), 64);
    assert_eq!(offset(&format!("{START} ")), 65);
    assert_eq!(offset(&START.replacen('1', "3", 1)), 1);
    let wrong = [
        ("", 0),
        ("X:W1:B2", 0),
        ("B", 1),
        ("B:W1", 4),
        ("B:W1:W2", 5),
        ("B:W0:B2", 3),
        ("B:W5,,6:B2", 5),
        ("B:W9-5:B2", 5),
        ("B:W5,5:B2", 5),
        ("B:W5:B2:", 7),
        ("B:W5:B2..", 8),
        ("B:W99999999999999999999:B", 3),
    ];
    for (text, offset) in wrong {
        match Setup::from_fen(text) {
            Err(PositionError::Syntax(error)) => assert_eq!(error.offset, offset, "{text:?}: {error}"),
            other => panic!("{text:?}: {other:?}"),
        }
    }
}
