//! CPU seconds of exact solutions: `cargo bench -p tabia-solve`.

use cpu_time::ProcessTime;
use std::ops::ControlFlow;
use tabia_core::Game;
use tabia_five_visible::{FiveVisible, Opening, RuleOptions as Rules};
use tabia_solve::strong::{Options, solve};

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
    let options = Options { threads: 2, ..Options::default() };
    let mut last = (String::new(), ProcessTime::now());
    let verbose = std::env::var_os("PHASES").is_some();
    let solution = solve(game, &[game.start()], &options, &mut |p| {
        if verbose && p.phase != last.0 {
            eprintln!("   {} after {:.3}", p.phase, last.1.elapsed().as_secs_f64());
            last = (p.phase.clone(), ProcessTime::now());
        }
        ControlFlow::Continue(())
    });
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
