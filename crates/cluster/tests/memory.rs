//! Little memory: the same answers, with files.

mod common;

use common::{nobody, on_processes};
use tabia_cluster::enumerate::{EnumerateOptions, enumerate};
use tabia_cluster::solve::{SolveOptions, solve};
use tabia_cluster::status::{Figure, Gauges};
use tabia_core::{Game, Stop, Work};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_solitaire::Solitaire;
use tabia_solve::{keyed, strong};

const MEGABYTE: u64 = 1 << 20;

#[test]
fn five_visible_is_solved_the_same_with_little_memory() {
    let game = FiveVisible::default();
    let folder = tempfile::tempdir().unwrap();
    let local = folder.path().join("local.tbl");
    let options = strong::StrongOptions::default();
    let solution = strong::solve(&game, &[game.start()], &options, &Work::unwatched(2)).unwrap();
    keyed::write(&solution, "everything", &local).unwrap();
    for (name, memory) in [("enough", 64 * MEGABYTE), ("little", MEGABYTE), ("none", 1000)] {
        let (work, out) = (folder.path().join(name), folder.path().join(format!("{name}.tbl")));
        let options = SolveOptions {
            out: Some(out.clone()),
            about: "everything".to_owned(),
            folder: Some(work.clone()),
            memory: Some(memory),
            ..SolveOptions::default()
        };
        let spilled = on_processes(2, 1, |cluster| {
            let mut spilled = 0;
            let mut watch = |gauges: &[Gauges]| {
                spilled = gauges.iter().map(|worker| worker.get(Figure::Spilled)).sum::<u64>();
            };
            solve(cluster, &game, &[game.start()], &options, &Stop::new(), &mut watch).unwrap();
            spilled
        });
        assert!(std::fs::read(&out).unwrap() == std::fs::read(&local).unwrap(), "{name}");
        assert_eq!(spilled[0] > 0, name != "enough", "{name}: {spilled:?}");
        assert_eq!(std::fs::read_dir(&work).unwrap().count(), 0, "nothing is left of {name}");
    }
}

#[test]
fn draughts_is_counted_the_same_with_little_memory() {
    let game = Draughts::default();
    let folder = tempfile::tempdir().unwrap();
    let count = |memory, name: &str| {
        let folder = Some(folder.path().join(name));
        let options = EnumerateOptions { depth: Some(8), memory, folder, ..EnumerateOptions::default() };
        on_processes(2, 1, |cluster| {
            enumerate(cluster, &game, &game.start(), &options, &Stop::new(), &mut nobody()).unwrap().levels
        })
    };
    let wanted = count(None, "free");
    assert_eq!(count(Some(MEGABYTE / 2), "limited"), wanted);
    // It was not all there is: the folder is there to go deeper from.
    assert!(folder.path().join("limited/manifest").exists());
    assert_eq!(count(Some(MEGABYTE / 2), "limited"), wanted);
}

/// 23,475,688 classes: OEIS A112737.
#[test]
#[ignore = "long: English solitaire whole"]
fn english_solitaire_is_solved_with_64_megabytes_a_worker() {
    let game = Solitaire::named("english").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let options = SolveOptions {
        folder: Some(folder.path().to_owned()),
        memory: Some(64 * MEGABYTE),
        ..SolveOptions::default()
    };
    let all = on_processes(2, 1, |cluster| {
        solve(cluster, &game, &[game.start()], &options, &Stop::new(), &mut nobody()).unwrap()
    });
    assert!(all.iter().all(|solved| solved.positions == 23_475_688), "{all:?}");
}
