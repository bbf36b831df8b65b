//! Rules: legal moves, counts and symmetry of a game as a type.

use tabia::games::five_visible::FiveVisible;
use tabia::prelude::*;
use tabia::rules::{Work, perft};

pub(crate) fn main() {
    let rules = FiveVisible::default();
    let mut state = rules.start();
    let mut moves = Vec::new();
    rules.moves(&state, &mut moves);
    println!("{} moves from {}", moves.len(), rules.format(&state));
    for depth in 1..=5 {
        let leaves = perft::perft(&rules, &state, depth, perft::PerftOptions::default(), &Work::unwatched(1));
        println!("perft {depth}: {}", leaves.expect("nobody stops it"));
    }
    // Positions that differ by a symmetry share one canonical form; the symmetry comes with it.
    rules.play(&mut state, moves[0]);
    let canonical = rules.canonicalise(&state);
    println!(
        "{} is {} by {}",
        rules.format(&state),
        rules.format(&canonical.state),
        canonical.symmetry.name()
    );
    assert_eq!(rules.map_state(&state, canonical.symmetry), canonical.state);
}
