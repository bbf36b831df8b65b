//! Limits, stopping, several lines, determinism and pinned node counts.

mod common;

use common::connect::Connect;
use common::record;
use std::time::{Duration, Instant};
use tabia_chess::Chess;
use tabia_core::{Game, Notation, Record};
use tabia_search::{AlphaBeta, Limits, Report, Score, SearchOptions, Stop};

const GAME: Connect = Connect { width: 6, height: 5, k: 4, gravity: true };

fn engine(threads: usize) -> AlphaBeta {
    AlphaBeta::new(SearchOptions { table_bytes: 1 << 20, threads, ..SearchOptions::default() }).unwrap()
}

fn start() -> Record<Connect> {
    record(&GAME, &GAME.start())
}

fn search(limits: Limits) -> Report<u8> {
    engine(1).search(&start(), &limits, &Stop::new(), |_| ())
}

/// A change here is a change of the search: look twice, then write the new number down.
#[test]
fn node_counts_are_pinned() {
    let nodes: Vec<u64> = [4, 6, 8].iter().map(|&depth| search(Limits::depth(depth)).nodes).collect();
    assert_eq!(nodes, [670, 3483, 21658]);
}

#[test]
fn one_thread_is_deterministic() {
    let answer = || {
        let mut depths = Vec::new();
        let report =
            engine(1).search(&start(), &Limits::depth(7), &Stop::new(), |r| depths.push((r.depth, r.nodes)));
        (depths, report.lines, report.nodes, report.table)
    };
    assert_eq!(answer(), answer());
}

#[test]
fn limits_are_kept() {
    assert_eq!(search(Limits::depth(3)).depth, 3);
    let report = search(Limits::nodes(5000));
    assert_eq!(report.nodes, 5000);
    assert!(report.best().is_some());
    // With so few nodes that no iteration ends there is still a move.
    assert!(search(Limits::nodes(1)).best().is_some());
}

#[test]
fn a_stop_ends_the_search_at_once_with_a_move() {
    let stop = Stop::new();
    let started = Instant::now();
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.stop();
        });
        engine(2).search(&start(), &Limits::default(), &stop, |_| ())
    });
    assert!(report.best().is_some());
    // Generous: only an endless search would take so long.
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    let mut one = engine(1);
    let options = SearchOptions { table_bytes: 1 << 20, lines: 3, ..SearchOptions::default() };
    let mut three = AlphaBeta::new(options).unwrap();
    let game = Connect { width: 4, height: 4, k: 3, gravity: true };
    let root = record(&game, &game.start());
    let report = three.search(&root, &Limits::depth(12), &Stop::new(), |_| ());
    assert_eq!(report.lines.len(), 3);
    let ranks: Vec<i32> = report.lines.iter().map(|line| line.score.rank()).collect();
    assert!(ranks.is_sorted_by(|a, b| a >= b), "{ranks:?}");
    for line in &report.lines {
        let mut after = root.clone();
        after.play(line.moves[0]).unwrap();
        let reply = one.search(&after, &Limits::depth(12), &Stop::new(), |_| ());
        let same = match (line.score, reply.score) {
            (Score::Win(n), Score::Loss(m)) | (Score::Loss(n), Score::Win(m)) => n == m + 1,
            (a, b) => a.is_proven() == b.is_proven(),
        };
        assert!(same, "{:?} after {:?}: {:?}", line.score, line.moves[0], reply.score);
    }
}

/// Each line is looked for without those before it, with what the table has learnt meanwhile: in these positions
/// a later one came out better than an earlier one.
#[test]
fn lines_are_told_best_first_after_every_iteration() {
    let options = SearchOptions { table_bytes: 1 << 20, lines: 4, ..SearchOptions::default() };
    for fen in [
        "5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1",
        "7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1",
        "2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - - 0 1",
    ] {
        let record = Record::new(Chess.parse(fen).unwrap());
        let ordered = |report: &Report<_>| {
            let ranks: Vec<i32> = report.lines.iter().map(|line| line.score.rank()).collect();
            assert!(ranks.is_sorted_by(|a, b| a >= b), "{fen} at depth {}: {ranks:?}", report.depth);
            assert_eq!(report.score, report.lines[0].score);
        };
        let mut engine = AlphaBeta::new(options).unwrap();
        ordered(&engine.search(&record, &Limits::depth(8), &Stop::new(), ordered));
    }
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut root = record(&common::connect::TIC_TAC_TOE, &common::connect::TIC_TAC_TOE.start());
    for mv in [0, 3, 1, 4, 2] {
        root.play(mv).unwrap();
    }
    let report = engine(1).search(&root, &Limits::depth(3), &Stop::new(), |_| ());
    assert_eq!((report.best(), report.score), (None, Score::Loss(0)));
}

/// Wherever a search is interrupted, its line belongs to the move it begins with. (Here one move was better than
/// another by just the last hundredth that its window had left, and was told with the other's line.)
#[test]
fn every_line_that_is_told_can_be_played() {
    let fen = "rnbq1knr/ppp1pp1p/3p2pb/PB6/6Q1/4P3/1PPPNPPP/RNB1K2R w KQ - 6 7";
    let record = Record::new(Chess.parse(fen).unwrap());
    let mut engine = engine(1);
    for nodes in (1000..12_000).step_by(45) {
        engine.clear();
        let report = engine.search(&record, &Limits::nodes(nodes), &Stop::new(), |_| ());
        let mut now = *record.state();
        for &mv in report.pv() {
            assert!(Chess.check_move(&now, mv).is_ok(), "{mv} after {nodes} nodes in {:?}", report.pv());
            Chess.play(&mut now, mv);
        }
    }
}
