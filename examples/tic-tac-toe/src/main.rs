//! `cargo run -p tabia-tic-tac-toe`: what any game can be asked, asked of tic-tac-toe.

use tabia_core::{Game, Work, enumerate, perft};
use tabia_tic_tac_toe::TicTacToe;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (start, work) = (TicTacToe.start(), Work::unwatched(1));
    for depth in 0..=9 {
        let count = perft::perft(&TicTacToe, &start, depth, perft::PerftOptions::default(), &work)?;
        println!("perft {depth}: {count}");
    }
    for symmetry in [false, true] {
        let options = enumerate::EnumerateOptions { symmetry, depth: None };
        let all = enumerate::enumerate(&TicTacToe, &start, options, &work, |_| ())?;
        let total: u64 = all.levels.iter().map(|level| level.positions).sum();
        println!("positions{}: {total}", if symmetry { " up to symmetry" } else { "" });
    }
    Ok(())
}
