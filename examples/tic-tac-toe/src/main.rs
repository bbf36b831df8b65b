//! `cargo run -p tabia-tic-tac-toe`: what any game can be asked, asked of tic-tac-toe.

use std::ops::ControlFlow;
use tabia_core::{Game, enumerate, perft};
use tabia_tic_tac_toe::TicTacToe;

fn main() {
    let start = TicTacToe.start();
    for depth in 0..=9 {
        println!("perft {depth}: {}", perft::perft(&TicTacToe, &start, depth, perft::Options::default()));
    }
    for symmetry in [false, true] {
        let options = enumerate::Options { symmetry, depth: None, threads: 1 };
        let levels = enumerate::enumerate(&TicTacToe, &start, options, |_| ControlFlow::Continue(()));
        let total: u64 = levels.iter().map(|level| level.positions).sum();
        println!("positions{}: {total}", if symmetry { " up to symmetry" } else { "" });
    }
}
