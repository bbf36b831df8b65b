//! The strong solver against the definition, in all its ways of working.

mod common;

use common::{Web, naive};
use std::ops::ControlFlow;
use std::time::Duration;
use tabia_core::{Game, Probe, Value};
use tabia_solve::strong::{Method, Options, Solution, plan, solve};
use tabia_solve::{Progress, SolveError};
use tabia_tic_tac_toe::TicTacToe;

fn silent(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn solved<G: Game>(game: &G, options: &Options) -> Solution<G> {
    solve(game, &[game.start()], options, &mut silent).unwrap()
}

fn same_as_naive<G: Game>(game: &G, options: &Options) {
    let solution = solved(game, options);
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
        let options = Options { method, ..Options::default() };
        same_as_naive(&TicTacToe, &options);
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
                same_as_naive(&game, &Options { method, threads, ..Options::default() });
            }
        }
    }
}

#[test]
fn too_little_memory_drops_the_graph_and_then_refuses() {
    let game = Web { seed: 5, nodes: 20_000, players: 2 };
    let with = |memory, method| {
        let options = Options { memory, method, ..Options::default() };
        solve(&game, &[game.start()], &options, &mut silent)
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
fn the_plan_is_near_the_truth() {
    let game = Web { seed: 6, nodes: 50_000, players: 2 };
    let plan = plan(&game, &[game.start()], 1 << 20);
    let report = *solved(&game, &Options::default()).report();
    let actual = report.peak_bytes / report.positions;
    assert!(
        actual * 2 > plan.bytes_with_graph && actual < plan.bytes_with_graph * 2,
        "{plan:?}, really {report:?}"
    );
    assert!(plan.fit_without_graph > plan.fit_with_graph);
}

/// Stops the work after every number of progress reports and takes it up again.
#[test]
fn stopped_work_is_resumed_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let game = Web { seed: 7, nodes: 3000, players: 2 };
    let expected = solved(&game, &Options::default());
    for method in [Method::Graph, Method::Passes] {
        for allowed in 1.. {
            let options = Options {
                checkpoint: Some(folder.path().join(format!("work-{allowed}"))),
                checkpoint_every: Duration::ZERO,
                method,
                ..Options::default()
            };
            let mut reports = 0;
            let mut stopping = |_: &Progress| {
                reports += 1;
                if reports > allowed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let first = solve(&game, &[game.start()], &options, &mut stopping);
            let finished_at_once = first.is_ok();
            let solution = match first {
                Err(SolveError::Stopped) => solve(&game, &[game.start()], &options, &mut silent).unwrap(),
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
    let options =
        Options { checkpoint: Some(path.clone()), checkpoint_every: Duration::ZERO, ..Options::default() };
    let mut stop_later = {
        let mut n = 0;
        move |_: &Progress| {
            n += 1;
            if n > 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    };
    assert!(matches!(solve(&game, &[game.start()], &options, &mut stop_later), Err(SolveError::Stopped)));
    let other = Web { seed: 9, ..game };
    let refused = solve(&other, &[other.start()], &options, &mut silent).err().unwrap();
    assert!(refused.to_string().contains("another game"), "{refused}");
    let good = std::fs::read(&path).unwrap();
    for at in (0..good.len()).step_by(997) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        std::fs::write(&path, &bad).unwrap();
        assert!(solve(&game, &[game.start()], &options, &mut silent).is_err(), "byte {at} changed");
    }
    std::fs::write(&path, &good[..good.len() - 1]).unwrap();
    assert!(solve(&game, &[game.start()], &options, &mut silent).is_err());
}
