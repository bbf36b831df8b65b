//! Search against what is known of real games: chess mates, draughts endings, 5-Visible.

mod common;

use common::solved::{children, solve_all};
use common::{assert_exact, assert_sound, record};
use std::collections::HashMap;
use tabia_chess::Chess;
use tabia_core::{Evaluate, Game, Notation, Outcome, Record, Side, SplitMix64, Value};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, ProofNumber, Score, SearchOptions, Stop, Verdict};

fn engines() -> Vec<(&'static str, AlphaBeta)> {
    let engine = |table_bytes, threads, selective| {
        AlphaBeta::new(SearchOptions { table_bytes, threads, selective, ..SearchOptions::default() }).unwrap()
    };
    vec![
        ("pruning", engine(4 << 20, 1, true)),
        ("no table", engine(0, 1, false)),
        ("full width", engine(4 << 20, 1, false)),
        ("two threads", engine(4 << 20, 2, false)),
        ("six threads, pruning", engine(4 << 20, 6, true)),
    ]
}

/// The plies to the quickest win of the side to move within `plies`, by trying everything.
fn quickest_win<G: Game>(game: &G, state: &G::State, plies: u16) -> Option<u16> {
    (1..=plies).step_by(2).find(|&plies| wins_within(game, state, plies))
}

fn wins_within<G: Game>(game: &G, state: &G::State, plies: u16) -> bool {
    let won = Outcome::Win(game.side(state));
    children(game, state).any(|reply| match game.outcome(&reply) {
        Some(outcome) => outcome == won,
        None => {
            plies > 2
                && children(game, &reply).all(|next| match game.outcome(&next) {
                    Some(outcome) => outcome == won,
                    None => wins_within(game, &next, plies - 2),
                })
        }
    })
}

#[test]
fn chess_mates_are_found_with_their_distance() {
    let mut checked = 0;
    for line in include_str!("../../../data/chess/mates.txt").lines().filter(|line| !line.starts_with('#')) {
        let (fen, moves) = line.rsplit_once(';').unwrap();
        let plies = 2 * moves.trim().parse::<u16>().unwrap() - 1;
        let position = Chess.parse(fen.trim()).unwrap();
        // The file is not believed.
        assert_eq!(quickest_win(&Chess, &position.state, plies), Some(plies), "{fen}");
        for (what, mut engine) in engines() {
            let limits = Limits::depth(u32::from(plies));
            let report = engine.search(&Record::new(position.clone()), &limits, &Stop::new(), |_| ());
            let what = format!("{what}: {fen}");
            // Pruning may hide a quiet mate for a while, but never gives a wrong distance as exact.
            if engine.options().selective {
                assert_sound(&report, Value::Win(plies), &what);
                continue;
            }
            assert_eq!(report.score, Score::Win(plies), "{what}");
            assert!(report.exact, "{what}");
            assert_eq!(report.pv().len(), usize::from(plies), "{what}");
        }
        checked += 1;
    }
    assert!(checked >= 29, "{checked}");
}

fn compare<G: Evaluate>(game: &G, values: &HashMap<G::State, Value>, most: u16, count: usize) {
    let mut states: Vec<_> = values.iter().filter(|(state, _)| game.outcome(state).is_none()).collect();
    states.sort_by_key(|(state, _)| game.pack(state));
    let mut rng = SplitMix64::new(7);
    let mut engines = engines();
    let mut decided = 0;
    for _ in 0..count {
        let (state, &value) = states[rng.below(states.len() as u64) as usize];
        if value.distance().is_some_and(|distance| distance > most) {
            continue;
        }
        decided += u32::from(value != Value::Draw);
        for (what, engine) in &mut engines {
            let limits = Limits::depth(u32::from(value.distance().unwrap_or(5)));
            let report = engine.search(&record(game, state), &limits, &Stop::new(), |_| ());
            let what = format!("{what}: {state:?}");
            if engine.options().selective {
                assert_sound(&report, value, &what);
            } else {
                assert_exact(&report, value, &what);
            }
        }
    }
    assert!(decided as usize > count / 10, "{decided} of {count} decided");
}

#[test]
fn draughts_endings_of_three_pieces_are_searched_to_their_exact_value() {
    let game = Draughts::default();
    let start = game.parse("B:WK32,K29:BK1").unwrap().state;
    compare(&game, &solve_all(&game, &[start]), 9, 40);
}

#[test]
fn five_visible_is_searched_to_its_exact_value() {
    // Late positions, from which everything that can follow is solved here.
    let game = FiveVisible::default();
    let mut rng = SplitMix64::new(11);
    let mut checked = 0;
    let mut engines = engines();
    while checked < 40 {
        let mut state = game.start();
        for _ in 0..40 {
            let Some(mv) = game.random_move(&state, &mut rng, &mut Vec::new()) else { break };
            let before = state;
            game.play(&mut state, mv);
            if game.outcome(&state).is_some() {
                state = before;
                break;
            }
        }
        let Some(plies) = quickest_win(&game, &state, 3) else { continue };
        for (what, engine) in &mut engines {
            let report = engine.search(&record(&game, &state), &Limits::depth(5), &Stop::new(), |_| ());
            assert_eq!(report.score, Score::Win(plies), "{what}: {}", game.format(&state));
        }
        checked += 1;
    }
}

/// The king must take the queen, and nobody can win any more; or nobody can already.
#[test]
fn dead_positions_are_draws_for_every_search() {
    for text in ["7k/8/8/8/8/8/1q6/K7 w - - 0 1", "8/8/4k3/8/8/3K4/5N2/8 w - - 0 1"] {
        let record = Record::new(Chess.parse(text).unwrap());
        for (what, mut engine) in engines() {
            let report = engine.search(&record, &Limits::depth(3), &Stop::new(), |_| ());
            assert_exact(&report, Value::Draw, &format!("{what}: {text}"));
        }
        let mcts = Mcts::new(MctsOptions::default());
        let report = mcts.search(&record, &Limits::nodes(100), &Stop::new(), |_| ());
        assert_eq!(report.score, Score::Draw, "{text}");
        assert!(report.exact, "{text}");
        let mut prover = ProofNumber::new(1 << 16).unwrap();
        for side in Side::ALL {
            let proof = prover.prove(&record, side, &Limits::nodes(100), &Stop::new());
            assert_eq!(proof.verdict, Verdict::Refuted, "{text}");
        }
    }
}

#[test]
fn a_mate_behind_a_sacrifice_is_found_at_once() {
    let position = Chess.parse("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").unwrap();
    let mut engine =
        AlphaBeta::new(SearchOptions { table_bytes: 1 << 20, ..SearchOptions::default() }).unwrap();
    let limits = Limits::nodes(20_000);
    let report = engine.search(&Record::new(position.clone()), &limits, &Stop::new(), |_| ());
    let best = report.best().map(|mv| Chess.format_move(&position.state, mv));
    assert_eq!((best.as_deref(), report.score), (Some("Ra6"), Score::Win(3)));
}
