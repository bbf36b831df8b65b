//! Published results, reproduced. The long ones run with `--ignored`.

use std::sync::LazyLock;
use tabia_core::puzzle::{LevelOptions, Solvable};
use tabia_core::{Game, Notation, Puzzle};
use tabia_core::{Stop, Work};
use tabia_solitaire::{Goal, Hole, Solitaire, State, catalogue, solver};

static STOP: LazyLock<Stop> = LazyLock::new(Stop::new);
static WORK: LazyLock<Work<'static>> =
    LazyLock::new(|| Work { threads: 2, memory: 4 << 30, stop: &STOP, progress: &|_| {} });
const ALL: LevelOptions = LevelOptions { symmetry: true, depth: None, dead_ends: false, solvable: false };

fn numbers(text: &str) -> Vec<u64> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split([',', ' '])).filter_map(|word| word.parse().ok()).collect()
}

fn levels(rules: &Solitaire, options: LevelOptions) -> Vec<u64> {
    let levels = rules.levels(&rules.start(), options, &WORK, &mut |_| {}).expect("fits");
    levels.levels.iter().map(|level| level.positions).collect()
}

/// One vacancy of each class under the symmetries of the board.
fn vacancies(rules: &Solitaire) -> Vec<Hole> {
    let board = rules.board();
    board.holes().filter(|hole| board.group().canonical(hole.bit()) == hole.bit()).collect()
}

fn check_line(rules: &Solitaire, start: State, line: &[tabia_solitaire::Jump]) {
    let mut state = start;
    for &jump in line {
        rules.check_move(&state, jump).unwrap();
        rules.play(&mut state, jump);
    }
    assert!(rules.goal().is_met(state.pegs()), "{}", rules.format(&state));
}

fn values(name: &str) -> Vec<(String, Solvable, &'static str)> {
    let rules = Solitaire::named(name).unwrap();
    let answer = |hole: Hole| {
        let start = rules.vacant(hole);
        let answer = rules.solve(&start, &WORK);
        if answer.value == Solvable::Solvable {
            check_line(&rules, start, &answer.line);
        }
        (rules.board().hole_name(hole), answer.value, answer.method)
    };
    vacancies(&rules).into_iter().map(answer).collect()
}

#[test]
fn the_first_levels_of_the_english_board() {
    let published = numbers(include_str!("../../../../data/solitaire/english-levels.txt"));
    // From the eighth level on bitmaps are expanded, one of each class of symmetric sectors.
    let options = LevelOptions { depth: Some(11), ..ALL };
    assert_eq!(levels(&Solitaire::english(), options), published[..12]);
    let unsymmetric = LevelOptions { symmetry: false, depth: Some(5), ..ALL };
    assert_eq!(levels(&Solitaire::english(), unsymmetric), [1, 4, 12, 60, 296, 1338]);
}

#[test]
fn every_english_vacancy_is_solved() {
    let values = values("english");
    assert_eq!(values.len(), 7);
    assert!(values.iter().all(|(_, value, _)| *value == Solvable::Solvable), "{values:?}");
}

#[test]
fn the_european_board_has_three_solvable_starts() {
    let values = values("european");
    assert_eq!(values.len(), 8);
    let solvable = values.iter().filter(|(_, value, _)| *value == Solvable::Solvable).count();
    let refused =
        values.iter().filter(|(_, value, how)| *value == Solvable::Unsolvable && *how == "class").count();
    assert_eq!((solvable, refused), (3, 5), "{values:?}");
}

#[test]
fn triangles_have_the_known_answers() {
    // Triangle 5 is solvable from every vacancy; triangle 4 not from its corners and its middle.
    assert!(values("triangle5").iter().all(|(_, value, _)| *value == Solvable::Solvable));
    let four: Vec<_> = values("triangle4").into_iter().map(|(name, value, _)| (name, value)).collect();
    let expected = [("a1", Solvable::Unsolvable), ("a2", Solvable::Solvable), ("b3", Solvable::Unsolvable)];
    assert_eq!(four, expected.map(|(name, value)| (name.to_owned(), value)));
}

#[test]
fn triangles_have_the_published_numbers_of_solutions() {
    for line in include_str!("../../../../data/solitaire/triangle-solutions.txt").lines() {
        let Some((position, count)) = line.split_once(' ').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let position = Solitaire::english().parse(position).unwrap();
        let solutions = position.rules.count_solutions(&position.state, &WORK).solutions;
        assert_eq!(solutions, count.trim().parse().ok(), "{line}");
    }
}

#[test]
fn the_diamond_of_41_holes_is_refused_by_class_where_it_is() {
    let rules = Solitaire::named("diamond").unwrap();
    assert_eq!(rules.solve(&rules.start(), &WORK).method, "class");
}

#[test]
#[ignore = "long: all 23,475,688 classes of the English board"]
fn all_levels_of_the_english_board() {
    let published = numbers(include_str!("../../../../data/solitaire/english-levels.txt"));
    assert_eq!(levels(&Solitaire::english(), ALL), published);
    assert_eq!(published.iter().sum::<u64>(), 23_475_688);
}

#[test]
#[ignore = "long: all centre-solvable classes, their solutions and the shortest"]
fn the_central_game_is_known_completely() {
    let rules = Solitaire::english().with_goal("d4").unwrap();
    let published = numbers(include_str!("../../../../data/solitaire/english-solvable.txt"));
    let sizes = solver::solvable_classes(&rules, rules.start(), &WORK).unwrap();
    assert_eq!(sizes, published);
    assert_eq!(sizes.iter().sum::<u64>(), 1_679_072);
    let count = rules.count_solutions(&rules.start(), &WORK);
    assert_eq!(count.solutions, Some(40_861_647_040_079_968));
    let answer = rules.solve_fewest(&rules.start(), &WORK);
    assert_eq!((Puzzle::group(&rules, &rules.start(), &answer.line).len(), answer.fewest), (18, true));
    check_line(&rules, rules.start(), &answer.line);
}

#[test]
#[ignore = "long: all 21 English problems from one vacancy to one peg"]
fn the_shortest_solutions_of_all_english_problems() {
    let english = Solitaire::english();
    let mut problems = 0;
    for line in include_str!("../../../../data/solitaire/english-shortest.txt").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[vacancy, end, moves] = words.as_slice() else { continue };
        let (Some(from), Some(to)) = (english.board().hole(vacancy), english.board().hole(end)) else {
            continue;
        };
        let (rules, start) = (english.with(Goal::Hole(to)), english.vacant(from));
        let answer = rules.solve_fewest(&start, &WORK);
        assert!(answer.fewest, "{line}");
        check_line(&rules, start, &answer.line);
        assert_eq!(Puzzle::group(&rules, &start, &answer.line).len().to_string(), moves, "{line}");
        problems += 1;
    }
    assert_eq!(problems, 21);
}

#[test]
#[ignore = "long: all vacancies of the larger boards"]
fn larger_boards_are_solved_from_every_vacancy_of_the_right_class() {
    assert_eq!(values("6x6").len(), 6);
    assert!(values("6x6").iter().all(|(_, value, _)| *value == Solvable::Solvable));
    let asymmetric = values("asymmetric");
    assert_eq!(asymmetric.len(), 21);
    assert!(asymmetric.iter().all(|(_, value, _)| *value == Solvable::Solvable), "{asymmetric:?}");
    assert_eq!(catalogue::find("wiegleb").unwrap().board.size(), 45);
}
