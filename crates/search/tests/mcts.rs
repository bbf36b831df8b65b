//! Monte-Carlo search: what it proves is true, and it finds the move in small games.

mod common;

use common::connect::{Connect, TIC_TAC_TOE};
use common::graph::Graph;
use common::{assert_sound, record};
use std::collections::HashMap;
use tabia_core::{Game, Value};
use tabia_search::{Limits, Mcts, MctsOptions, Score, Stop};

#[test]
fn proven_results_are_true_in_loopy_games() {
    let mut proven = 0;
    for (seed, threads) in (0..5).flat_map(|seed| [(seed, 1), (seed, 2)]) {
        let game = Graph::random(seed, 60, seed % 3 > 0);
        let values = game.solve();
        let engine = Mcts::new(MctsOptions { threads, seed, ..MctsOptions::default() });
        for state in game.positions() {
            let report = engine.search(&record(&game, &state), &Limits::nodes(300), &Stop::new(), |_| ());
            assert_sound(&report, values[usize::from(state)], &format!("seed {seed}, position {state}"));
            proven += u32::from(report.score.is_proven());
        }
    }
    assert!(proven > 80, "{proven}");
}

#[test]
fn small_boards_are_solved_given_time() {
    let game = Connect { width: 3, height: 3, k: 3, gravity: true };
    for game in [TIC_TAC_TOE, game] {
        let mut memo = HashMap::new();
        game.solve(game.start(), &mut memo);
        let mut positions: Vec<_> = memo.iter().collect();
        positions.sort_by_key(|(board, _)| game.pack(board));
        for (board, value) in positions.into_iter().step_by(17) {
            let engine = Mcts::new(MctsOptions::default());
            let report = engine.search(&record(&game, board), &Limits::nodes(30_000), &Stop::new(), |_| ());
            let same = matches!(
                (report.score, value),
                (Score::Win(_), Value::Win(_))
                    | (Score::Loss(_), Value::Loss(_))
                    | (Score::Draw, Value::Draw)
            );
            // A draw needs every line; most are settled in so few playouts, none is wrong.
            assert!(
                same || matches!(report.score, Score::Estimate(_)) && *value == Value::Draw,
                "{board:?}: {report:?}"
            );
            assert!(report.best().is_some());
        }
    }
}

#[test]
fn one_thread_and_a_seed_are_the_same_search() {
    let game = TIC_TAC_TOE;
    let search = || {
        let engine = Mcts::new(MctsOptions { seed: 7, ..MctsOptions::default() });
        let report = engine.search(&record(&game, &game.start()), &Limits::nodes(2000), &Stop::new(), |_| ());
        (report.lines, report.score, report.nodes)
    };
    assert_eq!(search(), search());
}

#[test]
fn a_full_memory_ends_growth_but_not_the_search() {
    let game = Connect { width: 5, height: 4, k: 4, gravity: true };
    let engine = Mcts::new(MctsOptions { memory: 10_000, ..MctsOptions::default() });
    let report = engine.search(&record(&game, &game.start()), &Limits::nodes(2000), &Stop::new(), |_| ());
    assert_eq!(report.nodes, 2000);
    assert!(report.best().is_some());
}
