//! The puzzles that come with the program: all there, all readable, and none wrong.

use tabia_arx::Arx;
use tabia_chess::Chess;
use tabia_core::{Present, Probe, Work};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_report::puzzles::check::{WrongPuzzle, by_depth_first, by_full_width, by_values};
use tabia_report::puzzles::{PuzzleRecord, Verified};
use tabia_solitaire::Solitaire;
use tabia_solve::file::Precision;
use tabia_solve::slices::{BuildOptions, SliceFolder, build};
use tabia_solve::strong::{self, StrongOptions};

/// Puzzles of each game at least.
const LEAST: usize = 200;
/// Forced wins that a plain search checks in a moment.
const SHORT: u32 = 3;

const FIVE_VISIBLE: &str = include_str!("../../app/puzzles/five-visible.jsonl");
const ARX: &str = include_str!("../../app/puzzles/arx.jsonl");
const SOLITAIRE: &str = include_str!("../../app/puzzles/solitaire.jsonl");
const DRAUGHTS: &str = include_str!("../../app/puzzles/draughts.jsonl");
const CHESS: &str = include_str!("../../app/puzzles/chess.jsonl");

fn read(lines: &str) -> Vec<PuzzleRecord> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

fn none_wrong(checked: impl IntoIterator<Item = Result<(), WrongPuzzle>>) {
    let wrong: Vec<String> = checked.into_iter().filter_map(|one| Some(one.err()?.to_string())).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What can be seen without looking for anything.
fn in_order<G: Present>(rules: &G, lines: &str, verified: Verified) {
    let puzzles = read(lines);
    assert!(puzzles.len() >= LEAST, "{}", rules.id());
    let mut ids: Vec<String> = puzzles.iter().map(PuzzleRecord::id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), puzzles.len(), "{}: every puzzle has a name of its own", rules.id());
    for puzzle in &puzzles {
        let mut position = rules.parse(&puzzle.position).expect(&puzzle.position);
        assert_eq!(position.rules.format(&position.state), puzzle.position);
        assert!(position.rules.count_moves(&position.state) >= 2, "{puzzle:?}");
        for mv in std::iter::once(&puzzle.mv).chain(&puzzle.line) {
            let mv = position
                .rules
                .parse_move(&position.state, mv)
                .unwrap_or_else(|error| panic!("{puzzle:?}: {error}"));
            position.rules.play(&mut position.state, mv);
        }
        assert_eq!(puzzle.verified, verified);
        assert!((400..=3000).contains(&puzzle.rating) && puzzle.plies > 0, "{puzzle:?}");
    }
}

#[test]
fn there_are_enough_of_each_game_and_their_moves_are_legal() {
    in_order(&FiveVisible::default(), FIVE_VISIBLE, Verified::Solver);
    in_order(&Arx, ARX, Verified::Proof);
    in_order(&Solitaire::default(), SOLITAIRE, Verified::Solver);
    in_order(&Draughts::default(), DRAUGHTS, Verified::Tables);
    in_order(&Chess, CHESS, Verified::Proof);
}

#[test]
fn short_ones_are_right() {
    let short =
        |lines| read(lines).into_iter().filter(|puzzle| puzzle.plies <= SHORT).take(20).collect::<Vec<_>>();
    none_wrong(short(CHESS).iter().map(|puzzle| by_full_width(&Chess, puzzle)));
    none_wrong(short(ARX).iter().map(|puzzle| by_full_width(&Arx, puzzle)));
    let (rules, work) = (Solitaire::default(), Work::unwatched(1));
    let few = read(SOLITAIRE).into_iter().filter(|puzzle| puzzle.plies <= 8).take(20).collect::<Vec<_>>();
    none_wrong(few.iter().map(|puzzle| by_depth_first(&rules, puzzle, &work)));
}

#[test]
#[ignore = "long: every puzzle of chess, Arx and solitaire by plain search"]
fn all_are_right_by_plain_search() {
    none_wrong(read(CHESS).iter().map(|puzzle| by_full_width(&Chess, puzzle)));
    none_wrong(read(ARX).iter().map(|puzzle| by_full_width(&Arx, puzzle)));
    let (rules, work) = (Solitaire::default(), Work::unwatched(1));
    none_wrong(read(SOLITAIRE).iter().map(|puzzle| by_depth_first(&rules, puzzle, &work)));
}

#[test]
#[ignore = "long: solves 5-Visible and builds the endings of four pieces"]
fn all_are_right_by_exact_values() {
    let work = Work::unwatched(1);
    let rules = FiveVisible::default();
    let starts: Vec<_> = read(FIVE_VISIBLE)
        .iter()
        .map(|puzzle| tabia_core::Notation::parse(&rules, &puzzle.position).expect("a position").state)
        .collect();
    let solution = strong::solve(&rules, &starts, &StrongOptions::default(), &work).expect("solved");
    by_probe(&rules, &solution, FIVE_VISIBLE);
    let (rules, folder) = (Draughts::default(), tempfile::tempdir().expect("a folder"));
    let options = BuildOptions { pieces: 4, precision: Precision::Distance };
    build(&rules, folder.path(), options, &work).expect("built");
    by_probe(&rules, &SliceFolder::open(rules, folder.path()).expect("tables"), DRAUGHTS);
}

fn by_probe<G: Present>(rules: &G, values: &dyn Probe<G>, lines: &str) {
    none_wrong(read(lines).iter().map(|puzzle| by_values(rules, values, puzzle)));
}
