//! Moves in words: what is written, what is read, what is refused and why; and draws by history.

use tabia_core::{DrawReason, Game, Notation, Outcome, Position, Present, Record, Side};
use tabia_draughts::{Draughts, State};

fn at(fen: &str) -> State {
    Draughts::default().parse(fen).unwrap().state
}

fn refusal(fen: &str, mv: &str) -> String {
    Draughts::default().parse_move(&at(fen), mv).unwrap_err().to_string()
}

#[test]
fn refusals_give_the_particular_reason() {
    let start = "B:W21-32:B1-12";
    let cases = [
        (start, "13-17", "there is no piece on 13"),
        (start, "22-18", "the piece on 22 is White's, and Black is to move"),
        (start, "8-11", "11 is occupied"),
        (start, "9-18", "there is no piece of White to jump on 14"),
        (start, "9-22", "9 and 22 are neither neighbours nor a jump apart"),
        (start, "11-15-18", "a move without capture ends after one step"),
        ("B:W18,19:B14,3", "3-7", "a capture is compulsory: 14x23"),
        ("B:W18,27:B14", "14x23", "the capture goes on: 14x23x32"),
        ("B:W30:B14", "14-9", "the man on 14 cannot move backward to 9"),
        ("B:W10:B14,1", "14x7", "the man from 14 cannot jump backward to 7"),
        ("B:W18,22:B14,15,23", "14x23", "23 is occupied"),
        ("B:W18:B", "1-5", "the game is over: Black has no move"),
    ];
    for (fen, mv, reason) in cases {
        assert_eq!(refusal(fen, mv), reason, "{mv} in {fen}");
    }
    assert_eq!(refusal(start, "11-33"), "at byte 3: expected a square from 1 to 32, found '3'");
    assert_eq!(refusal(start, "11"), "at byte 2: expected '-' or 'x', found the end");
    assert_eq!(refusal(start, "11+15"), "at byte 2: expected '-' or 'x', found '+'");
}

#[test]
fn moves_are_read_however_they_are_written() {
    let state = at("B:W18,27:B14");
    let rules = Draughts::default();
    let whole = rules.parse_move(&state, "14x23x32").unwrap();
    for text in ["14x32", "14-32", "14:32", "14:23:32", " 14 x 32 ", "14X23x32"] {
        assert_eq!(rules.parse_move(&state, text), Ok(whole), "{text}");
    }
    assert_eq!(rules.format_move(&state, whole), "14x32");
}

/// A king takes four men around a square, clockwise or not, and ends where it began.
#[test]
fn two_routes_round_a_circle() {
    let state = at("B:W14,15,22,23:BK10");
    let (routes, unique) = (Draughts::default(), Draughts::default().with_count_mode("unique").unwrap());
    let (mut all, mut one) = (Vec::new(), Vec::new());
    routes.moves(&state, &mut all);
    unique.moves(&state, &mut one);
    let texts: Vec<_> = all.iter().map(|&mv| routes.format_move(&state, mv)).collect();
    assert_eq!(texts, ["10x17x26x19x10", "10x19x26x17x10"]);
    assert_eq!((one.len(), unique.format_move(&state, one[0])), (1, "10x10".to_owned()));
    assert_eq!(
        refusal("B:W14,15,22,23:BK10", "10x10"),
        "there are 2 ways to go: 10x17x26x19x10, 10x19x26x17x10"
    );
    assert_eq!(unique.parse_move(&state, "10x19x26x17x10"), Ok(one[0]));
    assert_eq!(routes.steps(&state, all[0]), ["10", "17", "26", "19", "10"]);
    let mut after = state;
    routes.play(&mut after, all[0]);
    assert_eq!(routes.format(&after), "W:W:BK10");
    assert_eq!(routes.outcome(&after), Some(Outcome::Win(Side::First)));
}

#[test]
fn repetition_and_quiet_moves_are_draws() {
    let rules = Draughts::default();
    let play = |record: &mut Record<Draughts>, text: &str| {
        let mv = rules.parse_move(record.state(), text).unwrap();
        record.play(mv)
    };
    let mut record = Record::new(Position { rules, state: at("B:WK32:BK1") });
    for text in ["1-6", "32-28", "6-1", "28-32", "1-6", "32-28", "6-1", "28-32"] {
        assert_eq!(record.draw_reason(), None);
        play(&mut record, text).unwrap();
    }
    assert_eq!(record.draw_reason(), Some(DrawReason::Repetition));
    assert!(play(&mut record, "1-6").is_err());

    // A man's move starts the count anew, a king's does not.
    let mut record = Record::new(Position { rules, state: at("B:WK32,28:BK1,2") });
    play(&mut record, "2-7").unwrap();
    assert_eq!(record.quiet_plies(), 0);
    play(&mut record, "32-27").unwrap();
    assert_eq!(record.quiet_plies(), 1);
    assert_eq!(rules.draw_rules().draw(1, 79, 500), None);
    assert_eq!(rules.draw_rules().draw(1, 80, 500), Some(DrawReason::QuietPlies));
}
