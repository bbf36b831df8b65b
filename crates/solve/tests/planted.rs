//! Games with a bug, planted on purpose: whoever meets it says so. None passes for an answer.

mod common;

use common::ring::{Bug, NODES, Ring};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tabia_core::enumerate::{self, End, enumerate};
use tabia_core::perft::{self, CountError, perft};
use tabia_core::{Game, GameError, Progress, Stop, Work};
use tabia_solve::file::Precision;
use tabia_solve::slices::{self, BuildOptions, SliceFolder};
use tabia_solve::strong::{Method, StrongOptions, solve};
use tabia_solve::{KeyedTable, SolveError, dfs, keyed, verify};

type Answer = Result<bool, SolveError>;

/// A piece of long work with a game; `Ok(true)` when it had nothing to complain of.
type Piece = fn(&Ring, &Work<'_>) -> Answer;

/// All of them, by name.
const PIECES: [(&str, Piece); 8] = [
    ("perft", counted),
    ("enumerate", |ring, work| enumerated(ring, false, work)),
    ("enumerate up to symmetry", |ring, work| enumerated(ring, true, work)),
    ("depth-first", |ring, work| {
        let report = dfs::search(ring, &ring.start(), |_| false, dfs::DfsOptions::default(), work)?;
        Ok(report.answer == dfs::Answer::NoPath)
    }),
    ("strong, with the graph", |ring, work| solved(ring, Method::Graph, work)),
    ("strong, in passes", |ring, work| solved(ring, Method::Passes, work)),
    ("keyed table", keyed_verified),
    ("slices", |ring, work| slices_built(ring, ring, work)),
];

fn counted(ring: &Ring, work: &Work<'_>) -> Answer {
    match perft(ring, &ring.start(), 12, perft::PerftOptions::default(), work) {
        Err(CountError::Game(error)) => Err(error.into()),
        other => Ok(other.is_ok()),
    }
}

fn enumerated(ring: &Ring, symmetry: bool, work: &Work<'_>) -> Answer {
    let options = enumerate::EnumerateOptions { symmetry, depth: None };
    Ok(enumerate(ring, &ring.start(), options, work, |_| ())?.end == End::Complete)
}

fn solved(ring: &Ring, method: Method, work: &Work<'_>) -> Answer {
    solve(ring, &[ring.start()], &StrongOptions { method, ..StrongOptions::default() }, work).map(|_| true)
}

/// A table of the sound game, looked at with the rules of this one.
fn keyed_verified(ring: &Ring, work: &Work<'_>) -> Result<bool, SolveError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.tbl");
    let sound = Ring::new(ring.seed, Bug::None);
    let solution = solve(&sound, &[sound.start()], &StrongOptions::default(), &Work::unwatched(1)).unwrap();
    keyed::write(&solution, "all", &path).unwrap();
    Ok(verify::keyed(&KeyedTable::open(ring.clone(), &path)?, work)?.is_right())
}

/// Slices built with one game, and verified with another.
fn slices_built(builder: &Ring, checker: &Ring, work: &Work<'_>) -> Result<bool, SolveError> {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions { pieces: 1, precision: Precision::Distance };
    slices::build(builder, folder.path(), options, work)?;
    Ok(slices::verify(&SliceFolder::open(checker.clone(), folder.path())?, work)?.is_right())
}

/// A node that is met everywhere: the one after the first move.
fn met(seed: u64) -> u16 {
    let ring = Ring::new(seed, Bug::None);
    let mut state = ring.start();
    ring.play(&mut state, 0);
    state.node
}

#[test]
fn a_sound_game_is_not_complained_of() {
    for threads in [1, 3] {
        for (name, piece) in PIECES {
            assert!(piece(&Ring::new(1, Bug::None), &Work::unwatched(threads)).unwrap(), "{name}");
        }
    }
}

#[test]
fn an_encoding_that_cannot_be_read_back_is_named() {
    let node = met(1);
    let ring = Ring::new(1, Bug::Unpack(node));
    for (name, piece) in PIECES {
        match (name, piece(&ring, &Work::unwatched(2))) {
            // These never decode a position.
            ("perft" | "depth-first", answer) => assert!(answer.unwrap()),
            // Here it is a fault of the table, counted with the others.
            ("keyed table", answer) => assert!(!answer.unwrap()),
            ("slices", answer) => {
                let text = answer.unwrap_err().to_string();
                assert!(text.contains("of ring is no position"), "{text}");
            }
            (_, Err(SolveError::Game(GameError::Unpack { packed, reason, .. }))) => {
                assert!(packed.starts_with(&format!("{node:04x}")), "{name}: {packed}");
                assert!(reason.contains("planted"), "{name}: {reason}");
            }
            (name, answer) => panic!("{name}: {answer:?}"),
        }
    }
}

#[test]
fn moves_that_change_between_two_looks_are_noticed_in_passes() {
    let ring = Ring::new(1, Bug::ForgetsAMove(met(1)));
    let options = StrongOptions { method: Method::Passes, ..StrongOptions::default() };
    let error = solve(&ring, &[ring.start()], &options, &Work::unwatched(2)).err().unwrap();
    assert!(error.to_string().contains("had other moves"), "{error}");
}

/// A predecessor named twice, in any place: the builder notices, or the table it makes is right, or the
/// verification by the sound rules finds it out.
#[test]
fn predecessors_that_do_not_fit_the_moves_never_give_a_table_that_passes() {
    let (sound, work) = (Ring::new(1, Bug::None), Work::unwatched(1));
    let (mut refused, mut wrong) = (0, 0);
    for node in 0..NODES {
        match slices_built(&Ring::new(1, Bug::ExtraPredecessor(node)), &sound, &work) {
            Ok(true) => {}
            Ok(false) => wrong += 1,
            Err(SolveError::Game(GameError::Contradiction(what))) => {
                assert!(what.contains("predecessor more often"), "{what}");
                refused += 1;
            }
            Err(other) => panic!("{node}: {other}"),
        }
    }
    assert!(refused > 0 && wrong > 0, "{refused} refused, {wrong} wrong");
}

#[test]
fn rules_that_fail_are_an_error_in_every_piece_of_work() {
    for (threads, (name, piece)) in [1, 3].into_iter().flat_map(|n| PIECES.map(|piece| (n, piece))) {
        // A fault stays with the rules: each piece of work gets fresh ones.
        let answer = piece(&Ring::new(1, Bug::Fails(met(1))), &Work::unwatched(threads));
        let Err(SolveError::Game(GameError::Fault { reason, .. })) = answer else {
            panic!("{name}: {answer:?}")
        };
        assert!(reason.contains("planted"), "{name}: {reason}");
    }
}

/// The words that a piece of work panicked with.
fn panic_of<T>(work: impl FnOnce() -> T) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(work)).err()?;
    panic.downcast_ref::<&str>().map(|words| (*words).to_owned())
}

#[test]
fn a_thread_that_panics_takes_its_answer_with_it() {
    let ring = Ring::new(1, Bug::Panics(met(1)));
    for (threads, (name, piece)) in [1, 4].into_iter().flat_map(|n| PIECES.map(|piece| (n, piece))) {
        let words = panic_of(|| piece(&ring, &Work::unwatched(threads)).is_ok());
        assert_eq!(words.as_deref(), Some("a planted panic"), "{name}");
    }
}

/// Work that is stopped after its first report.
fn stopped<T>(threads: usize, run: impl FnOnce(&Work<'_>) -> T) -> T {
    let stop = Stop::new();
    let tell = |_: &Progress| stop.stop();
    run(&Work { stop: &stop, progress: &tell, ..Work::unwatched(threads) })
}

#[test]
fn enumeration_stops_within_a_level_and_says_how_far_it_came() {
    let ring = Ring::new(1, Bug::None);
    let options = enumerate::EnumerateOptions { symmetry: false, depth: None };
    let stop = Stop::new();
    stop.stop();
    let work = Work { stop: &stop, ..Work::unwatched(2) };
    let none = enumerate(&ring, &ring.start(), options, &work, |_| ()).unwrap();
    let End::Stopped(at) = none.end else { panic!("{none:?}") };
    assert_eq!((none.levels.len(), at.ply, at.positions, at.looked_at, at.found), (0, 0, 1, 0, 0));
    // Every level reports at its first chunk: the start is looked at, and what it leads to is found.
    let some = stopped(1, |work| enumerate(&ring, &ring.start(), options, work, |_| ())).unwrap();
    let End::Stopped(at) = some.end else { panic!("{some:?}") };
    assert_eq!((some.levels.len(), at.ply, at.looked_at), (1, 1, 0));
    assert!(at.positions > 0);
}

#[test]
fn enumeration_keeps_within_its_memory() {
    let ring = Ring::new(1, Bug::None);
    let options = enumerate::EnumerateOptions { symmetry: false, depth: None };
    let work = Work { memory: 200, ..Work::unwatched(1) };
    let cut = enumerate(&ring, &ring.start(), options, &work, |_| ()).unwrap();
    assert!(matches!(cut.end, End::Memory(_)), "{cut:?}");
    let whole = enumerate(&ring, &ring.start(), options, &Work::unwatched(1), |_| ()).unwrap();
    assert!(whole.table_bytes > cut.table_bytes);
    assert!(whole.levels.starts_with(&cut.levels));
}

#[test]
fn counting_that_is_stopped_gives_no_count() {
    let ring = Ring::new(1, Bug::None);
    for (threads, hash_entries) in [(1, 0), (3, 0), (1, 1000)] {
        let options = perft::PerftOptions { hash_entries };
        let count = stopped(threads, |work| perft(&ring, &ring.start(), 200, options, work));
        assert_eq!(count, Err(CountError::Stopped));
    }
}
