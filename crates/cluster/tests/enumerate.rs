//! The same counts, ply by ply, as on one machine.

mod common;

use common::{nobody, on_processes};
use tabia_cluster::ClusterError;
use tabia_cluster::enumerate::{EnumerateOptions, enumerate};
use tabia_core::enumerate::{End, EnumerateOptions as Local, Enumeration, enumerate as local};
use tabia_core::{Game, Stop, Work};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_solitaire::Solitaire;

fn compare<G: Game>(game: &G, depth: Option<u32>, symmetry: bool, shapes: &[(usize, usize)]) -> Enumeration {
    let options = Local { symmetry, depth };
    let wanted = local(game, &game.start(), options, &Work::unwatched(2), |_| ()).unwrap();
    let options = EnumerateOptions { depth, all_images: !symmetry, ..EnumerateOptions::default() };
    for &(processes, workers) in shapes {
        let all = on_processes(processes, workers, |cluster| {
            enumerate(cluster, game, &game.start(), &options, &Stop::new(), &mut nobody()).unwrap()
        });
        for found in all {
            assert_eq!(found.levels, wanted.levels, "{} by {processes} x {workers}", game.id());
            assert_eq!(found.complete, wanted.end == End::Complete);
        }
    }
    wanted
}

#[test]
fn five_visible_has_as_many_positions_on_one_two_and_four_processes() {
    compare(&FiveVisible::default(), None, true, &[(1, 1), (2, 1), (4, 1)]);
}

#[test]
fn draughts_to_depth_nine_is_the_same_on_one_two_and_four_processes() {
    let found = compare(&Draughts::default(), Some(9), true, &[(1, 2), (2, 1), (4, 1)]);
    // The figures that everybody publishes are of sequences; those of positions up to symmetry are of `tabia enumerate`.
    assert_eq!(found.levels.last().map(|level| level.positions), Some(250_578));
}

#[test]
fn a_small_board_of_solitaire_is_the_same_and_forgets_levels() {
    let game = Solitaire::named("triangle5").unwrap();
    compare(&game, None, true, &[(1, 1), (2, 2), (4, 1)]);
    compare(&game, None, false, &[(3, 1)]);
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let game = FiveVisible::default();
    let options = EnumerateOptions { all_images: true, ..EnumerateOptions::default() };
    let all = on_processes(1, 1, |cluster| {
        enumerate(cluster, &game, &game.start(), &options, &Stop::new(), &mut nobody()).unwrap_err()
    });
    assert!(
        matches!(&all[..], [ClusterError::Unsupported(message)] if message.contains("images")),
        "{all:?}"
    );
}
