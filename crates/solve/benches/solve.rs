//! CPU seconds of exact solutions: `cargo bench -p tabia-solve --bench solve`. Words choose parts: `-- whole` solves 5-Visible with all its
//! openings, `-- variants` each opening under all rules; `$PHASES` has the time of each phase told.

use std::sync::Mutex;
use std::time::Instant;
use tabia_core::{Game, Notation, Progress, Work};
use tabia_figures::{Figure, Figures, Unit};
use tabia_five_visible::{FiveVisible, Opening, RuleOptions as Rules, State};
use tabia_solve::strong::{StrongOptions, solve};

fn main() {
    let mut figures = Figures::new("tabia-solve");
    let figure = |part: &str, name: String| {
        let command = format!("cargo bench -p tabia-solve --bench solve -- {part}");
        Figure::new(part, name, Unit::Seconds).command(command)
    };
    let game = FiveVisible::default();
    let same = |start: &tabia_core::NamedStart<FiveVisible>| start.position.rules.variant() == game.variant();
    let named = game.starts().into_iter().filter(same).map(|start| start.position.state);
    let openings: Vec<State> = std::iter::once(game.start()).chain(named).collect();
    let whole = figure("whole", "5-Visible solved whole".to_owned()).goal(0.45);
    figures.measure(whole, || build(&game, &openings, 1));
    for bits in 0..8u8 {
        let options =
            Rules { put_back: bits & 1 != 0, lone_wander: bits & 2 != 0, no_three_stacks: bits & 4 != 0 };
        for opening in [Opening::Four, Opening::Empty] {
            let game = FiveVisible { opening, options, ..FiveVisible::default() };
            let name = format!("{} from {opening:?}", game.variant()).to_lowercase();
            figures.measure(figure("variants", name), || build(&game, &[game.start()], 2));
        }
    }
}

/// Solves a game, and says that it was one.
fn build(game: &FiveVisible, starts: &[State], threads: usize) -> u64 {
    let last = Mutex::new((String::new(), Instant::now()));
    let verbose = std::env::var_os("PHASES").is_some();
    let tell = |p: &Progress| {
        let Ok(mut last) = last.lock() else { return };
        if verbose && p.stage != last.0 {
            eprintln!("   {} after {:.3} s", p.stage, last.1.elapsed().as_secs_f64());
            *last = (p.stage.to_string(), Instant::now());
        }
    };
    let work = Work { progress: &tell, ..Work::unwatched(threads) };
    let solution = solve(game, starts, &StrongOptions::default(), &work).expect("it fits");
    let report = solution.report();
    if verbose {
        println!("{} positions, {} edges, {} bytes", report.positions, report.edges, report.peak_bytes);
    }
    1
}
