//! How fast something is: one way to measure it and one way to say it, for the benches of all crates.
//!
//! A bench says what a figure is called, its unit, its goal and the work; the rest is here:
//!
//! - Time is CPU time of the process. Criterion samples what takes less than half a second (its report is printed, and compared with the
//!   run before); what takes longer is done five times.
//! - A figure is its best sample, because whatever else runs on the machine can only make it slower; the range of all samples
//!   stands beside it.
//! - Words after `--` choose parts (`cargo bench -p tabia-chess -- perft`), `--test` does everything once.
//! - All figures are told again at the end, a line each. Where the environment variable `TABIA_FIGURES` names a file, each is
//!   appended to it as a row: crate, figure, value, low, high, unit, goal, command, with tabs between them.

mod figure;
mod memory;
mod number;
mod time;

pub use figure::{Figure, Unit};
pub use memory::peak_megabytes;
pub use time::{by_turns, seconds};

use criterion::{Criterion, SamplingMode};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use time::{CpuTime, Sample};

/// Work that takes longer is not given to criterion, which wants ten samples at least.
const LONG: f64 = 0.5;
/// How often long work is done.
const ROUNDS: usize = 5;
/// About how long criterion samples a figure.
const SAMPLING: Duration = Duration::from_secs(2);

/// The figures of one crate.
pub struct Figures {
    package: &'static str,
    words: Vec<String>,
    once: bool,
    file: Option<PathBuf>,
    criterion: Criterion<CpuTime>,
    told: Vec<String>,
}

impl Figures {
    /// The figures of a package, with the words of the command line.
    pub fn new(package: &'static str) -> Figures {
        let file = std::env::var_os("TABIA_FIGURES").map(PathBuf::from);
        Figures::with(package, std::env::args().skip(1), file)
    }

    fn with(package: &'static str, words: impl Iterator<Item = String>, file: Option<PathBuf>) -> Figures {
        let (options, words): (Vec<_>, Vec<_>) = words.partition(|word| word.starts_with('-'));
        let criterion = Criterion::default()
            .without_plots()
            .nresamples(10_000)
            .warm_up_time(SAMPLING / 10)
            .measurement_time(SAMPLING)
            .with_measurement(CpuTime);
        let once = options.iter().any(|option| option == "--test");
        Figures { package, words, once, file, criterion, told: Vec::new() }
    }

    /// The words of the command line that are not options.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether a part is to be measured: one that was named, or any if none was. Numbers name no part.
    pub fn wanted(&self, part: &str) -> bool {
        let mut named = self.words.iter().filter(|word| word.parse::<u64>().is_err()).peekable();
        named.peek().is_none() || named.any(|word| word == part)
    }

    /// How many rounds to make of so many, for a bench that measures by itself.
    pub fn rounds(&self, many: usize) -> usize {
        if self.once { 1 } else { many }
    }

    /// Measures work that says how many things it did, if its part is wanted.
    pub fn measure(&mut self, figure: Figure, mut work: impl FnMut() -> u64) {
        if !self.wanted(&figure.part) {
            return;
        }
        let first = Sample::of(1, &mut work);
        let samples = if first.seconds >= LONG || self.once {
            let more = self.rounds(ROUNDS) - 1;
            std::iter::once(first).chain((0..more).map(|_| Sample::of(1, &mut work))).collect()
        } else {
            self.sampled(&figure, first.seconds, &mut work)
        };
        let values: Vec<f64> = samples.iter().map(|sample| figure.unit.value(sample)).collect();
        self.tell(figure, &values);
    }

    /// What criterion measured. It calls the work to warm up, too: those calls come first, and are not counted.
    fn sampled(&mut self, figure: &Figure, seconds: f64, work: &mut impl FnMut() -> u64) -> Vec<Sample> {
        // Half as many as the time allows: the clock of criterion's plan runs on while other programs do.
        let size = ((SAMPLING.as_secs_f64() / 2.0 / seconds.max(1e-9)) as usize).clamp(10, 100);
        let mut samples = Vec::new();
        let mut group = self.criterion.benchmark_group(self.package);
        group.sample_size(size).sampling_mode(SamplingMode::Flat);
        group.bench_function(figure.name.as_str(), |bencher| {
            bencher.iter_custom(|times| {
                let sample = Sample::of(times, work);
                samples.push(sample);
                Duration::from_secs_f64(sample.seconds)
            });
        });
        group.finish();
        samples.split_off(samples.len().saturating_sub(size))
    }

    /// Says a figure that was measured in one way or another, if its part is wanted: the best of its values.
    pub fn tell(&mut self, figure: Figure, values: &[f64]) {
        if !self.wanted(&figure.part) || values.is_empty() {
            return;
        }
        if self.once {
            self.told.push(format!("{}: done once, not measured", figure.name));
            return;
        }
        self.told.push(figure.line(values));
        if let Some(path) = &self.file
            && let Err(error) = append(path, &figure.row(self.package, values))
        {
            eprintln!("{}: {error}", path.display());
        }
    }
}

impl Drop for Figures {
    fn drop(&mut self) {
        println!();
        self.told.iter().for_each(|line| println!("{line}"));
    }
}

fn append(path: &Path, row: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "{row}")
}

#[cfg(test)]
mod tests;
