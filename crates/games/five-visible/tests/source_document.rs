//! Every example of the source document: right, or listed as an erratum in docs/rules/five-visible.md.

use tabia_core::{Game, Notation, Side};
use tabia_five_visible::hashcode::{self, of_move, of_stack};
use tabia_five_visible::{FiveVisible, Move, Place, RuleOptions, State};

fn rules() -> FiveVisible {
    FiveVisible::default()
}

fn state(text: &str) -> State {
    rules().parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).state
}

fn place(number: usize) -> Place {
    Place::from_number(number).unwrap()
}

fn errors(text: &str) -> String {
    rules().parse(text).unwrap_err().to_string()
}

#[test]
fn stack_hashcodes() {
    // Bricks bottom to top in text, top to bottom in the table.
    let board = state("-/0/110/10/111/-/-/-/- 0 2");
    let code = |number| of_stack(&rules(), &board, place(number));
    assert_eq!(code(1), 0x00);
    assert_eq!(code(2), 0x01);
    assert_eq!(code(4), 0x2A);
    assert_eq!(code(5), 0x3F);
    let blocked = state("-/0/110/10/111/-/-/-/- 0 3");
    assert_eq!(of_stack(&rules(), &blocked, place(3)), 0x1B);
}

#[test]
fn board_hashcodes() {
    for (text, code) in [
        ("0/0/1/-/-/-/-/-/- 0 1", 0x012125),
        ("0/111/10/-/-/-/-/-/- 0 1", 0x012A3F),
        // Erratum: printed as 4531.
        ("#011B3F:0", 0x011B3F),
    ] {
        if text.starts_with('#') {
            // Its two undrawable stacks also break rule (b): only one stack was added to last.
            assert!(errors(text).contains("2 stacks are not drawable"), "{}", errors(text));
        } else {
            assert_eq!(hashcode::board(&rules(), &state(text)).unwrap(), code, "{text}");
            assert_eq!(hashcode::board(&rules(), &state(&format!("#{code:x}:0"))).unwrap(), code);
            assert_eq!(hashcode::board(&rules(), &state(&format!("{code}:0"))).unwrap(), code);
        }
    }
    assert_eq!((0x012125, 0x0E2121, 0x012A3F, 0x011B3F), (74021, 925985, 76351, 72511));
    assert_eq!(hashcode::board(&rules(), &state("0/0/11/-/-/-/-/-/- 1 3")).unwrap(), 0x0E2121);
}

#[test]
fn errata_are_refused_with_the_reason() {
    // Descending order, and ten bricks of one player.
    let message = errors("#2A2A2A2A2626261F:0");
    assert!(message.contains("ascending"), "{message}");
    assert!(message.contains("bricks of player 1"), "{message}");
    // A lone stack marked drawable, against rule (c) ...
    assert!(errors("63:0").contains("drawable"), "{}", errors("63:0"));
    assert!(errors("#3F:0").contains("drawable"));
    assert!(errors("319:0").contains("drawable"));
    // ... which is right where three stacks are not needed.
    let options = RuleOptions { no_three_stacks: true, ..Default::default() };
    let position = rules().parse("#3F:0 +no-three-stacks").unwrap();
    assert_eq!(position.rules.options, options);
    assert_eq!(hashcode::board(&position.rules, &position.state).unwrap(), 63);
}

#[test]
fn move_hashcodes() {
    let board = state("10/10/111/0/-/-/-/-/- 1 4");
    let code =
        |from: Option<usize>, to| of_move(&rules(), &board, Move { from: from.map(place), to: place(to) });
    assert_eq!(code(Some(1), 2), 0x2A2A);
    assert_eq!(code(Some(3), 1), 0x3F2A);
    assert_eq!(code(None, 4), 0xFF01);
    assert_eq!(code(None, 5), 0xFF00);
    assert_eq!(code(None, 1), 0xFF2A);
    assert_eq!((0x2A2A, 0x3F2A, 0xFF01, 0xFF00, 0xFF2A), (10794, 16170, 65281, 65280, 65322));
}

#[test]
fn packed_form_has_the_player_in_bit_63() {
    let first = state("#12125:0");
    let second = state("#12125:1");
    assert_eq!(u64::from_be_bytes(rules().pack(&first)), 0x012125);
    assert_eq!(u64::from_be_bytes(rules().pack(&second)), 1 << 63 | 0x012125);
    assert_eq!(state(&format!("{:#x}", 1u64 << 63 | 0x012125)).player(), Side::Second);
}

#[test]
fn a_finished_board_has_no_hashcode_but_packs() {
    let won = state("0/0/0/0/0/1/1/1/1 1 5");
    assert!(hashcode::board(&rules(), &won).is_err());
    let packed = rules().pack(&won);
    assert_eq!(rules().pack(&rules().unpack(&packed).unwrap()), packed);
}

#[test]
fn errors_point_at_the_character() {
    for (text, offset) in [
        ("", 0),
        ("-/-/2", 4),
        ("-/-/0/0/1/1/-/-/- 2 -", 18),
        ("-/-/0000/0/1/1/-/-/- 0 -", 7),
        ("-/-/0/0/1/1/-/-/- 0 0", 20),
        ("-/-/0/0/1/1/-/-/- 0 - +putback", 23),
        ("#xyz", 1),
    ] {
        match rules().parse(text) {
            Err(tabia_core::PositionError::Syntax(error)) => {
                assert_eq!(error.offset, offset, "{text}: {error}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn illegal_moves_say_why() {
    let start = rules().start();
    let reason = |text: &str| rules().parse_move(&start, text).unwrap_err().to_string();
    assert!(reason("3-3").contains("own stack"));
    assert!(reason("3-1").contains("lone brick"));
    assert!(reason("1-3").contains("no brick"));
    let mut state = start;
    let mv = rules().parse_move(&state, "s3").unwrap();
    rules().play(&mut state, mv);
    assert!(rules().parse_move(&state, "3-4").unwrap_err().to_string().contains("blocked"));
}
