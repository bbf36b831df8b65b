//! Speed of Arx, single thread, by CPU time: the best of five runs each. A word after `--` picks lines.

use cpu_time::ThreadTime;
use std::hint::black_box;
use tabia_arx::{Arx, Move, State};
use tabia_core::{Evaluate, Game, Packed, SplitMix64, Work, perft, playout};

/// How often the positions are gone through; few enough of them to stay in the cache.
const ROUNDS: u64 = 100;

fn main() {
    let start = Arx.start();
    for depth in 3..=5 {
        report(&format!("perft {depth}, leaves counted: nodes"), || {
            let work = Work::unwatched(1);
            perft::perft(&Arx, &start, depth, perft::PerftOptions::default(), &work).expect("a count")
        });
    }
    report("perft 4, every leaf played: nodes", || played_leaves(&start, 4));
    report("random playouts: plies", || {
        let report = playout::playouts(&Arx, &start, 1, |report| report.playouts >= 20_000);
        report.plies
    });
    let states = middlegames();
    each("moves listed: positions", &states, |state, moves| {
        moves.clear();
        Arx.moves(state, moves);
        moves.len() as u64
    });
    each("moves counted: positions", &states, |state, _| Arx.count_moves(state));
    each("outcome: positions", &states, |state, _| u64::from(Arx.outcome(state).is_some()));
    each("evaluate: positions", &states, |state, _| Arx.evaluate(state) as u64);
    each("pack: positions", &states, |state, _| Arx.pack(state).as_bytes().len() as u64);
    each("canonicalise: positions", &states, |state, _| Arx.canonicalise(state).state.key().0);
    let packed: Vec<_> = states.iter().map(|state| Arx.pack(state)).collect();
    report("unpack: positions", || {
        let good = || packed.iter().filter(|packed| Arx.unpack(packed).is_ok()).count() as u64;
        (0..ROUNDS).map(|_| good()).sum()
    });
    let longest = packed.iter().map(|packed| packed.as_bytes().len()).max().unwrap_or(0);
    let total: usize = packed.iter().map(|packed| packed.as_bytes().len()).sum();
    println!("packed length: mean {:.1}, longest {longest} bytes", total as f64 / packed.len() as f64);
    println!("a position: {} bytes", size_of::<State>());
}

/// Runs `work` five times; it answers how many things it did.
fn report(what: &str, mut work: impl FnMut() -> u64) {
    if std::env::args().skip(1).any(|word| !word.starts_with('-') && !what.contains(&word)) {
        return;
    }
    let mut best = f64::INFINITY;
    let mut done = 0;
    for _ in 0..5 {
        let clock = ThreadTime::now();
        done = work();
        best = best.min(clock.elapsed().as_secs_f64());
    }
    println!("{what:42} {done:>11} in {best:7.3} s: {:8.2} M/s", done as f64 / best / 1e6);
}

fn each(what: &str, states: &[State], mut work: impl FnMut(&State, &mut Vec<Move>) -> u64) {
    let mut moves = Vec::with_capacity(256);
    report(what, || {
        for _ in 0..ROUNDS {
            black_box(states.iter().fold(0u64, |sum, state| sum.wrapping_add(work(state, &mut moves))));
        }
        ROUNDS * states.len() as u64
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
