//! The kernels' rules, compiled as plain C++, against the rules in Rust: no GPU is needed, a C++ compiler is.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tabia_core::rng::SplitMix64;
use tabia_core::{Game, Index, Slice, Work};
use tabia_draughts::Draughts;
use tabia_solve::file::Precision;
use tabia_solve::slices::{BuildOptions, SliceFolder, build, digests};

/// The program made of `kernels/host.cpp`; `None` where there is no compiler.
fn host() -> Option<&'static Path> {
    static HOST: OnceLock<Option<(tempfile::TempDir, PathBuf)>> = OnceLock::new();
    let made = HOST.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/host.cpp");
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("host");
        let compiler = ["c++", "g++", "clang++"].into_iter().find(|name| {
            Command::new(name).arg("--version").output().is_ok_and(|ran| ran.status.success())
        })?;
        let options = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-o"];
        let made = Command::new(compiler).args(options).arg(&program).arg(source).status().unwrap();
        assert!(made.success(), "{compiler} cannot compile the kernels' headers");
        Some((folder, program))
    });
    made.as_ref().map(|(_, program)| program.as_path())
}

/// What the program writes, or nothing when the test has to be skipped.
fn ask(test: &str, words: &[&str], input: &str) -> Option<String> {
    let Some(program) = host() else {
        println!("skipped: {test}: no C++ compiler");
        return None;
    };
    let mut running =
        Command::new(program).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{words:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn perft_is_that_of_the_rules() {
    let Some(text) = ask("perft_is_that_of_the_rules", &["perft", "8"], "") else { return };
    // Aart Bik, "Computing Deep Perft and Divide Numbers for Checkers" (2012).
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        ["7", "49", "302", "1469", "7361", "36768", "179740", "845931"]
    );
}

/// Every position of a game of random moves as the kernels see it: from the side to move, which plays down the page.
fn random_positions(seed: u64) -> Vec<(String, tabia_draughts::State)> {
    let (rules, mut random) = (Draughts::default(), SplitMix64::new(seed));
    let (mut state, mut moves, mut all) = (rules.start(), Vec::new(), Vec::new());
    loop {
        moves.clear();
        rules.moves(&state, &mut moves);
        if moves.is_empty() || all.len() > 300 {
            return all;
        }
        let (black, white, kings) = (state.black(), state.white(), state.kings());
        let sets = [black & !kings, black & kings, white & !kings, white & kings];
        let [a, b, c, d] = match state.turn() {
            tabia_draughts::Color::Black => sets,
            tabia_draughts::Color::White => [sets[2], sets[3], sets[0], sets[1]].map(u32::reverse_bits),
        };
        if (black | white).count_ones() <= 8 {
            all.push((format!("{a} {b} {c} {d}\n"), state));
        }
        rules.play(&mut state, moves[(random.next() % moves.len() as u64) as usize]);
    }
}

fn leaves(rules: &Draughts, state: &tabia_draughts::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    let after = |mv: &tabia_draughts::Move| {
        let mut next = *state;
        rules.play(&mut next, *mv);
        leaves(rules, &next, depth - 1)
    };
    moves.iter().map(after).sum()
}

#[test]
fn every_position_has_the_same_place_and_the_same_moves() {
    let rules = Draughts::default();
    let positions: Vec<_> = (0..60).flat_map(random_positions).collect();
    let input: String = positions.iter().map(|(text, _)| text.as_str()).collect();
    let test = "every_position_has_the_same_place_and_the_same_moves";
    let Some(text) = ask(test, &["places"], &input) else { return };
    assert_eq!(text.lines().count(), positions.len());
    let mut compared = 0;
    for (line, (_, state)) in text.lines().zip(&positions) {
        let Some(spot) = rules.locate(state) else { continue };
        let numbers: Vec<u64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        let digits =
            |place: u64| (0..4).fold(0, |digits, digit| digits | (place >> (3 * digit) & 7) << (4 * digit));
        assert_eq!(Slice(digits(numbers[0]) as u32), spot.slice);
        assert_eq!(numbers[1], spot.index);
        assert_eq!(numbers[2], leaves(&rules, state, 3), "{state:?}");
        compared += 1;
    }
    assert!(compared > 500, "{compared}");
}

/// The tables of the program, and those that the solver in Rust builds.
fn compare(test: &str, pieces: u32, precision: Precision) {
    let number = pieces.to_string();
    let words = match precision {
        Precision::Outcome => vec!["tables", &number],
        Precision::Distance => vec!["tables", &number, "distances"],
    };
    let Some(text) = ask(test, &words, "") else { return };
    let folder = tempfile::tempdir().unwrap();
    let rules = Draughts::default();
    build(&rules, folder.path(), BuildOptions { pieces, precision }, &Work::unwatched(2)).unwrap();
    let built = SliceFolder::open(rules, folder.path()).unwrap();
    let known = digests(&built, &Work::unwatched(2)).unwrap();
    assert_eq!(text.lines().count(), known.len());
    let published = include_str!("../../../data/draughts/endings.txt");
    for (digest, (_, file)) in known.iter().zip(built.files()) {
        let mut longest = 0;
        if precision == Precision::Distance {
            let plies = |code: &u16| tabia_solve::code::decode(*code).distance().unwrap_or(0);
            longest = file.all_codes().unwrap().iter().map(plies).max().unwrap_or(0);
        }
        let line = format!(
            "{} {} {} {} {longest} {} 0",
            digest.slice, digest.positions, digest.wins, digest.losses, digest.digest
        );
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        let tabia_solve::slices::Digest { slice, positions, wins, draws, losses, digest } = digest;
        let line = format!("{slice} {positions} {wins} {draws} {losses} {digest} ");
        let of_gpu = published.lines().find(|known| known.starts_with(&line));
        assert!(of_gpu.is_some(), "{line}");
        if precision == Precision::Distance {
            assert!(of_gpu.is_some_and(|known| known.ends_with(&format!(" {longest}"))), "{line}{longest}");
        }
    }
}

#[test]
fn tables_are_those_of_the_solver() {
    compare("tables_are_those_of_the_solver", 3, Precision::Outcome);
}

#[test]
fn distances_are_those_of_the_solver() {
    compare("distances_are_those_of_the_solver", 3, Precision::Distance);
}

#[test]
#[ignore = "half a minute"]
fn tables_of_four_pieces_are_those_of_the_solver() {
    compare("tables_of_four_pieces_are_those_of_the_solver", 4, Precision::Outcome);
    compare("tables_of_four_pieces_are_those_of_the_solver", 4, Precision::Distance);
}
