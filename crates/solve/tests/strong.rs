//! The strong solver against the definition, in all its ways of working.

mod common;

use common::{Web, naive};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tabia_core::{Game, Probe, Progress, Stop, Value, Work};
use tabia_solve::SolveError;
use tabia_solve::strong::{Method, Patience, Solution, StrongOptions, plan, solve};
use tabia_tic_tac_toe::TicTacToe;

fn solved<G: Game>(game: &G, options: &StrongOptions) -> Solution<G> {
    solve(game, &[game.start()], options, &Work::unwatched(1)).unwrap()
}

fn same_as_naive<G: Game>(game: &G, options: &StrongOptions, threads: usize) {
    let solution = solve(game, &[game.start()], options, &Work::unwatched(threads)).unwrap();
    let plain = naive(game, &game.start());
    for (state, value) in &plain {
        assert_eq!(solution.probe(state), Some(*value), "{state:?} of {}", game.variant());
    }
    let classes: std::collections::HashSet<_> =
        plain.keys().map(|state| game.pack_canonical(state)).collect();
    assert_eq!(solution.len(), classes.len());
}

#[test]
fn tic_tac_toe_is_a_draw_with_765_classes() {
    for method in [Method::Graph, Method::Passes] {
        let options = StrongOptions { method, ..StrongOptions::default() };
        same_as_naive(&TicTacToe, &options, 1);
        let solution = solved(&TicTacToe, &options);
        assert_eq!(solution.len(), 765);
        assert_eq!(solution.probe(&TicTacToe.start()), Some(Value::Draw));
        assert_eq!(solution.report().method, method);
    }
}

#[test]
fn random_games_come_out_as_defined_with_graph_and_in_passes() {
    for seed in 0..40 {
        let game = Web { seed, nodes: 30 + 40 * (seed % 8), players: 1 + (seed % 2) as u8 };
        for method in [Method::Graph, Method::Passes] {
            for threads in [1, 3] {
                same_as_naive(&game, &StrongOptions { method, ..StrongOptions::default() }, threads);
            }
        }
    }
}

#[test]
fn too_little_memory_drops_the_graph_and_then_refuses() {
    let game = Web { seed: 5, nodes: 20_000, players: 2 };
    let with = |memory, method| {
        let options = StrongOptions { method, ..StrongOptions::default() };
        solve(&game, &[game.start()], &options, &Work { memory, ..Work::unwatched(1) })
    };
    let roomy = with(1 << 30, Method::Auto).unwrap();
    assert_eq!(roomy.report().method, Method::Graph);
    let tight = with(roomy.report().peak_bytes * 9 / 10, Method::Auto).unwrap();
    assert_eq!(tight.report().method, Method::Passes);
    assert!(roomy.entries().eq(tight.entries()));
    let Err(SolveError::Memory { limit, positions, .. }) = with(10_000, Method::Auto) else {
        panic!("must refuse")
    };
    assert_eq!(limit, 10_000);
    assert!(positions > 0);
}

#[test]
fn patience_ends_with_games_that_only_grow() {
    let game = Web { seed: 5, nodes: 200_000, players: 2 };
    let with = |doubtful, longest| {
        let options =
            StrongOptions { patience: Some(Patience { doubtful, longest }), ..StrongOptions::default() };
        solve(&game, &[game.start()], &options, &Work::unwatched(1))
    };
    let (none, ever) = (Duration::ZERO, Duration::MAX);
    assert!(matches!(with(none, none), Err(SolveError::GaveUp { positions: 1.. })));
    // Never more than two positions wait for each that was looked at: no reason for doubt.
    assert!(with(none, ever).is_ok() && with(ever, ever).is_ok());
}

#[test]
fn the_plan_is_near_the_truth() {
    let game = Web { seed: 6, nodes: 50_000, players: 2 };
    let plan = plan(&game, &[game.start()], 1 << 20);
    let report = *solved(&game, &StrongOptions::default()).report();
    let actual = report.peak_bytes / report.positions;
    assert!(
        actual * 2 > plan.bytes_with_graph && actual < plan.bytes_with_graph * 2,
        "{plan:?}, really {report:?}"
    );
    assert!(plan.fit_without_graph > plan.fit_with_graph);
}

/// Solves, and stops the work after so many progress reports.
fn solve_until(game: &Web, options: &StrongOptions, allowed: u64) -> Result<Solution<Web>, SolveError> {
    let (stop, reports) = (Stop::new(), AtomicU64::new(0));
    let stopping = |_: &Progress| {
        if reports.fetch_add(1, Relaxed) >= allowed {
            stop.stop();
        }
    };
    let work = Work { stop: &stop, progress: &stopping, ..Work::unwatched(1) };
    solve(game, &[game.start()], options, &work)
}

/// Stops the work after every number of progress reports and takes it up again.
#[test]
fn stopped_work_is_resumed_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let game = Web { seed: 7, nodes: 3000, players: 2 };
    let expected = solved(&game, &StrongOptions::default());
    for method in [Method::Graph, Method::Passes] {
        for allowed in 1.. {
            let options = StrongOptions {
                checkpoint: Some(folder.path().join(format!("work-{allowed}"))),
                checkpoint_every: Duration::ZERO,
                method,
                ..StrongOptions::default()
            };
            let first = solve_until(&game, &options, allowed);
            let finished_at_once = first.is_ok();
            let solution = match first {
                Err(SolveError::Stopped) => solved(&game, &options),
                other => other.unwrap(),
            };
            assert!(solution.entries().eq(expected.entries()), "stopped after {allowed} reports");
            if finished_at_once {
                assert!(allowed > 5, "the loop saw several levels");
                break;
            }
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "checkpoints are removed at the end");
}

#[test]
fn foreign_and_damaged_checkpoints_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("work");
    let game = Web { seed: 7, nodes: 3000, players: 2 };
    let options = StrongOptions {
        checkpoint: Some(path.clone()),
        checkpoint_every: Duration::ZERO,
        ..StrongOptions::default()
    };
    assert!(matches!(solve_until(&game, &options, 4), Err(SolveError::Stopped)));
    let other = Web { seed: 9, ..game };
    let refused = solve(&other, &[other.start()], &options, &Work::unwatched(1)).err().unwrap();
    assert!(refused.to_string().contains("another game"), "{refused}");
    let good = std::fs::read(&path).unwrap();
    for at in (0..good.len()).step_by(997) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        std::fs::write(&path, &bad).unwrap();
        assert!(solve(&game, &[game.start()], &options, &Work::unwatched(1)).is_err(), "byte {at} changed");
    }
    std::fs::write(&path, &good[..good.len() - 1]).unwrap();
    assert!(solve(&game, &[game.start()], &options, &Work::unwatched(1)).is_err());
}
