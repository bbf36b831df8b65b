//! Figures of the chess crate by CPU time: `cargo bench -p tabia-chess`.

use cozy_chess::Board;
use cpu_time::ProcessTime;
use std::hint::black_box;
use tabia_chess::{Chess, State};
use tabia_core::{Game, perft};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The work with cozy-chess alone, as its own tests count.
fn direct(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += direct(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn seconds(work: impl FnOnce() -> u64) -> (u64, f64) {
    let start = ProcessTime::now();
    let done = black_box(work());
    (done, start.elapsed().as_secs_f64())
}

fn main() {
    extra();
    for (name, board, depth) in [("start", Board::default(), 5), ("kiwipete", KIWIPETE.parse().unwrap(), 4)] {
        let state = State::from_builder(&cozy_chess::BoardBuilder::from_board(&board)).unwrap();
        let (mut ours, mut theirs, mut nodes) = (f64::MAX, f64::MAX, 0);
        for _ in 0..30 {
            let (n, t) = seconds(|| direct(black_box(&board), depth));
            theirs = theirs.min(t);
            let (m, t) =
                seconds(|| perft::perft(&Chess, black_box(&state), depth, perft::Options::default()));
            ours = ours.min(t);
            assert_eq!(n, m);
            nodes = n;
        }
        let rate = |t: f64| nodes as f64 / t / 1e6;
        println!(
            "perft {name} {depth}: {:.0} M/s through tabia, {:.0} M/s with cozy-chess alone: {:.1} %",
            rate(ours),
            rate(theirs),
            100.0 * theirs / ours
        );
    }
    let state = Chess.start();
    let packed = Chess.pack(&state);
    let best = (0..20)
        .map(|_| {
            seconds(|| {
                for _ in 0..100_000 {
                    black_box(Chess.unpack(black_box(&packed)).is_ok());
                }
                0
            })
            .1
        })
        .fold(f64::MAX, f64::min);
    println!("unpack {:.1} ns", best * 1e9 / 1e5);
    let best = (0..20)
        .map(|_| {
            seconds(|| {
                for _ in 0..100_000 {
                    black_box(Chess.pack(black_box(&state)));
                }
                0
            })
            .1
        })
        .fold(f64::MAX, f64::min);
    println!("pack {:.1} ns", best * 1e9 / 1e5);
}
#[allow(dead_code)]
fn extra() {
    let b = cozy_chess::BoardBuilder::default();
    let best = (0..20)
        .map(|_| {
            seconds(|| {
                for _ in 0..100_000 {
                    black_box(black_box(&b).build().is_ok());
                }
                0
            })
            .1
        })
        .fold(f64::MAX, f64::min);
    println!("build {:.1} ns", best * 1e9 / 1e5);
    let best = (0..20)
        .map(|_| {
            seconds(|| {
                for _ in 0..100_000 {
                    black_box(black_box(&b).build()).is_ok();
                }
                0
            })
            .1
        })
        .fold(f64::MAX, f64::min);
    println!("build {:.1} ns", best * 1e9 / 1e5);
    let best = (0..20)
        .map(|_| {
            seconds(|| {
                for _ in 0..100_000 {
                    black_box(State::from_builder(black_box(&b))).is_ok();
                }
                0
            })
            .1
        })
        .fold(f64::MAX, f64::min);
    println!("from_builder {:.1} ns", best * 1e9 / 1e5);
}
