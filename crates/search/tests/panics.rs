//! Rules with a bug: a thread that dies takes its answer with it, and nobody waits for it for ever.

mod common;

use common::graph::{Graph, Trap};
use common::record;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tabia_core::Game;
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, ProofNumber, SearchOptions, Stop};

/// A game whose moves cannot be listed in a position that every search comes to.
fn broken() -> Graph {
    let mut game = Graph::random(5, 60, true);
    let mut moves = Vec::new();
    game.moves(&0, &mut moves);
    let at = moves.into_iter().find(|at| game.outcome(at).is_none());
    assert!(at.is_some(), "a position to go on from");
    game.trap = Some(Trap { at, spared: None });
    game
}

/// What the work panics with.
fn panic_of<T>(work: impl FnOnce() -> T) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| drop(work()))).expect_err("an answer in spite of the bug");
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

fn alpha_beta(game: &Graph, threads: usize) {
    let options = SearchOptions { table_bytes: 1 << 16, threads, ..SearchOptions::default() };
    let limits = Limits { depth: Some(40), nodes: Some(1 << 30), ..Limits::default() };
    AlphaBeta::new(options).expect("memory").search(&record(game, &0), &limits, &Stop::new(), |_| ());
}

fn monte_carlo(game: &Graph, threads: usize) {
    let options = MctsOptions { threads, ..MctsOptions::default() };
    Mcts::new(options).search(&record(game, &0), &Limits::default(), &Stop::new(), |_| ());
}

#[test]
fn alpha_beta_reports_a_bug_of_the_rules() {
    for threads in [1, 4] {
        let panic = panic_of(|| alpha_beta(&broken(), threads));
        assert!(panic.starts_with("planted"), "{threads} threads: {panic:?}");
    }
}

#[test]
fn monte_carlo_reports_a_bug_of_the_rules() {
    for threads in [1, 4] {
        let panic = panic_of(|| monte_carlo(&broken(), threads));
        assert!(panic.starts_with("planted"), "{threads} threads: {panic:?}");
    }
}

#[test]
fn a_helper_that_dies_is_not_passed_over() {
    // A game that is neither settled nor known whole before the helpers have begun: nothing but their end
    // ends the search.
    let unsettled = |game: &Graph| {
        let mcts = Mcts::new(MctsOptions::default());
        let report = mcts.search(&record(game, &0), &Limits::nodes(50_000), &Stop::new(), |_| ());
        !report.score.is_proven()
    };
    let mut game =
        (0..200).map(|seed| Graph::random(seed, 20_000, true)).find(unsettled).expect("a long game");
    game.trap = Some(Trap { at: None, spared: Some(std::thread::current().id()) });
    assert!(panic_of(|| alpha_beta(&game, 4)).starts_with("planted"));
    assert!(panic_of(|| monte_carlo(&game, 4)).starts_with("planted"));
}

#[test]
fn a_proof_reports_a_bug_of_the_rules() {
    let mut engine = ProofNumber::new(1 << 16).expect("memory");
    let game = broken();
    let search = || engine.search(&record(&game, &0), &Limits::default(), &Stop::new());
    assert!(panic_of(search).starts_with("planted"));
}
