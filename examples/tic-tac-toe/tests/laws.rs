//! The example keeps every law and the published counts.

use tabia_core::{Game, Work, enumerate, perft};
use tabia_testkit::laws::{self, Effort};
use tabia_testkit::{parsers, strategies};
use tabia_tic_tac_toe::TicTacToe;

#[test]
fn keeps_the_laws() {
    laws::check_game(&TicTacToe, Effort { games: 200, ..Effort::default() });
}

/// OEIS A061529 (games of each length end a sequence) and A008907-like folklore: 255,168 games,
/// 5,478 positions, 765 up to symmetry.
#[test]
fn published_counts() {
    let start = TicTacToe.start();
    let count = |depth, threads, hash_entries| {
        let work = Work::unwatched(threads);
        perft::perft(&TicTacToe, &start, depth, perft::PerftOptions { hash_entries }, &work).unwrap()
    };
    let counts: Vec<u64> = (0..=9).map(|depth| count(depth, 1, 0)).collect();
    assert_eq!(counts, [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
    assert_eq!(count(9, 2, 0), 127872);
    assert_eq!(count(9, 1, 1000), 127872);
    assert_eq!(count(10, 2, 10), 0);
    let total = |symmetry, threads| -> u64 {
        let options = enumerate::EnumerateOptions { symmetry, depth: None };
        let work = Work::unwatched(threads);
        let all = enumerate::enumerate(&TicTacToe, &start, options, &work, |_| ()).unwrap();
        assert_eq!(all.end, enumerate::End::Complete);
        all.levels.iter().map(|level| level.positions).sum()
    };
    assert_eq!((total(false, 1), total(false, 2)), (5478, 5478));
    assert_eq!((total(true, 1), total(true, 2)), (765, 765));
}

proptest::proptest! {
    #[test]
    fn parsers_never_panic(text in strategies::texts(&TicTacToe)) {
        parsers::never_panic(&TicTacToe, &text);
    }
}
