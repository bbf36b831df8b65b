//! Draughts endings: `cargo bench -p tabia-solve --bench endings -- PIECES [outcome] [SLICE of PIECES + 1]`.
//!
//! Builds all slices of up to PIECES pieces in a temporary folder (or in `$TABLES`, kept), asks random
//! positions, and measures the rate on one larger slice where named. `$THREADS` share the work (1).

use cpu_time::ProcessTime;
use std::time::Instant;
use tabia_core::{Index, SplitMix64, Spot, Work};
use tabia_draughts::Draughts;
use tabia_solve::file::Precision;
use tabia_solve::slices::{BuildOptions, Builder, Plan, SliceFolder, build, build_outcomes};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let pieces = words.first().and_then(|word| word.parse().ok()).unwrap_or(3);
    let outcome = words.iter().any(|word| word == "outcome");
    let precision = if outcome { Precision::Outcome } else { Precision::Distance };
    let temporary = std::env::temp_dir().join(format!("tabia-endings-{}", std::process::id()));
    let kept = std::env::var_os("TABLES").map(std::path::PathBuf::from);
    let folder = kept.clone().unwrap_or_else(|| temporary.clone());
    let rules = Draughts::default();
    let (began, cpu) = (Instant::now(), ProcessTime::now());
    let threads = std::env::var("THREADS").ok().and_then(|threads| threads.parse().ok()).unwrap_or(1);
    let work = Work { memory: 8 << 30, ..Work::unwatched(threads) };
    let built = match precision {
        Precision::Outcome => build_outcomes(&rules, &folder, pieces, &work),
        Precision::Distance => build(&rules, &folder, BuildOptions { pieces, precision }, &work),
    };
    let Ok(report) = built else { return eprintln!("{:?}", built.err()) };
    println!("plan {:?}", Plan::new(&rules, pieces, precision));
    println!("{report:?}\n{:.1} s, {:.1} CPU s", began.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    if let Ok(tables) = SliceFolder::open(rules, &folder) {
        probe(&tables);
        if let Some(slice) = words.iter().find_map(|word| rules.slice_named(word)) {
            one_slice(&rules, &tables, slice, precision);
        }
    }
    if kept.is_none() {
        let _ = std::fs::remove_dir_all(&temporary);
    }
}

/// The cost of a probe when the blocks are warm.
fn probe(tables: &SliceFolder<Draughts>) {
    let mut rng = SplitMix64::new(1);
    let files = tables.files();
    let mut random = || {
        let (slice, file) = &files[rng.below(files.len() as u64) as usize];
        tables.game().position(Spot { slice: *slice, index: rng.below(file.info().positions) })
    };
    let states: Vec<_> = (0..1000).filter_map(|_| random()).collect();
    for round in 0..3 {
        let cpu = ProcessTime::now();
        let mut wins = 0;
        for state in &states {
            wins += u64::from(tables.get(state).ok().flatten().is_some_and(|v| v.name() == "win"));
        }
        let each = cpu.elapsed().as_nanos() as f64 / states.len() as f64;
        println!("probe, round {round}: {each:.0} ns each ({wins} wins)");
    }
}

/// The rate on one slice with its mirror image, given all smaller tables.
fn one_slice(
    rules: &Draughts,
    tables: &SliceFolder<Draughts>,
    slice: tabia_core::Slice,
    precision: Precision,
) {
    let mut builder = Builder::new(rules, precision);
    for (slice, file) in tables.files() {
        match file.all_codes() {
            Ok(codes) => builder.keep(slice, codes),
            Err(error) => return eprintln!("{error}"),
        }
    }
    let groups = rules.slice_groups(rules.slice_pieces(slice));
    for group in groups {
        if !group.contains(&slice) {
            continue;
        }
        let (began, cpu) = (Instant::now(), ProcessTime::now());
        match builder.solve(&group, &Work::unwatched(2)) {
            Ok(solved) => {
                let positions: usize = solved.iter().map(Vec::len).sum();
                let cpu = cpu.elapsed().as_secs_f64();
                println!(
                    "{slice:?}: {positions} positions, {:.1} s, {cpu:.1} CPU s, {:.0} ns each",
                    began.elapsed().as_secs_f64(),
                    cpu * 1e9 / positions as f64
                );
            }
            Err(error) => eprintln!("{error}"),
        }
    }
}
