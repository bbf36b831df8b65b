//! Ends of games, history, identity and symmetry.

use proptest::prelude::*;
use tabia_chess::types::Square;
use tabia_chess::{AUTOMATIC_DRAWS, Action, CLAIMED_DRAWS, Chess, State, Symmetry, fen};
use tabia_core::{DrawReason, Game, Notation, Outcome, Position, Present, Record, Side};
use tabia_testkit::strategies;

fn state(text: &str) -> State {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn outcomes_on_the_board() {
    let cases = [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Some(Outcome::Win(Side::Second))),
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", Some(Outcome::Win(Side::First))),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Outcome::Draw)),
        // Too little material ends a record, not the moves.
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", None),
        // A clock alone ends nothing.
        ("8/8/4k3/8/8/3K4/5R2/8 w - - 120 100", None),
    ];
    for (text, expected) in cases {
        assert_eq!(Chess.outcome(&state(text)), expected, "{text}");
    }
}

#[test]
fn dead_positions_end_a_record_but_have_moves() {
    let cases = [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3K4/5N2/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3K4/5b2/8 w - - 0 1", true),
        ("8/8/4k1b1/8/8/3K4/4B3/8 w - - 0 1", true),
        // Bishops on both colours, two knights, a pawn: mate can be thought of.
        ("8/8/4k1b1/8/8/3K4/5B2/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3K4/4NN2/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3K4/5P2/8 w - - 0 1", false),
    ];
    for (text, dead) in cases {
        let position = state(text);
        assert_eq!(Chess.is_dead(&position), dead, "{text}");
        assert_eq!(Chess.settled(&position), dead.then_some(Outcome::Draw), "{text}");
        assert!(Chess.count_moves(&position) > 0, "{text}");
    }
    // The last pawn is taken.
    let mut record = Record::new(Position { rules: Chess, state: state("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1") });
    assert_eq!(record.outcome(), None);
    play(&mut record, "Kd3 Kf2 Kd4 Kxe2");
    assert_eq!(record.draw_reason(), Some(DrawReason::DeadPosition));
    assert_eq!(record.outcome(), Some(Outcome::Draw));
    let king = Chess.parse_move(record.state(), "Ke4").unwrap();
    let refused = record.play(king).unwrap_err().message;
    assert_eq!(refused, "the game is over: a draw by dead position");
}

fn play(record: &mut Record<Chess>, moves: &str) {
    for text in moves.split(' ') {
        let mv = Chess.parse_move(record.state(), text).unwrap();
        record.play_unchecked(mv);
    }
}

#[test]
fn history_draws_a_record() {
    let mut record = Record::new(Position { rules: Chess, state: Chess.start() });
    for _ in 0..2 {
        assert_eq!(record.draw_reason(), None);
        play(&mut record, "Nf3 Nf6 Ng1 Ng8");
    }
    assert_eq!(record.draw_reason(), Some(DrawReason::Repetition));
    assert_eq!(AUTOMATIC_DRAWS.draw(record.occurrences(), record.quiet_plies(), 8), None);
    assert_eq!(AUTOMATIC_DRAWS.draw(5, 20, 20), Some(DrawReason::Repetition));
    assert_eq!(AUTOMATIC_DRAWS.draw(1, 150, 150), Some(DrawReason::QuietPlies));

    let mut record =
        Record::new(Position { rules: Chess, state: state("4k3/4p3/8/8/8/8/4P3/R3K3 w - - 0 1") });
    play(&mut record, "Ra2 Kd7 Ra7+ Ke6");
    assert_eq!(record.quiet_plies(), 4);
    play(&mut record, "e4");
    assert_eq!(record.quiet_plies(), 0, "a pawn moved");
    play(&mut record, "Ke5 Rxe7+");
    assert_eq!(record.quiet_plies(), 0, "a capture");
    assert_eq!(CLAIMED_DRAWS.draw(1, 99, 99), None);
    assert_eq!(Chess.draw_rules().draw(1, 100, 100), Some(DrawReason::QuietPlies));
}

#[test]
fn identity_is_that_of_the_repetition_rule() {
    let same = |a: &str, b: &str| {
        let (a, b) = (state(a), state(b));
        assert_eq!(a == b, a.key() == b.key());
        assert_eq!(a == b, Chess.pack(&a) == Chess.pack(&b));
        a == b
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert!(same(&format!("{start} w KQkq - 0 1"), &format!("{start} w KQkq - 40 90")), "clocks");
    assert!(!same(&format!("{start} w KQkq - 0 1"), &format!("{start} w KQk - 0 1")), "rights");
    assert!(!same(&format!("{start} w KQkq - 0 1"), &format!("{start} b KQkq - 0 1")), "turn");
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert!(same(&format!("{e4} e3 0 1"), &format!("{e4} - 0 1")), "nobody can capture");
    let d5 = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq";
    assert!(!same(&format!("{d5} d6 0 3"), &format!("{d5} - 0 3")), "somebody can");
    // Taking would bare the fifth rank: the pawns of both sides disappear from it at once.
    let rank = "8/8/8/K2pP2q/8/8/8/7k w - ";
    assert!(same(&format!("{rank}d6 0 3"), &format!("{rank}- 0 3")), "the capture is illegal");
}

#[test]
fn files_are_mirrored_only_when_nobody_may_castle() {
    assert_eq!(Chess.symmetries(&Chess.start()).len(), 2);
    let bare = state("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
    assert_eq!(Chess.symmetries(&bare).len(), 4);
    let mirrored = Chess.map_state(&bare, Symmetry::MIRROR);
    assert_eq!(fen::format(&mirrored), "3k4/8/8/8/8/8/3P4/3K3R w - - 0 1");
    assert_eq!(fen::format(&Chess.map_state(&bare, Symmetry::SWAP)), "r3k3/4p3/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(Symmetry::SWAP.square(Square::E4), Square::E5);
    assert_eq!(Chess.pack_canonical(&bare), Chess.pack_canonical(&mirrored));
}

#[test]
fn castling_is_clicked_on_the_king_s_square_unless_that_is_near() {
    let steps = |text: &str, mv: &str| {
        let position = state(text);
        Chess.steps(&position, Chess.parse_move(&position, mv).unwrap()).join(" ")
    };
    assert_eq!(steps("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O"), "e1 g1");
    assert_eq!(steps("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O"), "e8 c8");
    // In Chess960 the king may go one step, or none: the rook is clicked.
    assert_eq!(steps("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "O-O"), "f1 h1");
    assert_eq!(steps("4k3/8/8/8/8/8/8/6KR w K - 0 1", "O-O"), "g1 h1");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn bytes_that_are_no_position_are_refused(bytes: [u8; 24], few in 0u32..40) {
        // Thinned out, so that the number of occupied squares is often plausible.
        let mut packed = bytes;
        for (n, byte) in packed.iter_mut().enumerate() {
            if (n as u32 * 7 + few) % 5 < 3 {
                *byte = 0;
            }
        }
        for packed in [bytes, packed] {
            if let Ok(state) = Chess.unpack(&packed) {
                prop_assert_eq!(Chess.pack(&state), packed);
            }
        }
    }

    #[test]
    fn chess960_games_keep_their_keys_and_bytes(number in 0u32..960, seed: u64, plies in 0u32..60) {
        let mut state = State::chess960_start(number).unwrap();
        let (mut rng, mut buffer) = (tabia_core::SplitMix64::new(seed), Vec::new());
        for _ in 0..plies {
            let Some(mv) = Chess.random_move(&state, &mut rng, &mut buffer) else { break };
            Chess.play(&mut state, mv);
            let rebuilt = state_of(&state);
            prop_assert_eq!(rebuilt.key(), state.key());
            let unpacked = Chess.unpack(&Chess.pack(&state)).unwrap();
            prop_assert_eq!(unpacked.key(), state.key());
            prop_assert_eq!(&unpacked, &state);
        }
    }

    #[test]
    fn every_damaged_bit_is_noticed_or_another_position(position in strategies::positions(&Chess, 60), bit in 0usize..192) {
        let mut packed = Chess.pack(&position.state);
        packed[bit / 8] ^= 1 << (bit % 8);
        if let Ok(other) = Chess.unpack(&packed) {
            prop_assert_ne!(&other, &position.state);
            prop_assert_eq!(Chess.pack(&other), packed);
        }
    }
}

fn state_of(position: &State) -> State {
    state(&fen::format(position))
}

#[test]
fn a_record_goes_on_counting_from_the_clock_of_the_fen() {
    let position = Chess.parse("4k3/8/8/8/8/8/4P3/R3K3 w - - 98 120").unwrap();
    let mut record = tabia_core::Record::new(position);
    for text in ["Ra2", "Kd7"] {
        assert_eq!(record.outcome(), None);
        let mv = Chess.parse_move(record.state(), text).unwrap();
        record.play(mv).unwrap();
    }
    assert_eq!(record.draw_reason(), Some(tabia_core::DrawReason::QuietPlies));
}
