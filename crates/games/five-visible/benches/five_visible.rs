//! Figures of 5-Visible, one thread: `cargo bench -p tabia-five-visible`. Words choose parts: `-- playout`, `-- canonical`.

use std::hint::black_box;
use tabia_core::{Game, SplitMix64, playout};
use tabia_figures::{Figure, Figures, Unit};
use tabia_five_visible::{FiveVisible, State};

fn main() {
    let mut figures = Figures::new("tabia-five-visible");
    let rules = FiveVisible::default();
    let figure = Figure::new("playout", "random play", Unit::Millions("plies")).goal(25.0);
    figures.measure(figure, || {
        playout::playouts(&rules, &rules.start(), 1, |report| report.plies > 1_000_000).plies
    });

    let states = random_states(&rules, 4096);
    let figure = Figure::new("canonical", "canonical packing", Unit::Nanoseconds).goal(12.0);
    figures.measure(figure, || {
        for state in &states {
            black_box(rules.pack_canonical(black_box(state)));
        }
        states.len() as u64
    });
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
