//! Moves, checks and validity against cozy-chess, which nobody here wrote.

mod oracle;

use proptest::prelude::*;
use tabia_chess::types::{BoardBuilder, Color, Move, Piece, Square};
use tabia_chess::{Chess, State, fen};
use tabia_core::{Game, SplitMix64};

const PERFT: &str = include_str!("../../../../data/chess/perft.txt");

/// Plays random games from `start` until `wanted` positions were compared.
fn compare_games(start: impl Fn(&mut SplitMix64) -> State, wanted: usize, seed: u64) {
    let (mut rng, mut seen, mut moves) = (SplitMix64::new(seed), 0, Vec::new());
    while seen < wanted {
        let mut state = start(&mut rng);
        let mut theirs = oracle::position(&state);
        for _ in 0..200 {
            compare(&state, &theirs, &mut moves);
            seen += 1;
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len() as u64) as usize];
            Chess.play(&mut state, mv);
            theirs.play_unchecked(oracle::theirs(mv));
        }
    }
}

/// The same moves in the same order, the same checks, and a key that is the one from scratch.
fn compare(state: &State, theirs: &cozy_chess::Board, moves: &mut Vec<Move>) {
    let text = || fen::format(state);
    moves.clear();
    Chess.moves(state, moves);
    let mut expected = Vec::new();
    theirs.generate_moves(|moves| {
        expected.extend(moves);
        false
    });
    let ours: Vec<_> = moves.iter().map(|&mv| oracle::theirs(mv)).collect();
    assert_eq!(ours, expected, "{}", text());
    assert_eq!(Chess.count_moves(state), moves.len() as u64, "{}", text());
    assert_eq!(state.board().checkers().0, theirs.checkers().0, "{}", text());
    assert_eq!(state.board().occupied().0, theirs.occupied().0, "{}", text());
    let rebuilt = State::from_builder(&state.to_builder()).unwrap();
    assert_eq!(rebuilt, *state, "{}", text());
    assert_eq!(rebuilt.board().checkers(), state.board().checkers(), "{}", text());
    assert_eq!(Chess.unpack(&Chess.pack(state)).map(|state| state.key()), Ok(state.key()), "{}", text());
}

/// The positions of the perft file, among them those made to break generators.
fn perft_starts() -> Vec<State> {
    let lines = PERFT.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let starts: Vec<_> =
        lines.filter_map(|line| fen::parse(line.split([';', '|']).next()?.trim()).ok()).collect();
    assert!(starts.len() >= 10, "{} positions", starts.len());
    starts
}

fn compare_everything(wanted: usize, seed: u64) {
    compare_games(|_| Chess.start(), wanted / 4, seed);
    let chess960 = |rng: &mut SplitMix64| State::chess960_start(rng.below(960) as u32).unwrap();
    compare_games(chess960, wanted / 4, seed + 1);
    let starts = perft_starts();
    let hard = |rng: &mut SplitMix64| starts[rng.below(starts.len() as u64) as usize];
    compare_games(hard, wanted / 4, seed + 2);
    compare_games(scattered, wanted / 4, seed + 3);
}

/// A few pieces anywhere: pins, checks and pawns about to promote are more frequent than in games.
fn scattered(rng: &mut SplitMix64) -> State {
    loop {
        let mut builder = BoardBuilder::empty();
        let mut square = || Square::wrapped(rng.below(64) as usize);
        for _ in 0..8 {
            let (on, piece) = (square(), Piece::wrapped(square() as usize));
            let color = Color::wrapped(square() as usize);
            let last = matches!(on as usize / 8, 0 | 7);
            let fits = piece != Piece::King && !(last && piece == Piece::Pawn);
            builder.put(on, fits.then_some((piece, color)));
        }
        builder.put(square(), Some((Piece::King, Color::White)));
        builder.put(square(), Some((Piece::King, Color::Black)));
        if let Ok(state) = State::from_builder(&builder) {
            return state;
        }
    }
}

#[test]
fn random_positions_have_the_same_moves() {
    compare_everything(60_000, 1);
}

#[test]
#[ignore = "long: a million positions"]
fn a_million_random_positions_have_the_same_moves() {
    compare_everything(1_000_000, 2);
}

#[test]
fn every_start_of_chess960_is_the_same() {
    for number in 0..960 {
        let ours = State::chess960_start(number).unwrap();
        let theirs = cozy_chess::Board::chess960_startpos(number);
        assert!(oracle::position(&ours).same_position(&theirs), "{number}");
        compare(&ours, &theirs, &mut Vec::new());
    }
    assert!(State::chess960_start(960).is_none());
}

#[test]
fn every_move_is_legal_exactly_when_it_is_theirs() {
    let mut rng = SplitMix64::new(3);
    for state in (0..300).map(|_| scattered(&mut rng)).chain(perft_starts()) {
        let theirs = oracle::position(&state);
        for from in Square::ALL {
            for to in Square::ALL {
                for promotion in [None, Some(Piece::Queen), Some(Piece::Pawn), Some(Piece::King)] {
                    let mv = Move { from, to, promotion };
                    let legal = theirs.is_legal(oracle::theirs(mv));
                    assert_eq!(state.board().is_legal(mv), legal, "{mv} in {}", fen::format(&state));
                }
            }
        }
    }
}

fn any_square() -> impl Strategy<Value = Square> {
    proptest::sample::select(Square::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Ours is stricter in two things that no game can reach: kings side by side, and three checks at once.
    #[test]
    fn validity_is_theirs(
        kings in prop::array::uniform2(any_square()),
        others in prop::collection::vec((any_square(), 0usize..5, 0usize..2), 0..12),
        (side, passed) in (0usize..2, prop::option::of(any_square())),
    ) {
        let mut builder = BoardBuilder::empty();
        for (square, piece, color) in others {
            builder.put(square, Some((Piece::ALL[piece], Color::ALL[color])));
        }
        builder.put(kings[0], Some((Piece::King, Color::White)));
        builder.put(kings[1], Some((Piece::King, Color::Black)));
        builder.side_to_move = Color::ALL[side];
        builder.en_passant = passed.filter(|square| square.rank().relative_to(Color::ALL[side]) as usize == 5);
        let ours = State::from_builder(&builder);
        let theirs = oracle::board(&builder).filter(|board| {
            let near = cozy_chess::get_king_moves(board.king(cozy_chess::Color::White));
            board.checkers().len() <= 2 && !near.has(board.king(cozy_chess::Color::Black))
        });
        prop_assert_eq!(ours.is_ok(), theirs.is_some(), "{:?}", ours.err());
    }
}
