//! How fast the engines search real games: `cargo bench -p tabia-search -- [rates|two|scaling|longer|playouts] [game] [threads]`.
//!
//! - `rates`: nodes per CPU second of alpha-beta on one thread, and playouts of Monte-Carlo;
//! - `two`: how much sooner two threads reach a fixed depth, over 20 positions;
//! - `scaling`: the same for 2, 4, 8, 16 threads (or the number given) over 8 harder positions, with the nodes of all threads
//!   against those of one;
//! - `longer`: the same with five times the nodes;
//! - `playouts`: what so many threads gain in Monte-Carlo.
//!
//! Without a word it is `rates`. Positions are random openings from fixed seeds, so every run does the same work.

use std::time::Duration;
use tabia_core::{Evaluate, Game, Position, Record, SplitMix64};
use tabia_figures::{Figure, Figures, Unit, seconds};
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

/// The figures of one game, and the words that measure them again.
fn figure<G: Game>(game: &G, part: &str, what: &str, unit: Unit) -> Figure {
    let id = game.id();
    let command = format!("cargo bench -p tabia-search -- {part} {id}");
    Figure::new(part, format!("{id}, {what}"), unit).command(command)
}

/// Nodes and playouts per CPU second. The clearing of the table is not counted.
fn rates<G: Evaluate>(figures: &mut Figures, game: &G, goal: Option<f64>) {
    let positions = positions(game, 8, 10);
    let mut engine = engine(1);
    let (mut nodes, mut playouts) = (Vec::new(), Vec::new());
    for _ in 0..figures.rounds(3) {
        let (mut visited, mut taken) = (0, 0.0);
        for record in &positions {
            engine.clear();
            taken += seconds(|| {
                visited += engine.search(record, &Limits::nodes(1_000_000), &Stop::new(), |_| ()).nodes;
            });
        }
        nodes.push(visited as f64 / taken / 1e6);
        let (mcts, mut played) = (Mcts::new(MctsOptions::default()), 0);
        let taken = seconds(|| {
            played = mcts.search(&positions[0], &Limits::nodes(20_000), &Stop::new(), |_| ()).nodes;
        });
        playouts.push(played as f64 / taken / 1e3);
    }
    let alpha_beta = figure(game, "rates", "alpha-beta", Unit::Millions("nodes"));
    figures.tell(goal.map_or(alpha_beta.clone(), |goal| alpha_beta.goal(goal)), &nodes);
    figures.tell(figure(game, "rates", "Monte-Carlo", Unit::Thousands("playouts")), &playouts);
}

/// What a search took.
#[derive(Clone, Copy)]
struct Taken {
    seconds: f64,
    nodes: f64,
}

/// The deepest search of a position that one thread finishes in the given number of nodes, and what
/// it takes; `None` where the game is decided so soon that threads have nothing to do.
fn alone<G: Evaluate>(record: &Record<G>, nodes: u64) -> Option<(u32, Taken)> {
    let mut reached = (1, Taken { seconds: f64::MAX, nodes: 1.0 });
    let keep = |report: &Report<G::Move>| {
        reached = (report.depth, Taken { seconds: report.seconds, nodes: report.nodes as f64 });
    };
    let report = engine(1).search(record, &Limits::nodes(nodes), &Stop::new(), keep);
    (report.nodes >= nodes / 10).then_some(reached)
}

/// What a depth takes, the quickest of several rounds, because helpers never run the same way twice.
fn together<G: Evaluate>(record: &Record<G>, depth: u32, threads: usize, rounds: usize) -> Taken {
    let mut engine = engine(threads);
    let mut round = || {
        engine.clear();
        let report = engine.search(record, &Limits::depth(depth), &Stop::new(), |_| ());
        Taken { seconds: report.seconds, nodes: report.nodes as f64 }
    };
    (1..rounds).fold(round(), |best, _| {
        let now = round();
        if now.seconds < best.seconds { now } else { best }
    })
}

/// What a measurement of threads costs: positions, nodes of one thread on each, rounds.
struct Work {
    positions: usize,
    nodes: u64,
    rounds: usize,
}

/// How much sooner threads reach a fixed depth: the logarithm of it for each position.
fn gains<G: Evaluate>(game: &G, threads: &[usize], work: &Work) -> Vec<Vec<f64>> {
    let candidates = positions(game, 8, 2 * work.positions);
    let alone = |record| alone(record, work.nodes).map(|reached| (record, reached));
    let alone: Vec<(&Record<G>, (u32, Taken))> =
        candidates.iter().filter_map(alone).take(work.positions).collect();
    let total: f64 = alone.iter().map(|(_, (_, taken))| taken.seconds).sum();
    println!("{:<13} alpha-beta,  1 thread: {} positions in {total:.1} s", game.id(), alone.len());
    let with = |&count: &usize| {
        let gain = |&(record, (depth, taken)): &(&Record<G>, (u32, Taken))| {
            let now = together(record, depth, count, work.rounds);
            ((taken.seconds / now.seconds).ln(), (now.nodes / taken.nodes).ln())
        };
        let (gains, nodes): (Vec<f64>, Vec<f64>) = alone.iter().map(gain).unzip();
        let (mean, more) = (geometric_mean(&gains), geometric_mean(&nodes));
        println!(
            "{:<13} alpha-beta, {count:>2} threads: a fixed depth {mean:.2} times as fast, with {more:.2} times the nodes",
            game.id()
        );
        gains
    };
    threads.iter().map(with).collect()
}

fn geometric_mean(logarithms: &[f64]) -> f64 {
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}

fn playouts<G: Game>(game: &G, threads: &[usize]) {
    let record = &positions(game, 8, 1)[0];
    let search = |threads, limits: &Limits| {
        let mcts = Mcts::new(MctsOptions { threads, memory: 4 << 30, ..MctsOptions::default() });
        mcts.search(record, limits, &Stop::new(), |_| ())
    };
    let rate = |threads| search(threads, &Limits::time(Duration::from_secs(2))).nodes_per_second();
    let alone = rate(1);
    // The more playouts, the deeper the graph and the more each of them costs: threads do more of them in the same time, so the
    // same number is compared, too.
    let number = (8.0 * alone) as u64;
    let time = |threads| search(threads, &Limits::nodes(number)).seconds;
    let longest = time(1);
    for &count in threads {
        let together = rate(count);
        println!(
            "{:<13} Monte-Carlo, {count:>2} threads: {together:9.0} playouts/s, {:.2} times one thread; {number} playouts {:.2} times as fast",
            game.id(),
            together / alone,
            longest / time(count)
        );
    }
}

/// What is measured, and the gains of two threads over all games.
struct Run {
    figures: Figures,
    what: String,
    game: Option<String>,
    threads: Vec<usize>,
    gains: Vec<f64>,
}

impl Run {
    fn game<G: Evaluate>(&mut self, game: &G, goal: Option<f64>) {
        if self.game.as_ref().is_some_and(|word| !game.id().starts_with(word.as_str())) {
            return;
        }
        match self.what.as_str() {
            "two" => {
                let work = Work { positions: 20, nodes: 1_500_000, rounds: self.figures.rounds(2) };
                let gains = gains(game, &[2], &work).concat();
                let figure = figure(game, "two", "two threads to a fixed depth", Unit::Times);
                self.figures.tell(figure, &[geometric_mean(&gains)]);
                self.gains.extend(gains);
            }
            "scaling" => {
                gains(game, &self.threads, &Work { positions: 8, nodes: 4_000_000, rounds: 1 });
            }
            "longer" => {
                gains(game, &self.threads, &Work { positions: 8, nodes: 20_000_000, rounds: 1 });
            }
            "playouts" => playouts(game, &self.threads),
            _ => rates(&mut self.figures, game, goal),
        }
    }
}

fn main() {
    let figures = Figures::new("tabia-search");
    let what = figures.words().first().map_or("rates", String::as_str).to_owned();
    let game = figures.words().get(1).cloned();
    let number = figures.words().get(2).and_then(|word| word.parse().ok());
    let threads = number.map_or(vec![2, 4, 8, 16], |number| vec![number]);
    let mut run = Run { figures, what, game, threads, gains: Vec::new() };
    run.game(&tabia_draughts::Draughts::default(), Some(8.0));
    run.game(&tabia_arx::Arx, Some(3.0));
    run.game(&tabia_chess::Chess, Some(2.5));
    run.game(&tabia_five_visible::FiveVisible::default(), None);
    if run.what == "two" && run.game.is_none() {
        let figure = Figure::new("two", "all positions, two threads to a fixed depth", Unit::Times);
        run.figures.tell(figure.goal(1.5), &[geometric_mean(&run.gains)]);
    }
}
