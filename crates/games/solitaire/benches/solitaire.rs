//! Figures of peg solitaire, one thread unless said: `cargo bench -p tabia-solitaire`. Words choose parts: `-- solve levels`.
//!
//! `boards`, `pairs` and `triangles` take minutes: they solve everything that is told in docs/solitaire-solved.md, and are only run
//! when named.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;
use tabia_core::puzzle::LevelOptions;
use tabia_core::{Game, Notation, Puzzle, SplitMix64, playout};
use tabia_core::{Stop, Work};
use tabia_figures::{Figure, Figures, Unit, peak_megabytes};
use tabia_solitaire::{Solitaire, solver};

static STOP: LazyLock<Stop> = LazyLock::new(Stop::new);

fn work(threads: usize) -> Work<'static> {
    Work { threads, memory: 4 << 30, stop: &STOP, progress: &|_| {} }
}

fn timed<T>(name: &str, run: impl FnOnce() -> T) -> T {
    let (begin, mut result) = (Instant::now(), None);
    let cpu = tabia_figures::seconds(|| result = Some(run()));
    println!("{name:<44} {cpu:>9.4} s cpu {:>9.4} s wall", begin.elapsed().as_secs_f64());
    result.expect("it was run")
}

fn seconds(part: &str, name: &str) -> Figure {
    Figure::new(part, name, Unit::Seconds)
}

/// The memory that something takes at most, where the system tells it.
fn memory(figures: &mut Figures, part: &str, name: &str, goal: f64, run: impl FnOnce()) {
    if figures.wanted(part)
        && let Some(peak) = peak_megabytes(run)
    {
        figures.tell(Figure::new(part, name, Unit::Megabytes).goal(goal), &[peak]);
    }
}

fn random_play(figures: &mut Figures) {
    let rules = Solitaire::default();
    let figure = Figure::new("playout", "random play", Unit::Millions("plies")).goal(20.0);
    figures.measure(figure, || {
        playout::playouts(&rules, &rules.start(), 1, |report| report.playouts >= 20_000).plies
    });
}

/// Counts everything that can be reached.
fn reach(threads: usize) {
    let rules = Solitaire::english();
    let options = LevelOptions { symmetry: true, depth: None, dead_ends: false, solvable: false };
    let levels = rules.levels(&rules.start(), options, &work(threads), &mut |_| {});
    let total: u64 = levels.iter().flat_map(|all| &all.levels).map(|level| level.positions).sum();
    assert_eq!(total, 23_475_688);
}

fn levels(figures: &mut Figures) {
    figures.measure(seconds("levels", "all 23,475,688 classes").goal(2.7), || {
        reach(1);
        1
    });
    memory(figures, "levels", "all 23,475,688 classes, memory", 110.0, || reach(1));
}

/// How much sooner two threads are done, on the clock and by turns.
fn two_threads(figures: &mut Figures) {
    if !figures.wanted("levels2") {
        return;
    }
    let (mut one, mut two) = (f64::MAX, f64::MAX);
    for _ in 0..figures.rounds(5) {
        for (threads, least) in [(1, &mut one), (2, &mut two)] {
            let begin = Instant::now();
            reach(threads);
            *least = least.min(begin.elapsed().as_secs_f64());
        }
    }
    let figure = Figure::new("levels2", "all 23,475,688 classes, two threads against one", Unit::Times);
    figures.tell(figure.goal(1.7), &[one / two]);
}

fn solvable(figures: &mut Figures) {
    let rules = Solitaire::english().with_goal("d4").expect("a hole");
    let count = || {
        let sizes = solver::solvable_classes(&rules, rules.start(), &work(1)).expect("fits");
        assert_eq!(sizes.iter().sum::<u64>(), 1_679_072);
    };
    figures.measure(seconds("solvable", "all 1,679,072 solvable classes").goal(0.33), || {
        count();
        1
    });
    memory(figures, "solvable", "all 1,679,072 solvable classes, memory", 70.0, count);
}

fn solve(figures: &mut Figures) {
    let rules = Solitaire::english();
    for vacancy in ["c1", "d1", "c2", "d2", "c3", "d3", "d4"] {
        let position = rules.parse(vacancy).expect("a vacancy");
        figures.measure(seconds("solve", &format!("english:{vacancy} solved")).goal(0.05), || {
            black_box(rules.solve(&position.state, &work(1)));
            1
        });
    }
}

fn fewest(figures: &mut Figures) {
    let rules = Solitaire::english().with_goal("d4").expect("a hole");
    figures.measure(seconds("fewest", "central game, 18 moves proved to be the fewest").goal(2.0), || {
        let answer = rules.solve_fewest(&rules.start(), &work(1));
        assert_eq!(Puzzle::group(&rules, &rules.start(), &answer.line).len(), 18);
        1
    });
}

fn count(figures: &mut Figures) {
    let rules = Solitaire::english().with_goal("d4").expect("a hole");
    figures.measure(seconds("count", "central game, number of solutions"), || {
        let count = rules.count_solutions(&rules.start(), &work(1));
        assert_eq!(count.solutions, Some(40_861_647_040_079_968));
        1
    });
}

/// Every one-vacancy start of every named board, to one peg anywhere.
fn boards() {
    for known in tabia_solitaire::catalogue::all() {
        let rules = Solitaire::new(known.board.clone());
        let board = rules.board();
        let firsts = board.holes().filter(|hole| board.group().canonical(hole.bit()) == hole.bit());
        for hole in firsts {
            let name = format!("{}:{}", known.name, board.hole_name(hole));
            let answer = timed(&name, || rules.solve(&rules.vacant(hole), &work(2)));
            let ends = Puzzle::group(&rules, &rules.start(), &answer.line);
            println!(
                "    {} by {}, {} positions: {}",
                answer.value.name(),
                answer.method,
                answer.positions,
                ends.join(" ")
            );
        }
    }
}

/// The shortest solutions of all English problems from one vacancy to one peg.
fn pairs() {
    let english = Solitaire::english();
    let board = english.board().clone();
    for hole in board.holes().filter(|hole| board.group().canonical(hole.bit()) == hole.bit()) {
        let start = english.vacant(hole);
        let stabiliser = english.with(tabia_solitaire::Goal::Hole(hole));
        let span = solver::span::Span::of_jumps(&board);
        let ends = board.holes().filter(|end| {
            span.same_class(start.pegs(), end.bit()) && stabiliser.group().canonical(end.bit()) == end.bit()
        });
        for end in ends {
            let rules = english.with(tabia_solitaire::Goal::Hole(end));
            let name = format!("{} to {}", board.hole_name(hole), board.hole_name(end));
            let answer = timed(&name, || rules.solve_fewest(&start, &work(2)));
            let moves = Puzzle::group(&rules, &start, &answer.line);
            println!("    {} {} moves: {}", answer.value.name(), moves.len(), moves.join(" "));
        }
    }
}

/// The number of solutions from every vacancy of the triangles that are small enough.
fn triangles() {
    for name in ["triangle4", "triangle5", "triangle6"] {
        let rules = Solitaire::named(name).expect("a board");
        let board = rules.board();
        for hole in board.holes().filter(|hole| board.group().canonical(hole.bit()) == hole.bit()) {
            let name = format!("{name}:{}", board.hole_name(hole));
            let count = timed(&name, || rules.count_solutions(&rules.vacant(hole), &work(2)));
            let fewest = rules.solve_fewest(&rules.vacant(hole), &work(2)).line;
            println!(
                "    {:?} solutions, {} moves",
                count.solutions,
                Puzzle::group(&rules, &rules.start(), &fewest).len()
            );
        }
    }
}

fn canonical(figures: &mut Figures) {
    let rules = Solitaire::english();
    let mut rng = SplitMix64::new(1);
    let positions: Vec<u64> = (0..1000).map(|_| rng.next() & rules.board().full()).collect();
    figures.measure(Figure::new("canonical", "canonical form", Unit::Nanoseconds), || {
        black_box(positions.iter().fold(0, |sum, &pegs| sum ^ rules.group().canonical(pegs)));
        positions.len() as u64
    });
}

fn main() {
    let mut figures = Figures::new("tabia-solitaire");
    random_play(&mut figures);
    solve(&mut figures);
    solvable(&mut figures);
    levels(&mut figures);
    two_threads(&mut figures);
    fewest(&mut figures);
    count(&mut figures);
    canonical(&mut figures);
    let long: [(&str, fn()); 3] = [("triangles", triangles), ("boards", boards), ("pairs", pairs)];
    for (name, run) in long {
        if figures.words().iter().any(|word| word == name) {
            run();
        }
    }
}
