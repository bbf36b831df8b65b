//! x
use std::time::Instant;
use tabia_arx::Arx;
use tabia_core::{Game, perft};
fn main() {
    let start = Arx.start();
    for depth in 1..=5 {
        let t = Instant::now();
        let n = perft::perft(&Arx, &start, depth, perft::Options::default());
        let s = t.elapsed().as_secs_f64();
        println!("perft {depth}: {n} {:.1} M/s", n as f64 / s / 1e6);
    }
}
