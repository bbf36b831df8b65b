//! The same ending tables, file by file, as on one machine.

mod common;

use common::{nobody, on_processes};
use std::path::Path;
use tabia_cluster::outcomes::build_outcomes;
use tabia_cluster::tablebase::build;
use tabia_core::{Index, Stop, Work};
use tabia_draughts::Draughts;
use tabia_solve::file::Precision;
use tabia_solve::slices::{self, BuildOptions};

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap())
    };
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(read).collect();
    all.sort();
    all
}

#[test]
fn draughts_with_two_and_three_pieces_is_the_same_to_the_byte() {
    let game = Draughts::default();
    let folder = tempfile::tempdir().unwrap();
    let (wanted, pieces) = (folder.path().join("local"), 3);
    let options = BuildOptions { pieces, precision: Precision::Distance };
    let report = slices::build(&game, &wanted, options, &Work::unwatched(2)).unwrap();
    let groups = game.slice_groups(pieces);
    for (processes, workers) in [(1, 1), (2, 1), (1, 3), (4, 1)] {
        let out = folder.path().join(format!("{processes}-{workers}"));
        let all = on_processes(processes, workers, |cluster| {
            build(cluster, &game, &groups, Precision::Distance, &out, &Stop::new(), &mut nobody()).unwrap()
        });
        for built in all {
            let counts = (built.positions, built.wins, built.draws, built.losses, built.longest, built.bytes);
            let wanted =
                (report.positions, report.wins, report.draws, report.losses, report.longest, report.bytes);
            assert_eq!(counts, wanted);
            assert_eq!((built.built, built.kept), (report.built, 0));
        }
        assert!(files(&out) == files(&wanted), "{processes} x {workers}");
    }
}

#[test]
fn slices_that_are_there_are_kept() {
    let game = Draughts::default();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let run = |pieces| {
        let groups = game.slice_groups(pieces);
        on_processes(2, 1, |cluster| {
            build(cluster, &game, &groups, Precision::Distance, &out, &Stop::new(), &mut nobody()).unwrap()
        })
    };
    let two = &run(2)[0];
    let three = run(3);
    assert_eq!(three[0], three[1]);
    assert_eq!(three[0].kept, two.built);
    let again = &run(3)[1];
    assert_eq!((again.built, again.kept, again.wins), (0, three[0].built + two.built, three[0].wins));
}

#[test]
fn who_wins_is_the_same_to_the_byte_level_by_level_and_group_by_group() {
    let game = Draughts::default();
    let folder = tempfile::tempdir().unwrap();
    let (wanted, pieces) = (folder.path().join("local"), 3);
    let report = slices::build_outcomes(&game, &wanted, pieces, &Work::unwatched(2)).unwrap();
    let (by_groups, options) =
        (folder.path().join("groups"), BuildOptions { pieces, precision: Precision::Outcome });
    slices::build(&game, &by_groups, options, &Work::unwatched(2)).unwrap();
    let groups = game.slice_groups(pieces);
    for (processes, workers, levels) in
        [(1, 1, true), (2, 1, true), (1, 3, true), (4, 1, true), (2, 1, false)]
    {
        let out = folder.path().join(format!("{processes}-{workers}-{levels}"));
        let wanted = if levels { &wanted } else { &by_groups };
        // A part of it is there already.
        std::fs::create_dir(&out).unwrap();
        for slice in game.slice_groups(2).concat() {
            let name = slices::file_name(&game, slice);
            std::fs::copy(wanted.join(&name), out.join(&name)).unwrap();
        }
        let all = on_processes(processes, workers, |cluster| {
            let (stop, watch) = (Stop::new(), &mut nobody());
            if levels {
                build_outcomes(cluster, &game, pieces, &out, &stop, watch).unwrap()
            } else {
                build(cluster, &game, &groups, Precision::Outcome, &out, &stop, watch).unwrap()
            }
        });
        for built in all {
            let counts = (built.positions, built.wins, built.draws, built.losses, built.bytes);
            let bytes = files(wanted).iter().map(|(_, bytes)| bytes.len() as u64).sum();
            assert_eq!(counts, (report.positions, report.wins, report.draws, report.losses, bytes));
            assert!(built.kept > 0 && built.built + built.kept == report.built, "{built:?}");
        }
        assert!(files(&out) == files(wanted), "{processes} x {workers}, levels: {levels}");
    }
}
