//! Figures of 5-Visible by CPU time: `cargo bench -p tabia-five-visible`.

use cpu_time::ProcessTime;
use std::hint::black_box;
use tabia_core::{Game, SplitMix64, playout};
use tabia_five_visible::{FiveVisible, State};

fn main() {
    let rules = FiveVisible::default();
    let begin = ProcessTime::now();
    let report = playout::playouts(&rules, &rules.start(), 1, |report| report.plies > 30_000_000);
    let seconds = begin.elapsed().as_secs_f64();
    println!("random playouts: {:.1} M plies per CPU second", report.plies as f64 / seconds / 1e6);

    let states = random_states(&rules, 4096);
    let rounds = 2000;
    let begin = ProcessTime::now();
    for _ in 0..rounds {
        for state in &states {
            black_box(rules.pack_canonical(black_box(state)));
        }
    }
    let nanoseconds = begin.elapsed().as_secs_f64() * 1e9 / f64::from(rounds) / states.len() as f64;
    println!("canonical packing: {nanoseconds:.1} ns");
}

fn random_states(rules: &FiveVisible, count: usize) -> Vec<State> {
    let (mut rng, mut buffer) = (SplitMix64::new(7), Vec::new());
    let mut states = Vec::new();
    while states.len() < count {
        let mut state = rules.start();
        while let Some(mv) = rules.random_move(&state, &mut rng, &mut buffer) {
            states.push(state);
            rules.play(&mut state, mv);
        }
    }
    states
}
