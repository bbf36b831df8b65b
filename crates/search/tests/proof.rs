//! Proof-number search proves what is won and refutes what is not, loops or no loops.

mod common;

use common::connect::{Connect, TIC_TAC_TOE};
use common::graph::Graph;
use common::record;
use std::collections::HashMap;
use tabia_core::{Game, Side, Value};
use tabia_search::{Limits, ProofNumber, Score, Stop, Verdict};

fn expected(value: Value, mover: Side, attacker: Side) -> Verdict {
    match value {
        Value::Win(_) if mover == attacker => Verdict::Proven,
        Value::Loss(_) if mover != attacker => Verdict::Proven,
        _ => Verdict::Refuted,
    }
}

#[test]
fn loopy_games_are_proven_and_refuted_soundly() {
    for (seed, bytes) in (0..40).flat_map(|seed| [(seed, 1 << 16), (seed, 256)]) {
        let game = Graph::random(seed, 40, seed % 3 > 0);
        let values = game.solve();
        let mut engine = ProofNumber::new(bytes).unwrap();
        for (state, attacker) in game.positions().flat_map(|s| Side::ALL.map(|side| (s, side))) {
            let proof = engine.prove(&record(&game, &state), attacker, &Limits::nodes(100_000), &Stop::new());
            let expected = expected(values[usize::from(state)], game.side(&state), attacker);
            let unknown_is_fine = bytes < 1024 && proof.verdict == Verdict::Unknown;
            assert!(
                unknown_is_fine || proof.verdict == expected,
                "seed {seed}, {state}, {attacker}: {:?}",
                proof.verdict
            );
            if proof.verdict == Verdict::Proven && bytes > 1024 {
                let mut now = state;
                for &mv in &proof.line {
                    assert!(game.check_move(&now, mv).is_ok());
                    game.play(&mut now, mv);
                }
                assert_eq!(
                    game.outcome(&now).and_then(tabia_core::Outcome::winner),
                    Some(attacker),
                    "seed {seed}, {state}"
                );
            }
        }
    }
}

#[test]
fn small_boards_are_settled() {
    for game in [TIC_TAC_TOE, Connect { width: 4, height: 3, k: 3, gravity: true }] {
        let mut memo = HashMap::new();
        game.solve(game.start(), &mut memo);
        let mut engine = ProofNumber::new(1 << 20).unwrap();
        for (board, &value) in &memo {
            let report = engine.search(&record(&game, board), &Limits::default(), &Stop::new());
            let same = match (report.score, value) {
                (Score::Win(n), Value::Win(m)) | (Score::Loss(n), Value::Loss(m)) => n >= m,
                (Score::Draw, Value::Draw) => report.best().is_some(),
                _ => false,
            };
            assert!(same, "{game:?} {board:?}: {:?}, expected {value:?}", report.score);
        }
    }
}
