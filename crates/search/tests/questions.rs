//! Questions other than "what is best": some moves only, wins only; and wins that pruning would hide.

mod common;

use common::graph::Graph;
use common::{assert_exact, record};
use tabia_chess::Chess;
use tabia_core::{Game, Notation, Record, Value};
use tabia_search::{AlphaBeta, Limits, Question, Score, SearchOptions, Stop};

fn engine(threads: usize) -> AlphaBeta {
    AlphaBeta::new(SearchOptions { table_bytes: 1 << 20, threads, ..SearchOptions::default() }).unwrap()
}

fn chess(fen: &str) -> Record<Chess> {
    Record::new(Chess.parse(fen).unwrap())
}

const MATES: &str = include_str!("../../../data/chess/mates.txt");
const HIDDEN: &str = include_str!("../../../data/chess/hidden-mates.txt");

/// Positions and the plies to mate.
fn mates(text: &str) -> impl Iterator<Item = (&str, u16)> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (fen, moves) = line.rsplit_once(';').unwrap();
        (fen.trim(), 2 * moves.trim().parse::<u16>().unwrap() - 1)
    })
}

#[test]
fn asked_for_a_win_alone_it_finds_the_quickest_within_the_depth() {
    let wins = Question { only_wins: true, ..Question::default() };
    for threads in [1, 2] {
        let mut engine = engine(threads);
        for (fen, plies) in mates(MATES).chain(mates(HIDDEN)) {
            let limits = Limits::depth(u32::from(plies));
            let report = engine.ask(&chess(fen), &wins, &limits, &Stop::new(), |_| ());
            assert_eq!((report.score, report.exact), (Score::Win(plies), true), "{fen}");
            assert_eq!(report.pv().len(), usize::from(plies), "{fen}");
            if plies > 1 {
                let limits = Limits::depth(u32::from(plies) - 1);
                let report = engine.ask(&chess(fen), &wins, &limits, &Stop::new(), |_| ());
                assert!(!report.score.is_proven() && report.best().is_some(), "{fen}: {report:?}");
            }
        }
    }
}

#[test]
fn asked_for_a_win_alone_in_loopy_games() {
    let wins = Question { only_wins: true, ..Question::default() };
    for seed in 0..6 {
        let game = Graph::random(seed, 60, seed % 3 > 0);
        let values = game.solve();
        let mut engine = engine(1);
        for state in game.positions().filter(|state| game.outcome(state).is_none()) {
            let report = engine.ask(&record(&game, &state), &wins, &Limits::depth(9), &Stop::new(), |_| ());
            match values[usize::from(state)] {
                Value::Win(plies) if plies <= 9 => {
                    assert_eq!((report.score, report.exact), (Score::Win(plies), true), "{seed}, {state}");
                }
                _ => assert!(!report.score.is_proven(), "{seed}, {state}: {report:?}"),
            }
        }
    }
}

#[test]
fn a_pruning_search_finds_wins_of_few_plies_soon() {
    let few = mates(MATES).filter(|(_, plies)| *plies <= 3);
    for (fen, plies) in few.chain(mates(HIDDEN)) {
        let nodes = if plies <= 3 { 500_000 } else { 2_500_000 };
        let report = engine(1).search(&chess(fen), &Limits::nodes(nodes), &Stop::new(), |_| ());
        assert_eq!((report.score, report.exact), (Score::Win(plies), true), "{fen}");
    }
}

#[test]
fn some_moves_only_and_nothing_of_it_is_believed_of_the_position() {
    for seed in 0..6 {
        let game = Graph::random(seed, 60, seed % 3 > 0);
        let values = game.solve();
        let mut engine = engine(1);
        for state in game.positions().filter(|state| game.outcome(state).is_none()) {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            for &mv in &moves {
                let only = Question { among: &[mv], ..Question::default() };
                let report =
                    engine.ask(&record(&game, &state), &only, &Limits::depth(9), &Stop::new(), |_| ());
                let value = values[usize::from(mv)].one_ply_earlier_for(game.side(&state) == game.side(&mv));
                assert_eq!(report.best(), Some(mv));
                // A worse move may be worth less than that: what comes back to the position is a draw.
                if value == values[usize::from(state)]
                    && value.distance().is_none_or(|distance| distance <= 9)
                {
                    assert_exact(&report, value, &format!("seed {seed}, {state} to {mv}"));
                }
            }
            let value = values[usize::from(state)];
            let report = engine.search(&record(&game, &state), &Limits::depth(9), &Stop::new(), |_| ());
            if value.distance().is_none_or(|distance| distance <= 9) {
                assert_exact(&report, value, &format!("seed {seed}, {state}"));
            }
        }
    }
}

#[test]
fn moves_that_cannot_be_played_restrict_nothing() {
    let start = chess("6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1");
    let mut after = Vec::new();
    Chess.moves(chess("6k1/5ppp/8/8/8/8/8/4R2K b - - 0 1").state(), &mut after);
    let only = Question { among: &after, ..Question::default() };
    let report = engine(1).ask(&start, &only, &Limits::depth(2), &Stop::new(), |_| ());
    assert_eq!(report.score, Score::Win(1));
}
