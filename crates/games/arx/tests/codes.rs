//! The published codes: every square code, every move code, boards, and what is refused.

use proptest::prelude::*;
use tabia_arx::{Arx, Kind, Move, Pile, Square, State, codes};
use tabia_core::{Game, Notation, Position, PositionError, Side};
use tabia_testkit::strategies;

/// The seven-bit codes read off the contract, independently of `Pile`.
fn contract(code: u8) -> Option<(Side, Option<Kind>, Kind)> {
    let kinds = [
        Kind::Soldier,
        Kind::Jester,
        Kind::Commander,
        Kind::Paladin,
        Kind::Guard,
        Kind::Dragon,
        Kind::Ballista,
    ];
    let side = if code & 0b1000000 != 0 { Side::First } else { Side::Second };
    match (code >> 3 & 7, code & 7) {
        (7, 0) => Some((side, None, Kind::King)),
        (_, 0) => None,
        (0, low) => Some((side, None, kinds[usize::from(low) - 1])),
        (high, low) => Some((side, Some(kinds[usize::from(high) - 1]), kinds[usize::from(low) - 1])),
    }
}

#[test]
fn all_128_square_codes() {
    let mut valid = 0;
    for code in 0..128 {
        let pile = Pile::from_code(code);
        if code == 0 {
            assert_eq!(pile, Some(Pile::EMPTY));
            continue;
        }
        let expected = contract(code);
        assert_eq!(pile.is_some(), expected.is_some(), "{code:#09b}");
        let Some((pile, (side, top, bottom))) = pile.zip(expected) else { continue };
        valid += 1;
        assert_eq!((pile.side(), pile.top(), pile.bottom()), (Some(side), top, Some(bottom)), "{code:#09b}");
        assert_eq!((pile.is_stack(), pile.is_king()), (top.is_some(), bottom == Kind::King), "{code:#09b}");
        let made = match top {
            Some(top) => Pile::stack(side, top, bottom),
            None => Some(Pile::single(side, bottom)),
        };
        assert_eq!(made.map(Pile::code), Some(code));
    }
    // A side has 7 single pieces, 49 stacks and the King.
    assert_eq!(valid, 2 * (7 + 49 + 1));
    assert!((128..=255).all(|code| Pile::from_code(code).is_none()));
}

#[test]
fn every_invalid_square_code_is_refused_with_its_square_and_code() {
    let start = codes::to_plain(&Arx.start());
    for square in [0, 40, 80] {
        for code in (0..=255).filter(|&code| Pile::from_code(code).is_none()) {
            let mut bytes = start;
            bytes[square] = code;
            let message = codes::from_plain(&bytes).expect_err("invalid").to_string();
            let name = Square::from_index(square).expect("on the board").to_string();
            assert!(message.contains(&name) && message.contains(&format!("{code:#04x}")), "{message}");
        }
    }
}

#[test]
fn examples_of_the_contract() {
    let pile = |code| Pile::from_code(code).expect("valid");
    assert_eq!(pile(0b1_010_100), Pile::stack(Side::First, Kind::Jester, Kind::Paladin).expect("no King"));
    assert_eq!(pile(0b0_000_101), Pile::single(Side::Second, Kind::Guard));
    assert_eq!(pile(0b0_111_000), Pile::single(Side::Second, Kind::King));
    assert_eq!(pile(0b1_001_011), Pile::stack(Side::First, Kind::Soldier, Kind::Commander).expect("no King"));
    assert_eq!(pile(0b1_001_001), Pile::stack(Side::First, Kind::Soldier, Kind::Soldier).expect("no King"));
    assert!(Pile::stack(Side::First, Kind::King, Kind::Guard).is_none());
}

#[test]
fn words_of_the_start() {
    let words = codes::to_words(&Arx.start());
    assert_eq!(words[0] >> 63, 1, "White to move");
    assert_eq!(words[0] & 0x7f, 0b0_000_111, "a9: black Ballista");
    assert_eq!(words[0] >> 28 & 0x7f, 0b0_111_000, "e9: black King");
    assert_eq!(words[8] >> 56, 0b1_000_111, "i1: white Ballista");
    assert_eq!((words[3], words[4], words[5]), (0, 0, 0));
    let soldiers = |code: u64| (0..9).fold(0, |word, column| word | code << (7 * column));
    assert_eq!((words[2], words[6]), (soldiers(1), soldiers(65)));
}

#[test]
fn all_errors_of_a_board_are_named() {
    let mut bytes = codes::to_plain(&Arx.start());
    (bytes[40], bytes[50], bytes[81]) = (64, 0b001_000, 2);
    (bytes[30], bytes[31]) = (0b1_111_000, 0b0_111_000);
    let Err(PositionError::Rules(errors)) = codes::from_plain(&bytes) else { panic!("accepted") };
    assert_eq!(errors.len(), 5, "{errors:?}");
    let mut words = codes::to_words(&Arx.start());
    words[8] |= 1 << 63;
    let message = codes::from_words(&words).expect_err("bit 63").to_string();
    assert!(message.contains("rank 1"), "{message}");
}

#[test]
fn text_of_codes_is_strict() {
    let words = Arx.encode(&Arx.start(), "words").expect("words");
    let hex = Arx.encode(&Arx.start(), "hex").expect("hex");
    let base64 = Arx.encode(&Arx.start(), "base64").expect("base64");
    assert_eq!((hex.len(), base64.len()), (164, 112));
    for text in [&words, &hex, &base64, &hex.to_uppercase(), &words.replace("0x", "").replace(',', ", ")] {
        assert_eq!(Arx.parse(text).map(|p| p.state), Ok(Arx.start()), "{text}");
    }
    for (format, bad) in [
        ("words", format!("{words},0")),
        ("words", words.replacen("0x", "0x0", 1)),
        ("words", words.replacen("0x", "", 1).replacen(',', ",,", 1)),
        ("hex", hex[1..].to_owned()),
        ("hex", format!("{hex}00")),
        ("hex", hex.replacen('0', "g", 1)),
        ("base64", base64[..111].to_owned()),
        ("base64", format!("{}R==", &base64[..109])),
        ("base64", base64.replacen('=', "?", 1)),
        ("octal", words.clone()),
    ] {
        assert!(Arx.decode(&bad, format).is_err(), "{format} {bad}");
    }
}

#[test]
fn all_65536_move_codes() {
    for code in 0..=u16::MAX {
        let (from, to) = (code & 127, code >> 7 & 127);
        let valid = from <= 80 && to <= 80 && code >> 15 == 0;
        let mv = Move::from_code(code);
        assert_eq!(mv.is_ok(), valid, "{code:#06x}");
        if let Ok(mv) = mv {
            assert_eq!((mv.from().index(), mv.to().index()), (usize::from(from), usize::from(to)));
            assert_eq!((mv.unstack(), mv.code()), (code >> 14 == 1, code));
            assert_eq!(Move::new(mv.from(), mv.to(), mv.unstack()), mv);
        }
    }
}

/// Any piles at all, Kings left out, on any squares.
fn boards() -> impl Strategy<Value = State> {
    let code =
        (0u8..128).prop_map(|code| Pile::from_code(code).filter(|p| !p.is_king()).unwrap_or(Pile::EMPTY));
    let kings = (0usize..81, 0usize..81, any::<bool>());
    (prop::collection::vec(code, 81), kings).prop_map(|(piles, (white, black, white_moves))| {
        let mut piles: [Pile; 81] = piles.try_into().expect("81");
        piles[white] = Pile::single(Side::First, Kind::King);
        piles[black] = Pile::single(Side::Second, Kind::King);
        State::from_piles(&piles, if white_moves { Side::First } else { Side::Second }).expect("valid")
    })
}

fn round_trips(state: &State) -> Result<(), TestCaseError> {
    prop_assert_eq!(codes::from_words(&codes::to_words(state)), Ok(*state));
    prop_assert_eq!(codes::from_plain(&codes::to_plain(state)), Ok(*state));
    for format in ["words", "hex", "base64"] {
        let code = Arx.encode(state, format).expect("a format of the game");
        prop_assert_eq!(Arx.decode(&code, format).map(|p| p.state), Ok(*state), "{}", &code);
        prop_assert_eq!(Arx.parse(&code).map(|p| p.state), Ok(*state), "{}", &code);
    }
    prop_assert_eq!(Arx.parse(&Arx.format(state)).map(|p| p.state), Ok(*state));
    prop_assert_eq!(Arx.unpack(&Arx.pack(state)), Ok(*state));
    Ok(())
}

proptest! {
    #[test]
    fn played_positions_round_trip(position in strategies::positions(&Arx, 200)) {
        let Position { state, .. } = position;
        round_trips(&state)?;
    }

    #[test]
    fn any_board_round_trips(state in boards()) {
        round_trips(&state)?;
    }

    #[test]
    fn any_words_are_refused_or_written_back(words in any::<[u64; 9]>(), keep in any::<u64>()) {
        // Mostly empty, so that some are accepted.
        let words = words.map(|word| word & keep & 0x7f);
        if let Ok(state) = codes::from_words(&words) {
            prop_assert_eq!(codes::to_words(&state), words);
        }
    }
}
