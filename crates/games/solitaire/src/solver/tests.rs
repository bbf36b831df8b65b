//! The solver against a naive one on small boards, where everything can be looked at.

use crate::{Goal, Solitaire, State, chain};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use tabia_core::puzzle::{LevelOptions, PuzzleLevel, Solvable};
use tabia_core::{Game, Notation, Puzzle, SplitMix64, enumerate};
use tabia_core::{Stop, Work};

static STOP: LazyLock<Stop> = LazyLock::new(Stop::new);
static WORK: LazyLock<Work<'static>> =
    LazyLock::new(|| Work { threads: 2, memory: 1 << 30, stop: &STOP, progress: &|_| {} });

/// Boards small enough for the naive solver.
const BOARDS: [&str; 8] = [
    "triangle4",
    "triangle5",
    "oooo/oooo/oo.o/oooo",
    "-oo-/oooo/oo.o/-oo-",
    "ooooo/oo.oo/ooooo",
    "ooooooo.oo",
    "--o--/-ooo-/oo.oo/-ooo-/--o--",
    "o/oo/ooo/oo-o/-.ooo",
];

/// Everything reachable, by plain jumps and nothing else.
struct Naive<'a> {
    rules: &'a Solitaire,
    solutions: HashMap<u64, u128>,
}

impl Naive<'_> {
    fn solutions(&mut self, pegs: u64) -> u128 {
        if let Some(&known) = self.solutions.get(&pegs) {
            return known;
        }
        let mut sum = u128::from(self.rules.goal().is_met(pegs));
        for jump in self.rules.board().possible(pegs) {
            sum += self.solutions(pegs ^ jump.holes());
        }
        self.solutions.insert(pegs, sum);
        sum
    }

    /// The fewest moves, by breadth-first search over (position, peg that moved last).
    fn fewest(&self, start: u64) -> Option<usize> {
        let mut seen = HashSet::new();
        let mut layer: Vec<(u64, Option<crate::Hole>)> = vec![(start, None)];
        for moves in 0.. {
            let mut next = Vec::new();
            while let Some((pegs, last)) = layer.pop() {
                if self.rules.goal().is_met(pegs) {
                    return Some(moves);
                }
                if !seen.insert((pegs, last)) {
                    continue;
                }
                for jump in self.rules.board().possible(pegs) {
                    let reached = (pegs ^ jump.holes(), Some(jump.to));
                    // Going on with the same peg costs nothing, so it belongs to this layer.
                    if Some(jump.from) == last { layer.push(reached) } else { next.push(reached) }
                }
            }
            if next.is_empty() {
                return None;
            }
            layer = next;
        }
        None
    }
}

fn check_line(rules: &Solitaire, start: State, line: &[crate::Jump]) {
    let mut state = start;
    for &jump in line {
        rules.check_move(&state, jump).unwrap();
        rules.play(&mut state, jump);
    }
    assert!(rules.goal().is_met(state.pegs()), "{} ends in {}", rules.format(&start), rules.format(&state));
}

fn compare(rules: &Solitaire, start: State) {
    let mut naive = Naive { rules, solutions: HashMap::new() };
    let solutions = naive.solutions(start.pegs());
    let name = format!("{} to {}", rules.format(&start), rules.goal_name());
    let wanted = if solutions > 0 { Solvable::Solvable } else { Solvable::Unsolvable };
    let answer = rules.solve(&start, &WORK);
    assert_eq!(answer.value, wanted, "{name}: {answer:?}");
    if solutions > 0 {
        check_line(rules, start, &answer.line);
    }
    assert_eq!(rules.count_solutions(&start, &WORK).solutions, Some(solutions), "{name}");
    let by_table = super::count::by_table(rules, start.pegs(), &WORK).0;
    assert_eq!(by_table, Some(solutions), "{name}");
    let shortest = rules.solve_fewest(&start, &WORK);
    assert_eq!(shortest.value, wanted, "{name}");
    if solutions > 0 {
        check_line(rules, start, &shortest.line);
        assert!(shortest.fewest);
        assert_eq!(Some(chain::group(&shortest.line).len()), naive.fewest(start.pegs()), "{name}");
    }
    for (jump, value) in rules.hints(&start, &WORK) {
        let solvable = naive.solutions(start.pegs() ^ jump.holes()) > 0;
        assert_eq!(value == Solvable::Solvable, solvable, "{name}: {jump:?}");
    }
}

#[test]
fn every_vacancy_of_small_boards_is_answered_as_by_the_naive_solver() {
    for board in BOARDS {
        let rules = Solitaire::english().parse(board).unwrap().rules;
        for hole in rules.board().holes() {
            compare(&rules, rules.vacant(hole));
        }
    }
}

#[test]
fn named_holes_and_positions_as_goals_are_answered_as_by_the_naive_solver() {
    let mut rng = SplitMix64::new(17);
    for board in BOARDS {
        let rules = Solitaire::english().parse(board).unwrap().rules;
        for hole in rules.board().holes().step_by(3) {
            compare(&rules.with(Goal::Hole(hole)), rules.start());
        }
        for _ in 0..6 {
            let start = State::new((rng.next() | rng.next()) & rules.board().full());
            let (mut state, mut buffer) = (start, Vec::new());
            for _ in 0..rng.below(7) {
                let Some(jump) = rules.random_move(&state, &mut rng, &mut buffer) else { break };
                rules.play(&mut state, jump);
            }
            compare(&rules.with(Goal::Position(state)), start);
            let elsewhere = State::new(rng.next() & rules.board().full());
            compare(&rules.with(Goal::Position(elsewhere)), start);
        }
    }
}

#[test]
fn levels_are_those_of_the_general_enumeration() {
    for board in BOARDS {
        let rules = Solitaire::english().parse(board).unwrap().rules;
        let vacancies: Vec<_> = rules.board().holes().step_by(5).collect();
        for (start, symmetry) in vacancies.iter().flat_map(|&hole| [(hole, true), (hole, false)]) {
            let start = rules.vacant(start);
            let levels = compare_levels(&rules, start, symmetry, true);
            let solvable: Vec<u64> = levels.iter().map(|l| l.solvable.unwrap()).collect();
            assert_eq!(
                solvable,
                naive_solvable(&rules, start, symmetry, levels.len()),
                "{}",
                rules.format(&start)
            );
        }
    }
}

/// Large enough that whole bitmaps are expanded, on one thread and on two.
#[test]
fn bitmaps_are_expanded_as_positions_are_one_by_one() {
    let rules = Solitaire::named("triangle6").unwrap();
    for name in ["a1", "b3"] {
        let start = rules.parse(name).unwrap().state;
        compare_levels(&rules, start, true, false);
    }
}

fn compare_levels(rules: &Solitaire, start: State, symmetry: bool, solvable: bool) -> Vec<PuzzleLevel> {
    let options = LevelOptions { symmetry, depth: None, dead_ends: true, solvable };
    let levels = rules.levels(&start, options, &WORK, &mut |_| {}).unwrap().levels;
    let alone = rules.levels(&start, options, &Work { threads: 1, ..*WORK }, &mut |_| {}).unwrap().levels;
    assert_eq!(levels, alone);
    let general = enumerate::EnumerateOptions { symmetry, depth: None };
    let general = enumerate::enumerate(rules, &start, general, &Work::unwatched(2), |_| ()).unwrap().levels;
    let fast: Vec<_> = levels.iter().map(|l| (l.ply, l.positions, l.dead_ends.unwrap())).collect();
    let slow: Vec<_> = general.iter().map(|l| (l.ply, l.positions, l.finished)).collect();
    assert_eq!(fast, slow, "{} symmetry {symmetry}", rules.format(&start));
    levels
}

/// Solvable positions per level, by looking at every reachable position.
fn naive_solvable(rules: &Solitaire, start: State, symmetry: bool, levels: usize) -> Vec<u64> {
    let mut naive = Naive { rules, solutions: HashMap::new() };
    let mut counts = vec![0; levels];
    let mut level: HashSet<u64> = HashSet::from([start.pegs()]);
    for count in &mut counts {
        *count = level.iter().filter(|&&pegs| naive.solutions(pegs) > 0).count() as u64;
        let children =
            level.iter().flat_map(|&pegs| rules.board().possible(pegs).map(move |jump| pegs ^ jump.holes()));
        level = children.map(|pegs| if symmetry { rules.group().canonical(pegs) } else { pegs }).collect();
    }
    counts
}
