//! Endings of draughts: published figures, and two ways of computing that share nothing.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tabia_core::{Game, Index, Probe, Progress, SplitMix64, Spot, Stop, Value, Work};
use tabia_draughts::Draughts;
use tabia_solve::file::Precision;
use tabia_solve::slices::{BuildOptions, BuildReport, Plan, SliceFolder, build, build_outcomes, verify};
use tabia_solve::stats::Histogram;
use tabia_solve::strong::{StrongOptions, solve};
use tabia_solve::{SolveError, lines};

const RULES: fn() -> Draughts = Draughts::default;

fn built(folder: &Path, pieces: u32, precision: Precision) -> (BuildReport, SliceFolder<Draughts>) {
    let options = BuildOptions { pieces, precision };
    let report = build(&RULES(), folder, options, &Work::unwatched(2)).unwrap();
    (report, SliceFolder::open(RULES(), folder).unwrap())
}

#[test]
fn king_against_king_is_as_published() {
    let folder = tempfile::tempdir().unwrap();
    let (report, tables) = built(folder.path(), 2, Precision::Distance);
    assert_eq!(report.positions, 3488);
    let kings = RULES().slice_named("01v01").unwrap();
    let (_, file) = tables.files().into_iter().find(|(slice, _)| *slice == kings).unwrap();
    let info = file.info();
    assert_eq!((info.wins, info.draws, info.losses), (230, 654, 108));
    let longest = Histogram::of(file, &Stop::new()).unwrap().longest_win().unwrap().clone();
    assert_eq!(longest.value, Value::Win(11));
    let state = RULES().position(Spot { slice: kings, index: longest.example }).unwrap();
    assert_eq!(lines::best_line(&RULES(), &tables, &state, 100).unwrap().len(), 11);
}

/// The index and its un-move generator against enumeration and a graph turned round.
#[test]
fn three_pieces_agree_with_the_strong_solver_and_with_verification() {
    let folder = tempfile::tempdir().unwrap();
    let (report, tables) = built(folder.path(), 3, Precision::Distance);
    assert_eq!(report.positions, 3488 + 196_032);
    assert_eq!(report.wins + report.draws + report.losses, report.positions);
    let rules = RULES();
    let mut rng = SplitMix64::new(8);
    let starts: Vec<_> = (0..3000).filter_map(|_| random_position(&rules, 3, &mut rng)).collect();
    let solution = solve(&rules, &starts, &StrongOptions::default(), &Work::unwatched(2)).unwrap();
    assert!(solution.len() > 50_000, "{}", solution.len());
    for (key, code) in solution.entries() {
        let state = rules.unpack(key).unwrap();
        assert_eq!(tables.get(&state).unwrap(), Some(tabia_solve::code::decode(code)), "{state:?}");
    }
    let verdict = verify(&tables, &Work::unwatched(2)).unwrap();
    assert!(verdict.is_right() && verdict.proof, "{:?}", verdict.examples);
    assert_eq!(verdict.positions, report.positions);
}

fn random_position(rules: &Draughts, pieces: u32, rng: &mut SplitMix64) -> Option<<Draughts as Game>::State> {
    let slices = rules.slice_groups(pieces).concat();
    let of_size: Vec<_> = slices.into_iter().filter(|slice| rules.slice_pieces(*slice) == pieces).collect();
    let slice = of_size[rng.below(of_size.len() as u64) as usize];
    rules.position(Spot { slice, index: rng.below(rules.slice_len(slice)) })
}

#[test]
fn without_distances_the_same_side_wins() {
    let (exact, plain) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (exact_report, exact) = built(exact.path(), 3, Precision::Distance);
    let (plain_report, plain) = built(plain.path(), 3, Precision::Outcome);
    assert_eq!(
        (plain_report.wins, plain_report.draws, plain_report.losses),
        (exact_report.wins, exact_report.draws, exact_report.losses)
    );
    assert!(plain_report.bytes < exact_report.bytes);
    assert!(!plain.has_distances());
    for ((slice, a), (_, b)) in exact.files().into_iter().zip(plain.files()) {
        for index in (0..a.info().positions).step_by(97) {
            let name = |code: u16| tabia_solve::code::decode(code).name();
            let spot = Spot { slice, index };
            assert_eq!(
                a.get_index(index).unwrap().map(name),
                b.get_index(index).unwrap().map(name),
                "{spot:?}"
            );
        }
    }
    assert!(verify(&plain, &Work::unwatched(2)).unwrap().is_right());
}

#[test]
fn a_stopped_build_goes_on_and_what_is_there_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions { pieces: 3, precision: Precision::Distance };
    let (stop, reports, lanes) = (Stop::new(), AtomicU64::new(0), AtomicU64::new(0));
    let stopping = |progress: &Progress| {
        lanes.fetch_or(1 << progress.lane, Relaxed);
        // Every group tells of its beginning: the first few are complete by then.
        if reports.fetch_add(1, Relaxed) > 40 {
            stop.stop();
        }
    };
    let work = Work { stop: &stop, progress: &stopping, ..Work::unwatched(1) };
    let stopped = build(&RULES(), folder.path(), options, &work);
    assert!(matches!(stopped, Err(SolveError::Stopped)));
    assert_eq!(lanes.into_inner(), 0b11, "the whole and the group side by side");
    let (report, _) = built(folder.path(), 3, Precision::Distance);
    assert!(report.kept > 0 && report.built > 0, "{report:?}");
    let (again, _) = built(folder.path(), 3, Precision::Distance);
    assert_eq!((again.built, again.wins), (0, report.wins));
}

#[test]
fn a_build_that_will_not_fit_is_refused_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::new(&RULES(), 6, Precision::Outcome);
    assert_eq!(plan.positions, 3488 + 196_032 + 6_209_316 + 139_450_808 + 2_426_085_676);
    let options = BuildOptions { pieces: 6, precision: Precision::Outcome };
    let work = Work { memory: 100 << 20, ..Work::unwatched(2) };
    let too_large = |refused: Result<BuildReport, SolveError>, positions: u64| {
        let error = refused.expect_err("refused");
        assert!(matches!(error, SolveError::TooLarge { positions: all, .. } if all == positions), "{error}");
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing is begun");
    };
    too_large(build(&RULES(), folder.path(), options, &work), plan.positions);
    too_large(build_outcomes(&RULES(), folder.path(), 6, &work), plan.positions);
    // Beyond the levels nothing is left out in silence.
    let nine = Plan::new(&RULES(), 9, Precision::Outcome).positions;
    let work = Work { memory: 1 << 40, ..work };
    too_large(build_outcomes(&RULES(), folder.path(), 9, &work), nine);
}

#[test]
#[ignore = "long: builds all four-piece endings and verifies them"]
fn four_pieces_verify_and_agree_with_the_strong_solver() {
    let folder = tempfile::tempdir().unwrap();
    let (report, tables) = built(folder.path(), 4, Precision::Distance);
    assert_eq!(report.positions, 3488 + 196_032 + 6_209_316);
    assert!(verify(&tables, &Work::unwatched(2)).unwrap().is_right());
    let rules = RULES();
    let mut rng = SplitMix64::new(9);
    let starts: Vec<_> = (0..5).filter_map(|_| random_position(&rules, 4, &mut rng)).collect();
    let solution = solve(&rules, &starts, &StrongOptions::default(), &Work::unwatched(2)).unwrap();
    for (key, code) in solution.entries() {
        let state = rules.unpack(key).unwrap();
        assert_eq!(tables.get(&state).unwrap(), Some(tabia_solve::code::decode(code)), "{state:?}");
    }
}

/// Two ways to the same values: group by group with distances, and level by level without.
#[test]
fn levels_and_groups_agree_on_who_wins() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let pieces = if cfg!(debug_assertions) { 3 } else { 4 };
    let (by_groups, first) = built(folders[0].path(), pieces, Precision::Distance);
    for threads in [1, 3] {
        let work = Work { memory: 1 << 30, ..Work::unwatched(threads) };
        let by_levels = build_outcomes(&RULES(), folders[1].path(), pieces, &work).unwrap();
        let counts = |report: &BuildReport| (report.positions, report.wins, report.draws, report.losses);
        assert_eq!(counts(&by_levels), counts(&by_groups));
        let second = SliceFolder::open(RULES(), folders[1].path()).unwrap();
        for ((slice, one), (_, other)) in first.files().into_iter().zip(second.files()) {
            let name = RULES().slice_name(slice);
            let names = |codes: Vec<u16>| -> Vec<_> {
                codes.into_iter().map(|code| tabia_solve::code::decode(code).name()).collect()
            };
            assert_eq!(names(one.all_codes().unwrap()), names(other.all_codes().unwrap()), "{name}");
        }
        std::fs::remove_dir_all(folders[1].path()).unwrap();
    }
}
