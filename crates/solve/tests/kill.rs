//! Builds killed with signal 9 at seeded moments go on where they were, to the same end.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tabia_chess::Chess;
use tabia_core::{Game, Index, SplitMix64, Work};
use tabia_draughts::Draughts;
use tabia_five_visible::{FiveVisible, Opening};
use tabia_solve::file::Precision;
use tabia_solve::slices::{BuildOptions, SliceFolder, build, verify};
use tabia_solve::strong::{Solution, StrongOptions, solve};

const MOMENTS: u64 = 12;
/// Tells the child what to work on, and where.
const WORK: &str = "TABIA_KILL_TEST";

fn five_visible(checkpoint: Option<&Path>) -> Solution<FiveVisible> {
    let game = FiveVisible { opening: Opening::Four, ..FiveVisible::default() };
    let checkpoint = checkpoint.map(|folder| folder.join("work"));
    // Saved at every chance, so that a kill can meet any part of it.
    let options = StrongOptions { checkpoint, checkpoint_every: Duration::ZERO, ..StrongOptions::default() };
    solve(&game, &[game.start()], &options, &Work::unwatched(2)).unwrap()
}

fn endings<G: Index>(game: &G, folder: &Path) -> u64 {
    let options = BuildOptions { pieces: 3, precision: Precision::Distance };
    build(game, folder, options, &Work::unwatched(2)).unwrap().kept
}

#[test]
#[ignore = "run by the other tests as a process of its own"]
fn child_process() {
    let Some(work) = std::env::var_os(WORK) else { return };
    let work = work.into_string().unwrap();
    match work.split_once(':').unwrap() {
        ("strong", folder) => drop(five_visible(Some(Path::new(folder)))),
        ("chess", folder) => drop(endings(&Chess, Path::new(folder))),
        (_, folder) => drop(endings(&Draughts::default(), Path::new(folder))),
    }
}

/// Starts the work again and again, and kills it each time a little later.
fn kill_repeatedly(work: &str, folder: &Path, longest: u64) {
    for moment in 0..MOMENTS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child_process", "--exact", "--ignored", "--quiet"])
            .env(WORK, format!("{work}:{}", folder.display()))
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(SplitMix64::new(moment).below(longest)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn a_killed_strong_solution_goes_on_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    kill_repeatedly("strong", folder.path(), 1500);
    let (resumed, whole) = (five_visible(Some(folder.path())), five_visible(None));
    assert!(resumed.entries().eq(whole.entries()));
}

fn killed_and_built<G: Index>(game: &G, work: &str, positions: u64) {
    let folder = tempfile::tempdir().unwrap();
    kill_repeatedly(work, folder.path(), 600);
    let kept = endings(game, folder.path());
    let tables = SliceFolder::open(game.clone(), folder.path()).unwrap();
    let verdict = verify(&tables, &Work::unwatched(2)).unwrap();
    assert!(verdict.is_right() && verdict.proof, "after {kept} kept: {:?}", verdict.examples);
    assert_eq!(verdict.positions, positions);
}

#[test]
fn a_killed_build_of_endings_leaves_no_half_written_slice() {
    killed_and_built(&Draughts::default(), "endings", 3488 + 196_032);
}

/// The same where numbers have gaps.
#[test]
fn a_killed_build_of_chess_endings_leaves_no_half_written_slice() {
    killed_and_built(&Chess, "chess", 368_330);
}
