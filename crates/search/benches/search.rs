//! How fast the engines search real games: `cargo bench -p tabia-search -- [rates|two|scaling] [game]`.
//!
//! - `rates`: nodes per CPU second of alpha-beta on one thread, and playouts of Monte-Carlo;
//! - `two`: how much sooner two threads reach a fixed depth, over 20 positions;
//! - `scaling`: the same for 1, 2, 4, 8, 16 threads, and playouts per second of Monte-Carlo.
//!
//! Positions are random openings from fixed seeds, so every run does the same work.

use cpu_time::ProcessTime;
use std::time::{Duration, Instant};
use tabia_core::{Evaluate, Game, Position, Record, SplitMix64};
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, Options, Stop};

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
    AlphaBeta::new(Options { table_bytes: 64 << 20, threads, ..Options::default() }).expect("memory")
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
        G::ID,
        nodes / 1e6,
        playouts
    );
}

/// The deepest search of a position that one thread finishes in the given number of nodes.
fn depth_for<G: Evaluate>(record: &Record<G>, nodes: u64) -> u32 {
    engine(1).search(record, &Limits::nodes(nodes), &Stop::new(), |_| ()).depth.max(1)
}

fn seconds_to_depth<G: Evaluate>(record: &Record<G>, depth: u32, threads: usize) -> f64 {
    let mut engine = engine(threads);
    // The best of several, because helpers never run the same way twice.
    let time = |engine: &mut AlphaBeta| {
        engine.clear();
        let clock = Instant::now();
        engine.search(record, &Limits::depth(depth), &Stop::new(), |_| ());
        clock.elapsed().as_secs_f64()
    };
    (0..2).map(|_| time(&mut engine)).fold(f64::MAX, f64::min)
}

/// How much sooner threads reach a fixed depth: the geometric mean over positions.
fn speed_up<G: Evaluate>(game: &G, threads: &[usize], nodes: u64) {
    let positions = positions(game, 8, 20);
    let depths: Vec<u32> = positions.iter().map(|record| depth_for(record, nodes)).collect();
    let times = |threads: usize| -> Vec<f64> {
        positions
            .iter()
            .zip(&depths)
            .map(|(record, &depth)| seconds_to_depth(record, depth, threads))
            .collect()
    };
    let alone = times(1);
    for &count in threads {
        let together = times(count);
        let logs = alone.iter().zip(&together).map(|(one, many)| (one / many).ln());
        let mean = (logs.sum::<f64>() / positions.len() as f64).exp();
        println!("{:<13} alpha-beta, {count:>2} threads: a fixed depth {mean:.2} times as fast", G::ID);
    }
}

fn playouts<G: Game>(game: &G, threads: &[usize]) {
    let record = &positions(game, 8, 1)[0];
    let rate = |threads| {
        let mcts = Mcts::new(MctsOptions { threads, memory: 4 << 30, ..MctsOptions::default() });
        let report = mcts.search(record, &Limits::time(Duration::from_secs(3)), &Stop::new(), |_| ());
        report.nodes_per_second()
    };
    let alone = rate(1);
    for &count in threads {
        let together = rate(count);
        println!(
            "{:<13} Monte-Carlo, {count:>2} threads: {together:9.0} playouts/s, {:.2} times one thread",
            G::ID,
            together / alone
        );
    }
}

fn run<G: Evaluate>(game: &G, what: &str) {
    match what {
        "two" => speed_up(game, &[2], 1_500_000),
        "scaling" => {
            speed_up(game, &[2, 4, 8, 16], 4_000_000);
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
