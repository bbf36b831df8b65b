//! Random play through batches of 1,024, one thread, CPU time: `cargo bench -p tabia-batch`, with a game's id
//! (`-- chess`) that game alone. Each rate is the best of several rounds; `alone` is random play without a batch.

use cpu_time::ProcessTime;
use std::hint::black_box;
use tabia_batch::{AnyBatch, Batch, BatchError};
use tabia_core::actions::mask_bytes;
use tabia_core::playout::playouts;
use tabia_core::{Actions, Observe};

const ROWS: usize = 1024;
const STEPS: usize = 400;
const ROUNDS: usize = 7;

/// Millions of `ROWS` per CPU second, given a job that does all rows `times` times.
fn rate(times: usize, mut job: impl FnMut() -> Result<(), BatchError>) -> Result<f64, BatchError> {
    let mut best = 0.0;
    for _ in 0..ROUNDS {
        let before = ProcessTime::now();
        for _ in 0..times {
            job()?;
        }
        best = f64::max(best, (times * ROWS) as f64 / before.elapsed().as_secs_f64() / 1e6);
    }
    Ok(best)
}

fn measure<G: Observe + Actions>(rules: G) -> Result<(), BatchError> {
    let (games, start) = ((2 * ROWS) as u64, rules.start());
    let mut alone = 0.0;
    for _ in 0..ROUNDS {
        let before = ProcessTime::now();
        let plies = playouts(&rules, &start, 1, |report| report.playouts >= games).plies;
        alone = f64::max(alone, plies as f64 / before.elapsed().as_secs_f64() / 1e6);
    }
    let mut batch = Batch::new(rules, ROWS, 1, 1);
    let mut masks = vec![0; ROWS * mask_bytes(batch.action_count())];
    let mut planes = vec![0; ROWS * batch.planes().bytes()];
    let random = rate(STEPS, || batch.random().and(batch.reset_finished()).map(drop))?;
    let masked = rate(STEPS, || {
        batch.mask_bits(&mut masks)?;
        batch.random().and(batch.reset_finished()).map(drop)
    })?;
    let shown = rate(STEPS, || {
        batch.mask_bits(&mut masks)?;
        batch.observe(&mut planes)?;
        batch.random().and(batch.reset_finished()).map(drop)
    })?;
    let mut first = Vec::new();
    let stepped = rate(STEPS, || {
        let legal = batch.legal()?;
        first.clear();
        // Somewhere in the middle of each list.
        first.extend(legal.offsets.windows(2).map(|at| legal.actions[(at[0] + at[1]) as usize / 2]));
        batch.step(&first).and(batch.reset_finished()).map(drop)
    })?;
    let (size, _) = batch.packed_size();
    let (mut bytes, mut lengths) = (vec![0; ROWS * size], vec![0; ROWS]);
    let pack = rate(STEPS, || batch.packed(black_box(&mut bytes), &mut lengths))?;
    let unpack = rate(STEPS, || batch.set_packed(&bytes, Some(&lengths)))?;
    black_box((&masks, &planes));
    println!(
        "{:<14}{alone:>8.2}{random:>8.2}{masked:>8.2}{shown:>8.2}{stepped:>8.2}{pack:>9.1}{unpack:>9.1}",
        batch.rules().id()
    );
    Ok(())
}

fn main() -> Result<(), BatchError> {
    let only = std::env::args().nth(1).filter(|word| !word.starts_with('-'));
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    println!("M rows/s         alone  random   masks  planes    step     pack   unpack");
    if wanted("draughts") {
        measure(tabia_draughts::Draughts::default())?;
    }
    if wanted("chess") {
        measure(tabia_chess::Chess)?;
    }
    if wanted("arx") {
        measure(tabia_arx::Arx)?;
    }
    if wanted("five-visible") {
        measure(tabia_five_visible::FiveVisible::default())?;
    }
    if wanted("solitaire") {
        measure(tabia_solitaire::Solitaire::default())?;
    }
    Ok(())
}
