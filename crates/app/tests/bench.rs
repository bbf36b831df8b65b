//! The benchmark does the same work every time.

use tabia_app::{Registry, bench};

/// A change here is a change of the search or of an evaluation: look twice, then write the new numbers down.
#[test]
fn the_searches_of_the_benchmark_visit_the_same_positions_every_time() {
    let run = || bench::run(&Registry::standard(), |_| ()).unwrap();
    let (first, again) = (run(), run());
    let nodes = |view: &bench::BenchView| {
        let search =
            |game: &bench::GameBench| game.search.as_ref().map(|s| (game.id.clone(), s.depth, s.nodes));
        view.games.iter().filter_map(search).collect::<Vec<_>>()
    };
    assert_eq!(first.fingerprint, again.fingerprint);
    assert_eq!(
        nodes(&first),
        [
            ("five-visible".to_owned(), 7, 230_493),
            ("arx".to_owned(), 10, 569_785),
            ("draughts".to_owned(), 12, 268_892),
            ("chess".to_owned(), 13, 446_696)
        ]
    );
}
