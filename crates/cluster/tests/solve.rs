//! The same totals, distances and files as the solver of one machine.

mod common;

use common::{nobody, on_processes};
use tabia_cluster::solve::{SolveOptions, solve};
use tabia_core::{Game, Stop, Work};
use tabia_five_visible::{FiveVisible, Opening};
use tabia_solitaire::Solitaire;
use tabia_solve::{keyed, strong};
use tabia_tic_tac_toe::TicTacToe;

/// Solves a game here and on many; the files must be the same to the byte.
fn compare<G: Game>(game: &G, starts: &[G::State], shapes: &[(usize, usize)]) {
    let folder = tempfile::tempdir().unwrap();
    let wanted = folder.path().join("local.tbl");
    let solution =
        strong::solve(game, starts, &strong::StrongOptions::default(), &Work::unwatched(2)).unwrap();
    let info = keyed::write(&solution, "everything", &wanted).unwrap();
    for &(processes, workers) in shapes {
        let out = folder.path().join(format!("{processes}-{workers}.tbl"));
        let options = SolveOptions {
            out: Some(out.clone()),
            about: "everything".to_owned(),
            ..SolveOptions::default()
        };
        let all = on_processes(processes, workers, |cluster| {
            solve(cluster, game, starts, &options, &Stop::new(), &mut nobody()).unwrap()
        });
        for (process, solved) in all.iter().enumerate() {
            let counts = (solved.positions, solved.wins, solved.draws, solved.losses, solved.longest);
            assert_eq!(counts, (info.positions, info.wins, info.draws, info.losses, info.longest));
            assert_eq!(solved.edges, solution.report().edges);
            assert_eq!(solved.info.as_ref(), (process == 0).then_some(&info));
        }
        assert!(std::fs::read(&wanted).unwrap() == std::fs::read(&out).unwrap(), "{processes} x {workers}");
    }
}

#[test]
fn five_visible_is_solved_as_on_one_machine() {
    let game = FiveVisible::default();
    let empty = FiveVisible { opening: Opening::Empty, ..game };
    compare(&game, &[game.start(), empty.start()], &[(1, 1), (2, 1), (4, 1)]);
}

#[test]
fn a_small_board_of_solitaire_is_solved_as_on_one_machine() {
    let game = Solitaire::named("triangle5").unwrap();
    compare(&game, &[game.start()], &[(1, 1), (2, 2)]);
}

#[test]
fn tic_tac_toe_is_solved_as_on_one_machine() {
    compare(&TicTacToe, &[TicTacToe.start()], &[(1, 3), (3, 1)]);
}
