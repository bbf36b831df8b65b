//! Texts of positions and moves, compared with cozy-chess's own where it has them.

mod oracle;

use cozy_chess::util::{display_san_move, display_uci_move};
use proptest::prelude::*;
use tabia_chess::{Chess, State, fen, san, uci};
use tabia_core::{Game, MoveError, Notation, PositionError};
use tabia_testkit::strategies;

const INVALID: &str = include_str!("../../../../data/chess/invalid.txt");

fn state(text: &str) -> State {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_invalid_text_is_refused_at_its_place_with_its_reasons() {
    for line in INVALID.lines().filter(|line| !line.starts_with('#')) {
        let [text, offset, message] = line.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        let error = Chess.parse(text).expect_err(text);
        let place = match &error {
            PositionError::Syntax(error) => Some(error.offset),
            PositionError::Rules(errors) => errors[0].offset,
            _ => None,
        };
        assert_eq!(place, offset.parse().ok(), "{text}: {error}");
        let told = error.to_string();
        let told = told.split_once(": expected").map_or(told.clone(), |(_, rest)| format!("expected{rest}"));
        assert_eq!(told, message, "{text}");
    }
}

#[test]
fn castling_rights_are_read_and_written_as_x_fen() {
    let same = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        // The castling rook is not the outermost: its file is written.
        "rr2k2r/8/8/8/8/8/8/RR2K2R w KBkq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        "8/8/8/8/8/8/8/K1k5 w - - 150 200",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ];
    for text in same {
        assert_eq!(fen::format(&state(text)), text);
    }
    let shredder = state("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    assert_eq!(fen::format(&shredder), same[2]);
    assert_eq!(fen::format(&state("4k3/8/8/8/8/8/8/4K2R w K -")), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(Chess.parse("chess960:518").unwrap().state, Chess.start());
}

#[test]
fn moves_are_read_in_many_forms() {
    let text = "r3k2r/1P6/8/3pP3/8/2N3N1/8/R3K2R w KQkq d6 0 1";
    let position = state(text);
    let forms = [
        ("O-O", "e1h1"),
        ("0-0-0", "e1a1"),
        ("e1g1", "e1h1"),
        ("e1h1", "e1h1"),
        ("e1c1", "e1a1"),
        ("exd6", "e5d6"),
        ("exd6e.p.", "e5d6"),
        ("ed6", "e5d6"),
        ("e5xd6", "e5d6"),
        ("e6!?", "e5e6"),
        ("Nce4", "c3e4"),
        ("N3b5", "c3b5"),
        ("Nc3-b5", "c3b5"),
        ("Nb5", "c3b5"),
        ("bxa8=Q+", "b7a8q"),
        ("bxa8R", "b7a8r"),
        ("b8=N", "b7b8n"),
        ("b7b8b", "b7b8b"),
        ("Pe6", "e5e6"),
        ("Rxh8+", "h1h8"),
    ];
    for (form, expected) in forms {
        let mv = Chess.parse_move(&position, form).unwrap_or_else(|error| panic!("{form}: {error}"));
        assert_eq!(mv.to_string(), expected, "{form}");
    }
}

#[test]
fn illegal_moves_say_why() {
    let start = Chess.start();
    let castling = state("r3k2r/8/8/8/8/5q2/8/R3K2R w KQkq - 0 1");
    let pinned = state("4k3/4r3/8/8/8/8/4N1P1/4K3 w - - 0 1");
    let check = state("4k3/8/8/8/8/8/6P1/4K2r w - - 0 1");
    let mate = state("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let cases = [
        (&start, "e5", "no pawn can go to e5"),
        (&start, "e2e5", "the pawn on e2 cannot go to e5"),
        (&start, "e7e5", "the pawn on e7 is Black's, but White is to move"),
        (&start, "e3e4", "no piece on e3"),
        (&start, "Nd2", "d2 is occupied by a piece of one's own"),
        (&start, "O-O", "White cannot castle short now: a square is occupied or attacked"),
        (&castling, "O-O", "White cannot castle short now: a square is occupied or attacked"),
        (&pinned, "Nc3", "the knight's move to c3 would leave the king in check"),
        (&pinned, "e2c3", "the move of the knight from e2 to c3 would leave the king in check"),
        (&pinned, "O-O", "White has no right to castle short"),
        (&check, "g2g3", "White is in check, and this move does not end it"),
        (&mate, "a2a3", "the game is over: checkmate"),
    ];
    for (position, text, reason) in cases {
        match Chess.parse_move(position, text) {
            Err(MoveError::Illegal(error)) => assert_eq!(error.message, reason, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    for text in ["", "x", "e", "Nf", "e9", "Zf3", "e4e", "O-O-", "♘f3", "e7e8k9"] {
        assert!(matches!(Chess.parse_move(&start, text), Err(MoveError::Syntax(_))), "{text}");
    }
    let ambiguous = state("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
    let two = state("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1");
    assert!(Chess.parse_move(&ambiguous, "Rd1").is_ok());
    let error = Chess.parse_move(&two, "Ne2").unwrap_err().to_string();
    assert_eq!(error, "the knight on g1 and c3 can both go to e2");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn san_uci_and_fen_agree_with_cozy_chess(position in strategies::positions(&Chess, 100)) {
        let state = position.state;
        let (board, theirs) = (state.board(), oracle::position(&state));
        let mut moves = Vec::new();
        Chess.moves(&state, &mut moves);
        for mv in moves {
            let text = san::format(board, mv);
            prop_assert_eq!(&text, &display_san_move(&theirs, oracle::theirs(mv)).to_string());
            let engine = uci::format(board, mv);
            prop_assert_eq!(Chess.parse_move(&state, &engine), Ok(mv), "{}", engine);
            if engine != mv.to_string() {
                prop_assert_eq!(engine, display_uci_move(&theirs, oracle::theirs(mv)).to_string());
            }
        }
        // Its alternate form is Shredder-FEN, which says the same.
        prop_assert_eq!(&fen::parse(&format!("{theirs:#}")).unwrap(), &state);
        if let Ok(read) = cozy_chess::Board::from_fen(&fen::format(&state), false) {
            prop_assert!(read.same_position(&theirs));
        }
    }
}
