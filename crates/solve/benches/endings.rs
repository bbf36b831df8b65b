//! Ending tables: `cargo bench -p tabia-solve --bench endings`. Words choose parts: `-- draughts4`, `-- draughts5`, `-- chess3`.
//!
//! `-- PIECES [outcome] [SLICE of PIECES + 1]` builds all slices of up to PIECES pieces of draughts in a temporary folder (or
//! in `$TABLES`, kept), asks random positions, and measures the rate on one larger slice where named. `$THREADS` share the work (1).
//! With the word `writer` it measures how fast the slices of PIECES pieces are compressed and written, one thread at work.

use cpu_time::ProcessTime;
use std::path::Path;
use std::time::{Duration, Instant};
use tabia_chess::Chess;
use tabia_core::{Game, Index, SplitMix64, Spot, Work};
use tabia_draughts::Draughts;
use tabia_figures::{Figure, Figures, Unit};
use tabia_solve::file::{Info, Layout, Precision, write_outcomes};
use tabia_solve::slices::{
    BuildOptions, Builder, Codes, Plan, SliceFolder, build, build_outcomes, file_name,
};

fn main() {
    let mut figures = Figures::new("tabia-solve");
    match figures.words().first().and_then(|word| word.parse().ok()) {
        Some(pieces) => draughts(pieces, figures.words()),
        None => all(&mut figures),
    }
}

/// A folder that is gone at the end.
fn in_a_folder(work: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    work(folder.path());
}

fn all(figures: &mut Figures) {
    let figure = |part: &str, name: &str| {
        let command = format!("cargo bench -p tabia-solve --bench endings -- {part}");
        Figure::new(part, name, Unit::Seconds).command(command)
    };
    let distances = |pieces| BuildOptions { pieces, precision: Precision::Distance };
    let of_draughts = |threads| {
        in_a_folder(|folder| {
            build(&Draughts::default(), folder, distances(4), &Work::unwatched(threads)).expect("tables");
        });
    };
    figures.measure(figure("draughts4", "draughts endings of 2-4 pieces, distances"), || {
        of_draughts(1);
        1
    });
    // On the clock: threads save no CPU time.
    if figures.wanted("draughts4") {
        let figure =
            figure("draughts4", "draughts endings of 2-4 pieces, distances, two threads on the clock")
                .goal(30.0);
        let begin = Instant::now();
        of_draughts(2);
        figures.tell(figure, &[begin.elapsed().as_secs_f64()]);
    }
    figures.measure(figure("draughts5", "draughts endings of 2-5 pieces, outcomes").goal(16.0), || {
        in_a_folder(|folder| {
            build_outcomes(&Draughts::default(), folder, 5, &Work::unwatched(1)).expect("tables");
        });
        1
    });
    figures.measure(figure("chess3", "chess endings of 3 men, distances"), || {
        in_a_folder(|folder| {
            build(&Chess, folder, distances(3), &Work::unwatched(1)).expect("tables");
        });
        1
    });
}

fn draughts(pieces: u32, words: &[String]) {
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
        if words.iter().any(|word| word == "writer") {
            writer(&tables, pieces);
        }
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

/// What compressing and writing slices costs that are there by two bits a position.
fn writer(tables: &SliceFolder<Draughts>, pieces: u32) {
    let game = tables.game();
    let (mut positions, mut written, mut cpu) = (0, 0, Duration::ZERO);
    in_a_folder(|folder| {
        for (slice, file) in tables.files() {
            if game.slice_pieces(slice) != pieces {
                continue;
            }
            let Ok(Codes::Outcome(bytes)) =
                file.all_codes().map(|codes| Codes::new(codes, Precision::Outcome))
            else {
                continue;
            };
            let path = folder.join(file_name(game, slice));
            let info = Info::new(game.variant(), game.slice_name(slice), Layout::Indexed);
            let began = ProcessTime::now();
            write_outcomes(&path, info, &bytes, file.info().positions, 1).expect("a file");
            cpu += began.elapsed();
            positions += file.info().positions;
            written += std::fs::metadata(&path).map_or(0, |file| file.len());
            let _ = std::fs::remove_file(&path);
        }
    });
    println!(
        "writer: {positions} positions, {:.2} CPU s, {:.0} M positions/s a core, {:.3} bits a position",
        cpu.as_secs_f64(),
        positions as f64 / 1e6 / cpu.as_secs_f64(),
        8.0 * written as f64 / positions as f64,
    );
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
