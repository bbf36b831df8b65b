//! Path search against plain reachability.

mod common;

use common::{Node, Web, children};
use std::collections::HashSet;
use tabia_core::{Game, Work};
use tabia_solve::dfs::{Answer, DfsOptions, search};

fn reachable(game: &Web) -> HashSet<Node> {
    let mut seen = HashSet::new();
    let mut open = vec![game.start()];
    while let Some(state) = open.pop() {
        if seen.insert(state) {
            open.extend(children(game, &state));
        }
    }
    seen
}

#[test]
fn a_path_is_found_exactly_when_there_is_one() {
    for seed in 0..20 {
        let game = Web { seed, nodes: 60, players: 1 };
        let seen = reachable(&game);
        for node in 0..60 {
            let goal = |state: &Node| state.node == node;
            let report =
                search(&game, &game.start(), goal, DfsOptions::default(), &Work::unwatched(1)).unwrap();
            match report.answer {
                Answer::Path(moves) => {
                    let mut state = game.start();
                    for mv in moves {
                        assert!(game.check_move(&state, mv).is_ok());
                        game.play(&mut state, mv);
                    }
                    assert!(goal(&state));
                }
                Answer::NoPath => {
                    assert!(!seen.iter().any(goal), "seed {seed}, node {node}");
                    assert_eq!(report.positions, seen.len() as u64);
                }
                Answer::GaveUp => panic!("there was no limit"),
            }
        }
    }
}

#[test]
fn limits_give_up_and_never_claim_a_proof() {
    let game = Web { seed: 3, nodes: 5000, players: 1 };
    let options = DfsOptions { node_limit: 10, ..DfsOptions::default() };
    let report = search(&game, &game.start(), |_| false, options, &Work::unwatched(1)).unwrap();
    assert_eq!(report.answer, Answer::GaveUp);
    assert_eq!(report.nodes, 10);
}
