//! How fast the engines search real games: `cargo bench -p tabia-search -- [rates|two|scaling] [game]`.
//!
//! - `rates`: nodes per CPU second of alpha-beta on one thread, and playouts of Monte-Carlo;
//! - `two`: how much sooner two threads reach a fixed depth, over 20 positions;
//! - `scaling`: the same for 2, 4, 8, 16 threads over 6 harder positions, and playouts per second of
//!   Monte-Carlo; about a minute a game on 16 cores.
//!
//! Positions are random openings from fixed seeds, so every run does the same work.

use cpu_time::ProcessTime;
use std::time::Duration;
use tabia_core::{Evaluate, Game, Position, Record, SplitMix64};
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, Report, SearchOptions, Stop};

/// Positions after a few random moves, in none of which the game is over.
fn positions<G: Game>(game: &G, plies: u32, count: usize) -> Vec<Record<G>> {
    let mut rng = SplitMix64::new(20);
    let mut all = Vec::new();
    while all.len() < count {
        let mut record = Record::new(Position { rules: game.clone(), state: game.start() });
        for _ in 0..plies {
            if let Some(mv) = game.random_move(record.state(), &mut rng, &mut Vec::new()) {
                record.play_unchecked(mv);
            }
        }
        if record.outcome().is_none() {
            all.push(record);
        }
    }
    all
}

fn engine(threads: usize) -> AlphaBeta {
    AlphaBeta::new(SearchOptions { table_bytes: 64 << 20, threads, ..SearchOptions::default() })
        .expect("memory")
}

/// Nodes and playouts per CPU second, the best of three rounds.
fn rates<G: Evaluate>(game: &G) {
    let positions = positions(game, 8, 10);
    let mut engine = engine(1);
    let (mut nodes, mut playouts) = (0f64, 0f64);
    for _ in 0..3 {
        let (mut visited, mut seconds) = (0, 0.0);
        for record in &positions {
            engine.clear();
            let clock = ProcessTime::now();
            visited += engine.search(record, &Limits::nodes(1_000_000), &Stop::new(), |_| ()).nodes;
            seconds += clock.elapsed().as_secs_f64();
        }
        nodes = nodes.max(visited as f64 / seconds);
        let clock = ProcessTime::now();
        let mcts = Mcts::new(MctsOptions::default());
        let report = mcts.search(&positions[0], &Limits::nodes(20_000), &Stop::new(), |_| ());
        playouts = playouts.max(report.nodes as f64 / clock.elapsed().as_secs_f64());
    }
    println!(
        "{:<13} {:6.2} M nodes  {:8.0} playouts per CPU second, one thread",
        game.id(),
        nodes / 1e6,
        playouts
    );
}

/// The deepest search of a position that one thread finishes in the given number of nodes, and the
/// seconds it takes; `None` where the game is decided so soon that threads have nothing to do.
fn alone<G: Evaluate>(record: &Record<G>, nodes: u64) -> Option<(u32, f64)> {
    let mut reached = (1, f64::MAX);
    let keep = |report: &Report<G::Move>| reached = (report.depth, report.seconds);
    let report = engine(1).search(record, &Limits::nodes(nodes), &Stop::new(), keep);
    (report.nodes >= nodes / 10).then_some(reached)
}

/// The seconds to a depth, the best of several rounds, because helpers never run the same way twice.
fn together<G: Evaluate>(record: &Record<G>, depth: u32, threads: usize, rounds: usize) -> f64 {
    let mut engine = engine(threads);
    let time = |engine: &mut AlphaBeta| {
        engine.clear();
        engine.search(record, &Limits::depth(depth), &Stop::new(), |_| ()).seconds
    };
    (0..rounds).map(|_| time(&mut engine)).fold(f64::MAX, f64::min)
}

/// What a measurement of threads costs: positions, nodes of one thread on each, rounds.
struct Work {
    positions: usize,
    nodes: u64,
    rounds: usize,
}

/// How much sooner threads reach a fixed depth: the geometric mean over positions.
fn speed_up<G: Evaluate>(game: &G, threads: &[usize], work: &Work) {
    let candidates = positions(game, 8, 2 * work.positions);
    let alone = |record| alone(record, work.nodes).map(|reached| (record, reached));
    let alone: Vec<(&Record<G>, (u32, f64))> =
        candidates.iter().filter_map(alone).take(work.positions).collect();
    let total: f64 = alone.iter().map(|(_, (_, seconds))| seconds).sum();
    println!("{:<13} alpha-beta,  1 thread: {} positions in {total:.1} s", game.id(), alone.len());
    for &count in threads {
        let gain = |&(record, (depth, seconds)): &(&Record<G>, (u32, f64))| {
            (seconds / together(record, depth, count, work.rounds)).ln()
        };
        let mean = (alone.iter().map(gain).sum::<f64>() / alone.len() as f64).exp();
        println!("{:<13} alpha-beta, {count:>2} threads: a fixed depth {mean:.2} times as fast", game.id());
    }
}

fn playouts<G: Game>(game: &G, threads: &[usize]) {
    let record = &positions(game, 8, 1)[0];
    let rate = |threads| {
        let mcts = Mcts::new(MctsOptions { threads, memory: 4 << 30, ..MctsOptions::default() });
        let report = mcts.search(record, &Limits::time(Duration::from_secs(2)), &Stop::new(), |_| ());
        report.nodes_per_second()
    };
    let alone = rate(1);
    for &count in threads {
        let together = rate(count);
        println!(
            "{:<13} Monte-Carlo, {count:>2} threads: {together:9.0} playouts/s, {:.2} times one thread",
            game.id(),
            together / alone
        );
    }
}

fn run<G: Evaluate>(game: &G, what: &str) {
    match what {
        "two" => speed_up(game, &[2], &Work { positions: 20, nodes: 1_500_000, rounds: 2 }),
        "scaling" => {
            speed_up(game, &[2, 4, 8, 16], &Work { positions: 6, nodes: 4_000_000, rounds: 1 });
            playouts(game, &[2, 4, 8, 16]);
        }
        _ => rates(game),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let what = words.first().map_or("rates", String::as_str);
    let wanted = |id: &str| words.get(1).is_none_or(|word| id.starts_with(word.as_str()));
    if wanted("draughts") {
        run(&tabia_draughts::Draughts::default(), what);
    }
    if wanted("arx") {
        run(&tabia_arx::Arx, what);
    }
    if wanted("chess") {
        run(&tabia_chess::Chess, what);
    }
    if wanted("five-visible") {
        run(&tabia_five_visible::FiveVisible::default(), what);
    }
}
