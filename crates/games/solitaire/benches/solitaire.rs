//! Figures of the solitaire solver, by processor time. Names on the command line choose among them:
//! `cargo bench -p tabia-solitaire -- solve levels`.

use cpu_time::ProcessTime;
use std::sync::LazyLock;
use std::time::Instant;
use tabia_core::puzzle::LevelOptions;
use tabia_core::{Game, Notation, Puzzle, SplitMix64};
use tabia_core::{Stop, Work};
use tabia_solitaire::{Solitaire, solver};

static STOP: LazyLock<Stop> = LazyLock::new(Stop::new);

fn work(threads: usize) -> Work<'static> {
    Work { threads, memory: 4 << 30, stop: &STOP, progress: &|_| {} }
}

fn timed<T>(name: &str, run: impl FnOnce() -> T) -> T {
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    let result = run();
    println!(
        "{name:<44} {:>9.4} s cpu {:>9.4} s wall",
        cpu.elapsed().as_secs_f64(),
        wall.elapsed().as_secs_f64()
    );
    result
}

fn levels(threads: usize) {
    let rules = Solitaire::english();
    let options = LevelOptions { symmetry: true, depth: None, dead_ends: false, solvable: false };
    let name = format!("23,475,688 classes, {threads} thread(s)");
    let levels = timed(&name, || rules.levels(&rules.start(), options, &work(threads), &mut |_| {}));
    let total: u64 = levels.iter().flat_map(|all| &all.levels).map(|level| level.positions).sum();
    assert_eq!(total, 23_475_688);
}

fn solvable() {
    let rules = Solitaire::english().with_goal("d4").expect("a hole");
    let sizes = timed("1,679,072 centre-solvable classes", || {
        solver::solvable_classes(&rules, rules.start(), &work(1)).expect("fits")
    });
    assert_eq!(sizes.iter().sum::<u64>(), 1_679_072);
}

fn solve() {
    let rules = Solitaire::english();
    for vacancy in ["c1", "d1", "c2", "d2", "c3", "d3", "d4"] {
        let position = rules.parse(vacancy).expect("a vacancy");
        let name = format!("english:{vacancy}");
        let answer = timed(&name, || rules.solve(&position.state, &work(1)));
        println!("    {} by {}, {} positions", answer.value.name(), answer.method, answer.positions);
    }
}

fn fewest() {
    let rules = Solitaire::english().with_goal("d4").expect("a hole");
    let answer = timed("central game, fewest moves", || rules.solve_fewest(&rules.start(), &work(1)));
    let moves = Puzzle::group(&rules, &rules.start(), &answer.line);
    println!("    {} moves: {}", moves.len(), moves.join(" "));
}

fn count() {
    let rules = Solitaire::english().with_goal("d4").expect("a hole");
    let count =
        timed("central game, number of solutions", || rules.count_solutions(&rules.start(), &work(1)));
    println!("    {:?}", count.solutions);
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

fn canonical() {
    let rules = Solitaire::english();
    let mut rng = SplitMix64::new(1);
    let positions: Vec<u64> = (0..1000).map(|_| rng.next() & rules.board().full()).collect();
    let sum = timed("10,000,000 canonical forms", || {
        (0..10_000)
            .fold(0, |sum, _| positions.iter().fold(sum, |sum, &pegs| sum ^ rules.group().canonical(pegs)))
    });
    std::hint::black_box(sum);
}

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    // The last three take minutes and are only run when named.
    let figures: [(&str, &dyn Fn()); 10] = [
        ("solve", &solve),
        ("solvable", &solvable),
        ("levels", &|| levels(1)),
        ("levels2", &|| levels(2)),
        ("fewest", &fewest),
        ("count", &count),
        ("canonical", &canonical),
        ("triangles", &triangles),
        ("boards", &boards),
        ("pairs", &pairs),
    ];
    for (at, (name, run)) in figures.into_iter().enumerate() {
        if (chosen.is_empty() && at < 7) || chosen.iter().any(|wanted| wanted == name) {
            run();
        }
    }
}
