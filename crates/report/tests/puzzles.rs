//! Puzzles: what is made holds, and what is wrong is caught.

use std::ops::ControlFlow;
use tabia_chess::Chess;
use tabia_core::{Evaluate, Game, Notation, Position, Record, Stop, Work};
use tabia_five_visible::FiveVisible;
use tabia_report::puzzles::check::{by_depth_first, by_full_width, by_values};
use tabia_report::puzzles::{Engine, MakeOptions, Maker, PuzzleRecord, Verified, id_of};
use tabia_search::{AlphaBeta, Limits, Question, Report};
use tabia_solitaire::Solitaire;
use tabia_solve::strong::{self, StrongOptions};

fn ask<G: Evaluate>(
    engine: &mut AlphaBeta,
    record: &Record<G>,
    question: &Question<'_, G>,
    limits: &Limits,
    stop: &Stop,
    progress: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    engine.ask(record, question, limits, stop, progress)
}

fn at<G: Game>(rules: &G) -> Vec<Position<G>> {
    vec![Position { rules: rules.clone(), state: rules.start() }]
}

const OPTIONS: MakeOptions = MakeOptions { plies: 3, most_plies: 12, seed: 1, nodes: 20_000 };

fn win(position: &str, mv: &str, plies: u32) -> PuzzleRecord {
    PuzzleRecord {
        position: position.to_owned(),
        mv: mv.to_owned(),
        line: Vec::new(),
        value: "win".to_owned(),
        plies,
        rating: 1000,
        themes: Vec::new(),
        verified: Verified::Proof,
    }
}

/// Paul Morphy's end against the Duke of Brunswick and Count Isouard, Paris 1858: a queen is given, a rook mates.
const MORPHY: &str = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16";

#[test]
fn a_true_puzzle_passes_the_full_width_search() {
    assert_eq!(by_full_width(&Chess, &win(MORPHY, "Qb8+", 3)), Ok(()));
}

#[test]
fn planted_wrong_puzzles_are_caught() {
    let two_ways = "6k1/5ppp/8/8/8/8/8/QR4K1 w - - 0 1";
    for (puzzle, words) in [
        (win(MORPHY, "Qxe6+", 3), "does not win"),
        (win(MORPHY, "Qb8+", 5), "fewer than 5"),
        (win(MORPHY, "Qb8+", 1), "does not win in 1"),
        (win(MORPHY, "Qb8+", 0), "a ply at least"),
        (win(two_ways, "Qa8#", 1), "wins in 1 plies, too"),
        (win(MORPHY, "Qb9", 3), "expected a move"),
        (win("nonsense", "e4", 3), "nonsense"),
    ] {
        let wrong = by_full_width(&Chess, &puzzle).expect_err(words);
        assert!(wrong.to_string().contains(words), "{wrong}");
    }
}

#[test]
fn puzzles_of_a_solved_game_keep_the_value_and_planted_ones_are_caught() {
    let rules = FiveVisible::default();
    let work = Work::unwatched(1);
    let solution = strong::solve(&rules, &[rules.start()], &StrongOptions::default(), &work).expect("solved");
    let stop = Stop::new();
    let mut engine = Engine::new(ask, FiveVisible::evaluate, true, &stop).expect("memory");
    let maker = Maker::new(at(&rules), MakeOptions { plies: 5, ..OPTIONS }, &work);
    let mut made = Vec::new();
    let _ = (0..200).try_for_each(|number| {
        made.extend(maker.exact(number, &solution, Verified::Solver, &mut engine));
        if made.len() < 6 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(made.len() >= 6, "{}", made.len());
    for puzzle in &made {
        assert_eq!(by_values(&rules, &solution, puzzle), Ok(()));
        assert!(puzzle.plies >= 5 && puzzle.rating > 400, "{puzzle:?}");
        let sooner = PuzzleRecord { plies: puzzle.plies + 1, ..puzzle.clone() };
        assert!(by_values(&rules, &solution, &sooner).is_err());
        let state = rules.parse(&puzzle.position).expect("a position").state;
        let mut moves = Vec::new();
        rules.moves(&state, &mut moves);
        let texts: Vec<String> = moves.iter().map(|mv| rules.format_move(&state, *mv)).collect();
        for mv in texts.into_iter().filter(|mv| *mv != puzzle.mv) {
            let other = PuzzleRecord { mv, ..puzzle.clone() };
            assert!(by_values(&rules, &solution, &other).is_err(), "{other:?}");
        }
    }
    let again = maker.exact(0, &solution, Verified::Solver, &mut engine);
    let first = made.iter().take(again.len()).cloned().collect::<Vec<_>>();
    assert_eq!(again, first, "a game's puzzles depend on its number alone");
}

#[test]
fn puzzles_for_one_have_one_solving_move() {
    let rules = Solitaire::default();
    let work = Work::unwatched(1);
    let maker = Maker::new(at(&rules), MakeOptions { plies: 4, most_plies: 9, ..OPTIONS }, &work);
    let made: Vec<PuzzleRecord> = (0..6).flat_map(|number| maker.solvable(number)).collect();
    assert!(!made.is_empty());
    for puzzle in &made {
        assert_eq!(by_depth_first(&rules, puzzle, &work), Ok(()));
        let state = rules.parse(&puzzle.position).expect("a position").state;
        let mut moves = Vec::new();
        rules.moves(&state, &mut moves);
        let texts = moves.iter().map(|mv| rules.format_move(&state, *mv));
        for mv in texts.filter(|mv| *mv != puzzle.mv) {
            assert!(by_depth_first(&rules, &PuzzleRecord { mv, ..puzzle.clone() }, &work).is_err());
        }
    }
}

#[test]
fn ids_are_short_and_stay_as_they_are() {
    assert_eq!(id_of(MORPHY).len(), 7);
    assert_eq!(id_of(MORPHY), id_of(MORPHY));
    assert_ne!(id_of(MORPHY), id_of("another"));
    // Links to puzzles are kept by people: this must not change.
    assert_eq!(id_of("W:WK16:BK26"), ID_OF_A_KNOWN_POSITION);
}

const ID_OF_A_KNOWN_POSITION: &str = "o52s8h5";
