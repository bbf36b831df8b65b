//! The laws, and published figures.

use connect_four::ConnectFour;
use std::time::Duration;
use tabia::Watch;
use tabia::prelude::*;
use tabia::report::profile::ProfileRequest;
use tabia::rules::{Work, enumerate, perft};
use tabia::solve::SolveRequest;
use tabia_testkit::laws::{self, Effort};

fn board(columns: u32, rows: u32) -> ConnectFour {
    ConnectFour::new(columns, rows).expect("a board that fits")
}

#[test]
fn keeps_every_law() {
    let boards = [ConnectFour::default(), board(4, 5), board(8, 7)];
    for rules in boards {
        laws::check_game(&rules, Effort::default());
        laws::check_search(&rules, Effort::default());
    }
    laws::check_variants(&boards);
}

/// Games begin as a copy of this folder outside of the tree, where nothing can be inherited.
#[test]
fn can_be_copied() {
    assert!(!include_str!("../Cargo.toml").contains("workspace"));
}

/// After six moves in seven columns nothing is full yet; after seven, one column can be.
#[test]
fn counts_games() {
    let rules = ConnectFour::default();
    let work = Work::unwatched(1);
    let count =
        |depth| perft::perft(&rules, &rules.start(), depth, perft::PerftOptions::default(), &work).unwrap();
    assert_eq!([1, 2, 3, 4, 5, 6].map(count), [7, 49, 343, 2401, 16807, 117649]);
}

/// John Tromp, "John's Connect Four Playground" (tromp.github.io/c4/c4.html), table of positions by board,
/// found again by Boeck (github.com/markus7800/Connect4-Strong-Solver).
#[test]
fn counts_the_positions_of_small_boards_as_published() {
    for (columns, rows, published) in
        [(3, 3, 869), (4, 3, 12_031), (3, 5, 38_310), (5, 3, 158_911), (4, 4, 161_029)]
    {
        let rules = board(columns, rows);
        let options = enumerate::EnumerateOptions { symmetry: false, depth: None };
        let all = enumerate::enumerate(&rules, &rules.start(), options, &Work::unwatched(2), |_| ()).unwrap();
        assert_eq!(
            all.levels.iter().map(|level| level.positions).sum::<u64>(),
            published,
            "{columns}x{rows}"
        );
    }
}

/// The same page of Tromp's gives the results of small boards: four columns of four or five rows are draws.
#[test]
fn solves_small_boards_as_published() {
    let registry = Registry::standard().with(Adapter::new(ConnectFour::default()).with_search());
    let game = registry.find("connect").unwrap();
    // More than enough, on whatever else the machine may be working.
    let request = SolveRequest { time: Duration::from_secs(600), ..SolveRequest::default() };
    for size in ["4x4", "4x5"] {
        let position = game.parse(size).unwrap();
        let answer = position.solve().unwrap().solve(&request, &Watch::nobody()).unwrap();
        assert_eq!((answer.value, answer.method.as_str()), ("draw", "strong"), "{size}: {}", answer.reason);
    }
}

#[test]
fn has_every_capability_of_a_game_for_two() {
    let registry = Registry::standard().with(Adapter::new(ConnectFour::default()).with_search());
    let game = registry.find("connect-four").unwrap();
    let all = ["perft", "enumerate", "playout", "search", "solve", "tablebase", "book", "annotate", "report"];
    assert_eq!(game.capabilities(), all);
    let code = game.parse("4x5").unwrap().encode("packed").unwrap();
    assert!(code.starts_with("4x5:0x"), "{code}");
    assert_eq!(game.parse(&code).unwrap().view().variant, "connect-four+4x5");
}

#[test]
fn its_report_says_what_is_published() {
    let registry = Registry::standard().with(Adapter::new(ConnectFour::default()).with_search());
    let position = registry.find("connect-four").unwrap().parse("4x4").unwrap();
    let effort = "random=1,positions=2".parse().unwrap();
    let request = ProfileRequest { effort, threads: 2, ..ProfileRequest::default() };
    let found = position.profile().unwrap().report(&request, &Watch::nobody()).unwrap();
    assert_eq!(found.fact("exact.value"), Some("draw"));
    // John Tromp's count of the positions of four columns and four rows.
    let positions = found.figure("positions.plain").map(|figure| figure.reading.value as u64);
    assert_eq!(positions, Some(161_029));
}
