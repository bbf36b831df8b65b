//! Rates of everything that is done often, by CPU time of this thread: `cargo bench -p tabia-draughts`.
//! With an argument (`perft`, `playout`, ...) only that figure, for measuring instructions.

use cpu_time::ProcessTime;
use std::hint::black_box;
use tabia_core::perft::{PerftOptions, perft};
use tabia_core::{Evaluate, Game, Notation, SplitMix64, Work, playout};
use tabia_draughts::{Draughts, State};

/// The best rate of a few rounds, in units per CPU second.
fn best_rate(rounds: u32, mut work: impl FnMut() -> u64) -> f64 {
    let rate = |_| {
        let before = ProcessTime::now();
        let units = work();
        units as f64 / before.elapsed().as_secs_f64()
    };
    (0..rounds).map(rate).fold(0.0, f64::max)
}

/// Positions from random play.
fn sample(count: usize) -> Vec<State> {
    let rules = Draughts::default();
    let (mut rng, mut buffer) = (SplitMix64::new(9), Vec::new());
    let mut states = Vec::with_capacity(count);
    while states.len() < count {
        let mut state = rules.start();
        for _ in 0..100 {
            states.push(state);
            let Some(mv) = rules.random_move(&state, &mut rng, &mut buffer) else { break };
            rules.play(&mut state, mv);
        }
    }
    states
}

/// Nanoseconds of `work` per item, and the rate.
fn per_item<T, R>(name: &str, items: &[T], mut work: impl FnMut(&T) -> R) {
    let rate = best_rate(5, || {
        for item in items {
            black_box(work(black_box(item)));
        }
        items.len() as u64
    });
    println!("{name:<28}{:>10.1} ns    {:>8.2} M/s", 1e9 / rate, rate / 1e6);
}

fn main() {
    let only = std::env::args().nth(1).filter(|word| !word.starts_with('-'));
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let rules = Draughts::default();
    if wanted("perft") {
        let options = PerftOptions::default();
        let rounds = if only.is_some() { 1 } else { 5 };
        let rate = best_rate(rounds, || {
            perft(&rules, &rules.start(), 11, options, &Work::unwatched(1)).expect("a count")
        });
        println!("{:<28}{:>10.1} M nodes/s", "perft 11, counted leaves", rate / 1e6);
    }
    if wanted("playout") {
        let games = if only.is_some() { 20_000 } else { 50_000 };
        let rate =
            best_rate(5, || playout::playouts(&rules, &rules.start(), 1, |r| r.playouts >= games).plies);
        println!("{:<28}{:>10.1} M plies/s", "random playouts", rate / 1e6);
    }
    if only.is_some() {
        return;
    }
    let states = sample(100_000);
    let packed: Vec<_> = states.iter().map(|state| rules.pack(state)).collect();
    let texts: Vec<_> = states.iter().map(|state| rules.format(state)).collect();
    let start = rules.pack(&rules.start());
    per_item("evaluate", &states, |state| rules.evaluate(state));
    per_item("pack", &states, |state| rules.pack(state));
    per_item("unpack", &packed, |bytes| rules.unpack(bytes).ok());
    per_item("unpack the start", &vec![start; 100_000], |bytes| rules.unpack(bytes).ok());
    per_item("FEN parse", &texts, |text| rules.parse(text).ok());
    per_item("FEN print", &states, |state| rules.format(state));
    per_item("half turn", &states, State::turned);
}
