//! Figures of English draughts, one thread: `cargo bench -p tabia-draughts`. Words choose parts: `-- perft playout`.

use std::hint::black_box;
use tabia_core::perft::{PerftOptions, perft};
use tabia_core::{Evaluate, Game, Notation, SplitMix64, Work, playout};
use tabia_draughts::{Draughts, State};
use tabia_figures::{Figure, Figures, Unit};

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

/// Nanoseconds of `work` per item.
fn per_item<T, R>(figures: &mut Figures, figure: Figure, items: &[T], mut work: impl FnMut(&T) -> R) {
    figures.measure(figure, || {
        for item in items {
            black_box(work(black_box(item)));
        }
        items.len() as u64
    });
}

fn main() {
    let mut figures = Figures::new("tabia-draughts");
    let rules = Draughts::default();
    let figure = Figure::new("perft", "perft 11, leaves counted", Unit::Millions("nodes")).goal(280.0);
    figures.measure(figure, || {
        perft(&rules, &rules.start(), 11, PerftOptions::default(), &Work::unwatched(1)).expect("a count")
    });
    let figure = Figure::new("playout", "random play", Unit::Millions("plies")).goal(45.0);
    figures.measure(figure, || {
        playout::playouts(&rules, &rules.start(), 1, |report| report.playouts >= 10_000).plies
    });

    let states = sample(100_000);
    let packed: Vec<_> = states.iter().map(|state| rules.pack(state)).collect();
    let texts: Vec<_> = states.iter().map(|state| rules.format(state)).collect();
    let starts = vec![rules.pack(&rules.start()); 100_000];
    let each = |part: &str, name: &str| Figure::new(part, name, Unit::Nanoseconds);
    let all = &mut figures;
    per_item(all, each("evaluate", "evaluate"), &states, |state| rules.evaluate(state));
    per_item(all, each("pack", "pack"), &states, |state| rules.pack(state));
    per_item(all, each("unpack", "unpack").goal(20.0), &packed, |bytes| rules.unpack(bytes).ok());
    let start = each("unpack", "unpack the start").goal(20.0);
    per_item(all, start, &starts, |bytes| rules.unpack(bytes).ok());
    per_item(all, each("fen", "FEN read").goal(300.0), &texts, |text| rules.parse(text).ok());
    per_item(all, each("fen", "FEN written").goal(300.0), &states, |state| rules.format(state));
    per_item(all, each("turn", "half turn"), &states, State::turned);
}
