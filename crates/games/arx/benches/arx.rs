//! Figures of Arx, one thread: `cargo bench -p tabia-arx`. Words choose parts: `-- perft playout`.

use std::hint::black_box;
use tabia_arx::{Arx, Move, State};
use tabia_core::{Evaluate, Game, Notation, Packed, SplitMix64, Work, perft, playout};
use tabia_figures::{Figure, Figures, Unit};

fn main() {
    let mut figures = Figures::new("tabia-arx");
    let start = Arx.start();
    let nodes = |name: String| Figure::new("perft", name, Unit::Millions("nodes"));
    for (depth, goal) in [(3, None), (4, Some(200.0)), (5, Some(800.0))] {
        let figure = nodes(format!("perft {depth}, leaves counted"));
        let figure = goal.map_or(figure.clone(), |goal| figure.goal(goal));
        figures.measure(figure, || {
            let work = Work::unwatched(1);
            perft::perft(&Arx, &start, depth, perft::PerftOptions::default(), &work).expect("a count")
        });
    }
    figures.measure(nodes("perft 4, every leaf played".to_owned()).goal(90.0), || played_leaves(&start, 4));
    let figure = Figure::new("playout", "random play", Unit::Millions("plies")).goal(10.0);
    figures.measure(figure, || playout::playouts(&Arx, &start, 1, |report| report.playouts >= 2_000).plies);

    let states = middlegames();
    let all = &mut figures;
    each(all, "moves", "moves listed", &states, |state, moves| {
        moves.clear();
        Arx.moves(state, moves);
        moves.len() as u64
    });
    each(all, "moves", "moves counted", &states, |state, _| Arx.count_moves(state));
    each(all, "outcome", "outcome", &states, |state, _| u64::from(Arx.outcome(state).is_some()));
    each(all, "evaluate", "evaluate", &states, |state, _| Arx.evaluate(state) as u64);
    each(all, "pack", "pack", &states, |state, _| Arx.pack(state).as_bytes().len() as u64);
    each(all, "text", "text written", &states, |state, _| Arx.format(state).len() as u64);
    each(all, "canonical", "canonical form", &states, |state, _| Arx.canonicalise(state).state.key().0);
    let packed: Vec<_> = states.iter().map(|state| Arx.pack(state)).collect();
    figures.measure(Figure::new("unpack", "unpack", Unit::Nanoseconds), || {
        black_box(packed.iter().filter(|packed| Arx.unpack(packed).is_ok()).count());
        packed.len() as u64
    });
    let longest = packed.iter().map(|packed| packed.as_bytes().len()).max().unwrap_or(0);
    let total: usize = packed.iter().map(|packed| packed.as_bytes().len()).sum();
    println!("packed length: mean {:.1}, longest {longest} bytes", total as f64 / packed.len() as f64);
    println!("a position: {} bytes", size_of::<State>());
}

/// Nanoseconds for one of the positions, which are few enough to stay in the cache.
fn each(
    figures: &mut Figures,
    part: &str,
    name: &str,
    states: &[State],
    mut work: impl FnMut(&State, &mut Vec<Move>) -> u64,
) {
    let mut moves = Vec::with_capacity(256);
    figures.measure(Figure::new(part, name, Unit::Nanoseconds), || {
        black_box(states.iter().fold(0u64, |sum, state| sum.wrapping_add(work(state, &mut moves))));
        states.len() as u64
    });
}

/// Perft that makes every position it counts.
fn played_leaves(state: &State, depth: u32) -> u64 {
    let mut moves = Vec::with_capacity(128);
    Arx.moves(state, &mut moves);
    let mut total = 0;
    for &mv in &moves {
        let mut next = *state;
        Arx.play(&mut next, mv);
        total += if depth == 1 {
            black_box(&next);
            1
        } else {
            played_leaves(&next, depth - 1)
        };
    }
    total
}

/// Positions of random games, the finished ones left out.
fn middlegames() -> Vec<State> {
    let (mut rng, mut buffer, mut states) = (SplitMix64::new(2), Vec::new(), Vec::new());
    while states.len() < 3_000 {
        let mut state = Arx.start();
        for _ in 0..150 {
            let Some(mv) = Arx.random_move(&state, &mut rng, &mut buffer) else { break };
            states.push(state);
            Arx.play(&mut state, mv);
        }
    }
    states
}
