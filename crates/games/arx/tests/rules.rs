//! The rules one by one: every refusal says why, every ending is the right one.

use tabia_arx::{Arx, Move, Square, State};
use tabia_core::{Game, MoveError, Notation, Outcome, Position, PositionError, Present, Record, Side};

fn state(text: &str) -> State {
    Arx.parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).state
}

fn refusal(position: &str, mv: &str) -> String {
    match Arx.parse_move(&state(position), mv) {
        Err(MoveError::Illegal(error)) => error.message,
        other => panic!("{mv} in {position}: {other:?}"),
    }
}

fn moves(position: &str) -> Vec<String> {
    let state = state(position);
    let mut moves = Vec::new();
    Arx.moves(&state, &mut moves);
    let mut texts: Vec<_> = moves.iter().map(|&mv| Arx.format_move(&state, mv)).collect();
    texts.sort();
    texts
}

#[test]
fn each_kind_of_illegal_move_has_its_own_reason() {
    let start = &Arx.format(&Arx.start());
    let stacks = "k8/9/9/9/2[SC]1g4/2[GP]6/2S6/9/K1S6 w";
    for (position, mv, part) in [
        (start.as_str(), "a7-b6", "it is White's turn, and a7 is Black's"),
        (start, "e5-e6", "e5 is empty"),
        (start, "a3-a3", "from a3 to itself"),
        (start, "^a3-b4", "a3 holds a single piece"),
        (start, "c2-c5", "a jester does not move"),
        (start, "a3-a4", "a soldier does not move"),
        (start, "g2-g4", "blocked on g3"),
        (start, "d1-b3", "blocked on c2"),
        (start, "e1-d1", "the King cannot step onto its own piece on d1"),
        (start, "d1-e1", "onto the own King on e1"),
        (start, "h1-h3", "a dragon does not move"),
        (stacks, "c5-c4", "a whole stack cannot land on the own piece on c4"),
        (stacks, "c5-c3", "a whole stack cannot land on the own piece on c3"),
        (stacks, "^c4-c5", "the own stack on c5 is full"),
        (stacks, "^c5-c6", "a soldier does not move"),
        (stacks, "^c4-c2", "a guard does not move"),
        (stacks, "c4-c2", "blocked on c3"),
        ("9/9/9/9/9/9/9/S8/K8 w", "a2-b3", "the game is over: Black has no King"),
        ("k8/9/9/9/9/9/9/9/K8 w", "a1-a2", "the game is over: a draw"),
    ] {
        let message = refusal(position, mv);
        assert!(message.contains(part), "{mv} in {position}: {message}");
    }
}

/// The test above only means something with a position in which the blocked lines really are.
#[test]
fn first_blocker_is_named_on_the_way() {
    assert!(refusal("k8/9/9/9/9/c8/S8/9/C3K4 w", "a1-a9").contains("blocked on a3"));
    assert!(refusal("k8/9/9/9/9/9/9/1S7/J3K4 w", "a1-e5").contains("blocked on b2"));
}

#[test]
fn a_stack_moves_like_either_part_and_its_top_alone() {
    // Soldier on Ballista: forward by the Ballista, diagonally by the Soldier; only the Soldier leaves.
    let texts = moves("4k4/9/9/1g7/[SB]8/9/9/9/4K4 w");
    let stack: Vec<_> = texts.iter().filter(|text| text.contains("a5")).map(String::as_str).collect();
    assert_eq!(stack, ["^a5xb6", "a5-a6", "a5-a7", "a5-a8", "a5-a9", "a5xb6"]);
}

#[test]
fn the_same_move_by_both_parts_is_one_move() {
    let texts = moves("8k/9/9/9/[GJ]8/9/9/9/8K w");
    assert_eq!(texts.iter().filter(|text| *text == "a5-b6").count(), 1);
    assert_eq!(texts.iter().filter(|text| *text == "^a5-b6").count(), 1);
    assert!(texts.contains(&"a5-e9".to_owned()) && !texts.contains(&"^a5-e9".to_owned()));
}

#[test]
fn stacking_and_unstacking_change_the_board_as_told() {
    let mut now = state("8k/9/9/9/9/9/9/1P7/S3K4 w");
    for (mv, after) in [
        ("a1+b2", "8k/9/9/9/9/9/9/1[SP]7/4K4 b"),
        ("i9-i8", "9/8k/9/9/9/9/9/1[SP]7/4K4 w"),
        ("b2-b4", "9/8k/9/9/9/1[SP]7/9/9/4K4 b"),
        ("i8-i9", "8k/9/9/9/9/1[SP]7/9/9/4K4 w"),
        ("^b4-c5", "8k/9/9/9/2S6/1P7/9/9/4K4 b"),
    ] {
        let mv = Arx.parse_move(&now, mv).expect(mv);
        Arx.play(&mut now, mv);
        assert_eq!(Arx.format(&now), after);
    }
}

#[test]
fn endings() {
    for (position, outcome) in [
        ("9/9/9/9/9/9/9/9/K8 w", Some(Outcome::Win(Side::First))),
        ("9/9/9/9/9/9/9/9/k8 w", Some(Outcome::Win(Side::Second))),
        ("k8/9/9/9/9/9/9/9/K8 w", Some(Outcome::Draw)),
        ("9/9/9/9/9/9/9/9/S8 w", Some(Outcome::Draw)),
        ("K[SS][SS]6/SS7/9/9/9/9/9/9/k8 w", Some(Outcome::Draw)),
        ("K[SS][SS]6/SS7/9/9/9/9/9/9/k8 b", None),
        ("k8/9/9/9/9/9/9/9/KS7 w", None),
    ] {
        assert_eq!(Arx.outcome(&state(position)), outcome, "{position}");
    }
}

#[test]
fn taking_the_king_ends_the_game() {
    let mut now = state("kR7/9/9/9/9/9/9/9/K8 w".replace('R', "C").as_str());
    let mv = Arx.parse_move(&now, "B9XA9").expect("any case");
    Arx.play(&mut now, mv);
    assert_eq!((Arx.outcome(&now), Arx.count_moves(&now)), (Some(Outcome::Win(Side::First)), 0));
}

#[test]
fn positions_that_break_rules_name_all_of_them() {
    let Err(PositionError::Rules(errors)) = Arx.parse("kk7/[Ks]8/9/9/9/9/9/9/KKK6 w") else {
        panic!("accepted")
    };
    let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the stack on a8 has pieces of both colours",
            "the stack on a8 has a King: Kings stand alone",
            "White has 3 Kings, on a1, b1, c1",
            "Black has 2 Kings, on a9, b9",
        ]
    );
    assert!(errors.iter().all(|error| error.offset.is_some()), "{errors:?}");
}

#[test]
fn syntax_errors_point_at_the_place() {
    for (text, offset) in [
        ("", 0),
        ("9/9/9/9/9/9/9/9/K8", 18),
        ("9/9/9/9/9/9/9/9/K8 x", 19),
        ("9/9/9/9/9/9/9/9/K8 w ?", 20),
        ("55/9", 1),
        ("q8/9", 0),
        ("9/9/[S]7/9", 6),
        ("9/9/[SS7/9", 7),
        ("8/9", 1),
        ("  9/9/0", 6),
    ] {
        let Err(PositionError::Syntax(error)) = Arx.parse(text) else { panic!("{text:?} accepted") };
        assert_eq!(error.offset, offset, "{text:?}: {error}");
    }
}

#[test]
fn a_third_occurrence_is_a_draw_also_across_soldier_moves() {
    // The Soldier steps onto the Commander, is carried back, and steps off again: a cycle of Soldier moves.
    let start = "k8/9/9/9/9/3C5/2S6/9/4K4 w";
    let cycle = ["c3+d4", "a9-a8", "d4-d2", "a8-a9", "^d2-c3", "a9-a8", "d2-d4", "a8-a9"];
    let mut record = Record::new(Position { rules: Arx, state: state(start) });
    for mv in cycle.iter().cycle().take(16) {
        assert_eq!(record.outcome(), None, "before {mv}");
        let mv = Arx.parse_move(record.state(), mv).expect(mv);
        record.play(mv).expect("legal");
    }
    assert_eq!(record.outcome(), Some(Outcome::Draw));
}

#[test]
fn a_hundred_quiet_plies_are_a_draw() {
    let mut record = Record::new(Position { rules: Arx, state: state("k8/9/9/9/9/9/9/9/KP7 w") });
    // Walks that do not repeat: the Paladin and the Kings go around in cycles of different lengths.
    let mut seen = std::collections::HashMap::new();
    while record.quiet_plies() < 100 {
        assert_eq!(record.outcome(), None);
        let mut moves = Vec::new();
        Arx.moves(record.state(), &mut moves);
        let fresh = moves.into_iter().find(|&mv| {
            let mut next = *record.state();
            Arx.play(&mut next, mv);
            !Arx.is_progress(record.state(), mv) && seen.get(&next.key()).is_none_or(|&n| n < 2)
        });
        record.play(fresh.expect("a quiet move")).expect("legal");
        *seen.entry(record.state().key()).or_insert(0) += 1;
    }
    assert_eq!(record.outcome(), Some(Outcome::Draw));
}

#[test]
fn progress_is_a_capture_or_a_soldier_alone() {
    let now = state("k8/9/9/3s5/2[SC]6/2[GP]6/2S6/9/K1C6 w");
    for (mv, progress) in [
        ("c5xd6", true),
        ("c5-d5", false),
        ("^c5-b6", true),
        ("c3-d4", true),
        ("c1-d1", false),
        ("^c4-d3", false),
    ] {
        let mv = Arx.parse_move(&now, mv).expect(mv);
        assert_eq!(Arx.is_progress(&now, mv), progress, "{mv:?}");
    }
}

#[test]
fn whole_and_unstack_share_their_clicks() {
    let now = state("8k/9/9/9/[GJ]8/9/9/9/8K w");
    let square = |name| Square::from_name(name).expect(name);
    let [whole, top] = [false, true].map(|unstack| Move::new(square("a5"), square("b6"), unstack));
    assert_eq!(Arx.steps(&now, whole), ["a5", "b6"]);
    assert_eq!(Arx.steps(&now, whole), Arx.steps(&now, top));
    let shown: Vec<_> = Arx.picture(&now).pieces.into_iter().filter(|piece| piece.cell == "a5").collect();
    assert_eq!(shown.iter().map(|p| (&*p.name, p.level)).collect::<Vec<_>>(), [("jester", 0), ("guard", 1)]);
}
