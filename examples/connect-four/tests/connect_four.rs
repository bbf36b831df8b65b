//! The laws, and published figures.

use connect_four::ConnectFour;
use tabia::prelude::*;
use tabia::rules::{Work, enumerate, perft};
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

/// After six moves in seven columns nothing is full yet; after seven, one column can be.
#[test]
fn counts_games() {
    let rules = ConnectFour::default();
    let work = Work::unwatched(1);
    let count =
        |depth| perft::perft(&rules, &rules.start(), depth, perft::Options::default(), &work).unwrap();
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
        let options = enumerate::Options { symmetry: false, depth: None };
        let all = enumerate::enumerate(&rules, &rules.start(), options, &Work::unwatched(2), |_| ()).unwrap();
        assert_eq!(
            all.levels.iter().map(|level| level.positions).sum::<u64>(),
            published,
            "{columns}x{rows}"
        );
    }
}
