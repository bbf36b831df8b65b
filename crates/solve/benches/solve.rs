//! CPU seconds of exact solutions: `cargo bench -p tabia-solve`.

use cpu_time::ProcessTime;
use std::sync::Mutex;
use tabia_core::{Game, Progress, Work};
use tabia_five_visible::{FiveVisible, Opening, RuleOptions as Rules};
use tabia_solve::strong::{StrongOptions, solve};

fn main() {
    for bits in 0..8u8 {
        let options =
            Rules { put_back: bits & 1 != 0, lone_wander: bits & 2 != 0, no_three_stacks: bits & 4 != 0 };
        for opening in [Opening::Four, Opening::Empty] {
            let game = FiveVisible { opening, options, ..FiveVisible::default() };
            build(&game);
        }
    }
}

fn build(game: &FiveVisible) {
    let began = ProcessTime::now();
    let last = Mutex::new((String::new(), ProcessTime::now()));
    let verbose = std::env::var_os("PHASES").is_some();
    let tell = |p: &Progress| {
        let Ok(mut last) = last.lock() else { return };
        if verbose && p.stage != last.0 {
            eprintln!("   {} after {:.3}", p.stage, last.1.elapsed().as_secs_f64());
            *last = (p.stage.to_string(), ProcessTime::now());
        }
    };
    let work = Work { progress: &tell, ..Work::unwatched(2) };
    let solution = solve(game, &[game.start()], &StrongOptions::default(), &work);
    let Ok(solution) = solution else { return };
    let cpu = began.elapsed().as_secs_f64();
    let report = solution.report();
    println!(
        "{:<50} {:?} {:>9} positions {:>10} edges {:.2} CPU s, {} bytes",
        game.variant(),
        game.opening,
        report.positions,
        report.edges,
        cpu,
        report.peak_bytes
    );
}
