//! How the costs of a book grow with it.

use crate::{THREADS, cpu_seconds, memory_source, options, random_games};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use tabia_book::Reader;
use tabia_book::import::import;
use tabia_book::stores::open::{open_reader, open_store};
use tabia_core::{SplitMix64, Stop};
use tabia_draughts::Draughts;
use tabia_figures::{Figure, Figures, Unit};

/// Rows (position, move) that a random game of 64 plies adds.
const ROWS_A_GAME: u64 = 46;

/// Look-ups after the book was taken out of all memory, and later.
const COLD: usize = 2_000;
const WARM: usize = 100_000;

/// Keys that are looked up.
const KEYS: usize = 1_000_000;

/// Two quantiles of the times of look-ups, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Times {
    pub(crate) p50: u64,
    pub(crate) p99: u64,
}

struct Size {
    /// Plies per second, on the clock and from CPU time.
    rate: [f64; 2],
    bytes_a_row: f64,
    cold: Times,
    warm: Times,
}

/// What a book costs, and in which words.
type Cost = (&'static str, fn(&Size) -> f64);
const COSTS: [Cost; 6] = [
    ("a ply of the import, from CPU time", |size| 1.0 / size.rate[1]),
    ("bytes of a row", |size| size.bytes_a_row),
    ("look-up of one row, median on the clock", |size| size.warm.p50 as f64),
    ("look-up of one row, 99 of 100", |size| size.warm.p99 as f64),
    ("look-up in a book that was just opened, median", |size| size.cold.p50 as f64),
    ("look-up in a book that was just opened, 99 of 100", |size| size.cold.p99 as f64),
];

/// Fills books of 10^6 rows, 10^7, up to 10^`largest`.
pub(crate) fn run(figures: &mut Figures, largest: u32, folder: &Path, picture: Option<&Path>) {
    println!(
        "| rows | import, plies/s | the same from CPU time | bytes a row | p50 | p99 | p50 cold | p99 cold |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let sizes: Vec<Size> = (6..=largest).map(|n| measure(10u64.pow(n), folder)).collect();
    if let [smallest, .., last] = &sizes[..] {
        for (name, cost) in COSTS {
            let name = format!("10^{largest} rows against 10^6: {name}");
            let figure = Figure::new("growth", name, Unit::TimesTheCost).goal(1.5);
            figures.tell(figure, &[cost(last) / cost(smallest)]);
        }
    }
    if let Some(path) = picture {
        std::fs::write(path, draw(&sizes)).expect("a picture");
    }
}

fn measure(rows: u64, folder: &Path) -> Size {
    let rules = Draughts::default();
    let games = random_games(&rules, rows / ROWS_A_GAME, 64);
    let (path, runs) = (folder.join("growth.redb"), folder.join("growth-runs"));
    let place = path.to_str().expect("a plain name");
    let store = open_store(place).expect("a book");
    let (_empty, source) = memory_source();
    let (started, cpu) = (Instant::now(), cpu_seconds());
    let read = crate::reader_of(&games);
    let report = import(&rules, &*store, &[source], &read, &options(Some(runs)), &|_| {}, &Stop::new());
    let counted = report.expect("an import").plies as f64;
    let rate = [counted / started.elapsed().as_secs_f64(), counted / (cpu_seconds() - cpu) * THREADS as f64];
    drop(read);
    drop(games);
    drop(store);
    let reader = open_reader(place).expect("a book");
    let (bytes, rows) = (reader.info().expect("info").bytes, crate::pairs(&*reader));
    let keys = some_keys(&*reader, reader.variants().expect("variants")[0].number, KEYS);
    drop(reader);
    forget(&path);
    let reader = open_reader(place).expect("a book");
    let cold = look_up(&*reader, &keys, COLD);
    // Every block once, or nearly.
    look_up(&*reader, &keys, 2 * KEYS.min(keys.len()));
    let warm = (0..3).map(|_| look_up(&*reader, &keys, WARM)).min().expect("rounds");
    drop(reader);
    std::fs::remove_file(&path).expect("removed");
    let bytes_a_row = bytes as f64 / rows as f64;
    println!(
        "| {rows} | {:.2} M | {:.2} M | {bytes_a_row:.1} | {} ns | {} ns | {} us | {} us |",
        rate[0] / 1e6,
        rate[1] / 1e6,
        warm.p50,
        warm.p99,
        cold.p50 / 1000,
        cold.p99 / 1000
    );
    Size { rate, bytes_a_row, cold, warm }
}

/// Takes a file out of the system's memory, where there is a program that can.
fn forget(path: &Path) {
    let input = format!("if={}", path.display());
    let done = std::process::Command::new("dd").args([&input, "iflag=nocache", "count=0"]).output();
    if !done.is_ok_and(|done| done.status.success()) {
        println!("the file may be in the system's memory: no program dd that takes it out");
    }
}

/// Keys of rows that are there, spread over the book.
pub(crate) fn some_keys(store: &dyn Reader, variant: u8, most: usize) -> Vec<Vec<u8>> {
    let step = (store.info().expect("info").rows as usize / most).max(1);
    let (mut keys, mut n) = (Vec::new(), 0);
    let mut visit = |key: &[u8], _: &tabia_book::Row| {
        if n % step == 0 {
            keys.push(key.to_vec());
        }
        n += 1;
        ControlFlow::Continue(())
    };
    store.scan(variant, &mut visit).expect("a scan");
    keys
}

/// Looks up rows, one at a time and in no order.
pub(crate) fn look_up(store: &dyn Reader, keys: &[Vec<u8>], times: usize) -> Times {
    let mut rng = SplitMix64::new(7);
    // Who asks has just made the key: fetching it from all over the memory is no part of the look-up.
    let mut asked = [Vec::new()];
    let mut taken: Vec<u64> = (0..times)
        .map(|_| {
            keys[rng.below(keys.len() as u64) as usize].clone_into(&mut asked[0]);
            let start = Instant::now();
            std::hint::black_box(store.rows(&asked).expect("a row"));
            start.elapsed().as_nanos() as u64
        })
        .collect();
    taken.sort_unstable();
    Times { p50: taken[times / 2], p99: taken[times * 99 / 100] }
}

/// A picture: every cost as a line over the number of rows, each as a multiple of what it is at the smallest book.
fn draw(sizes: &[Size]) -> String {
    type Line = (&'static str, &'static str, fn(&Size) -> f64);
    const LINES: [Line; 5] = [
        ("time a ply of the import", "#1f77b4", |size| 1.0 / size.rate[0]),
        ("bytes a row", "#2ca02c", |size| size.bytes_a_row),
        ("look-up p50", "#d62728", |size| size.warm.p50 as f64),
        ("look-up p99", "#ff7f0e", |size| size.warm.p99 as f64),
        ("look-up p50, cold", "#9467bd", |size| size.cold.p50 as f64),
    ];
    let (left, right, bottom, height) = (50.0, 420.0, 300.0, 260.0);
    let x = |n: usize| left + (right - left) * n as f64 / (sizes.len() - 1).max(1) as f64;
    let y = |cost: f64| bottom - height * cost / 3.0;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 340\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"640\" height=\"340\" fill=\"#fff\"/>\n",
    );
    let mut line = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    for cost in [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0] {
        let at = y(cost);
        line(format!("<line x1=\"{left}\" y1=\"{at}\" x2=\"{right}\" y2=\"{at}\" stroke=\"#ddd\"/>"));
        line(format!("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{cost}</text>", left - 6.0, at + 4.0));
    }
    for n in 0..sizes.len() {
        line(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">10^{} rows</text>",
            x(n),
            bottom + 20.0,
            n + 6
        ));
    }
    for (number, (name, colour, cost)) in LINES.iter().enumerate() {
        let points = sizes.iter().enumerate().fold(String::new(), |mut points, (n, size)| {
            let _ = write!(points, "{:.1},{:.1} ", x(n), y(cost(size) / cost(&sizes[0])).max(10.0));
            points
        });
        line(format!("<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"));
        let at = 40.0 + 20.0 * number as f64;
        line(format!("<text x=\"{}\" y=\"{at}\" fill=\"{colour}\">{name}</text>", right + 20.0));
    }
    line("</svg>".to_owned());
    svg
}
