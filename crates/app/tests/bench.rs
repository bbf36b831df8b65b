//! The benchmark does the same work every time.

use tabia_app::{Registry, bench};

/// A change here is a change of the search or of an evaluation: look twice, then write the new numbers down.
#[test]
fn the_searches_of_the_benchmark_visit_the_same_positions_every_time() {
    let run = || bench::run(&Registry::standard(), |_| ()).unwrap();
    let (first, again) = (run(), run());
    assert_eq!(first.fingerprint, again.fingerprint);
    for (id, depth, nodes) in [
        ("five-visible", 7, 221_720),
        ("arx", 13, 205_838),
        ("draughts", 11, 284_828),
        ("chess", 16, 289_917),
    ] {
        let game = first.games.iter().find(|game| game.id == id);
        let search = game.and_then(|game| game.search.as_ref()).map(|search| (search.depth, search.nodes));
        assert_eq!(search, Some((depth, nodes)), "{id}");
    }
}
