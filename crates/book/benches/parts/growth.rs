//! How the costs of a book grow with it.

use crate::{THREADS, cpu_seconds, memory_source, options, random_games};
use std::fmt::Write as _;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use tabia_book::import::import;
use tabia_book::stores::open::{open_reader, open_store};
use tabia_book::{Book, QueryOptions, Reader};
use tabia_core::files::GameSink;
use tabia_core::{Game, Key, SplitMix64, Stop, rng::mix};
use tabia_draughts::Draughts;
use tabia_figures::{Figure, Figures, Unit};
use tabia_table::Table;

/// Rows (position, move) that a random game of 64 plies adds.
const ROWS_A_GAME: u64 = 46;

/// Look-ups in a book that is out of all memory, and later.
const COLD: usize = 300;
const WARM: usize = 100_000;

/// Keys that are looked up.
const KEYS: usize = 1_000_000;

/// Rows that are asked for together, and rounds of asking of which the best is told.
const TOGETHER: usize = 16;
const ROUNDS: usize = 5;

/// Places of memory that are read one after another.
const PLACES: u32 = 1_000_000;

/// Games, which all the books have, whose positions are asked about, and how often one is.
const GAMES: u64 = 2_000;
const QUERIES: usize = 40_000;

/// Two quantiles of the times of look-ups, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Times {
    pub(crate) p50: u64,
    pub(crate) p99: u64,
}

struct Size {
    /// Plies per second, on the clock and from CPU time; nothing where the book was there already.
    rate: Option<[f64; 2]>,
    bytes_a_row: f64,
    cold: Times,
    warm: Times,
    /// A row, of several that are asked for together.
    together: Times,
    /// A position with all its moves.
    query: Times,
}

/// What a book costs, and in which words.
type Cost = (&'static str, fn(&Size) -> f64);
const COSTS: [Cost; 8] = [
    ("a ply of the import, from CPU time", |size| size.rate.map_or(f64::NAN, |rate| 1.0 / rate[1])),
    ("bytes of a row", |size| size.bytes_a_row),
    ("look-up of one row, median on the clock", |size| size.warm.p50 as f64),
    ("look-up of one row, 99 of 100", |size| size.warm.p99 as f64),
    ("look-up of a row of 16, median", |size| size.together.p50 as f64),
    ("query of a position with all its moves, median", |size| size.query.p50 as f64),
    ("first look-up in a book that no memory has, median", |size| size.cold.p50 as f64),
    ("first look-up in a book that no memory has, 99 of 100", |size| size.cold.p99 as f64),
];

/// Fills books of 10^6 rows, 10^7, up to 10^`largest`; those that are kept in a folder are filled once.
pub(crate) fn run(
    figures: &mut Figures,
    largest: u32,
    folder: &Path,
    kept: Option<&Path>,
    picture: Option<&Path>,
) {
    println!(
        "| rows | import, plies/s | the same from CPU time | bytes a row | p50 | p99 | p50 of 16 | query p50 | p50 cold | p99 cold | one place of memory |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let sizes: Vec<Size> = (6..=largest).map(|n| measure(n, folder, kept)).collect();
    if let [smallest, .., last] = &sizes[..] {
        for (name, cost) in COSTS {
            let name = format!("10^{largest} rows against 10^6: {name}");
            let figure = Figure::new("growth", name, Unit::TimesTheCost).goal(1.5);
            let ratio = cost(last) / cost(smallest);
            if ratio.is_finite() {
                figures.tell(figure, &[ratio]);
            }
        }
    }
    if let Some(path) = picture {
        std::fs::write(path, draw(&sizes)).expect("a picture");
    }
}

fn measure(exponent: u32, folder: &Path, kept: Option<&Path>) -> Size {
    let path = kept.unwrap_or(folder).join(format!("growth-{exponent}.redb"));
    let place = path.to_str().expect("a plain name");
    let rate = (!path.exists()).then(|| fill(exponent, place, folder));
    let reader = open_reader(place).expect("a book");
    let (bytes, rows) = (reader.info().expect("info").bytes, crate::pairs(&*reader));
    let keys = some_keys(&*reader, reader.variants().expect("variants")[0].number, KEYS);
    drop(reader);
    let cold = look_up_cold(&path, place, &keys);
    let reader = open_reader(place).expect("a book");
    // Every block once, or nearly.
    look_up(&*reader, &keys, 2 * KEYS.min(keys.len()));
    let best = |round: &dyn Fn() -> Times| (0..ROUNDS).map(|_| round()).min().expect("rounds");
    let warm = best(&|| look_up(&*reader, &keys, WARM));
    let together = best(&|| look_up_together(&*reader, &keys, WARM / TOGETHER));
    let query = queries(&*reader);
    drop(reader);
    if kept.is_none() {
        std::fs::remove_file(&path).expect("removed");
    }
    let bytes_a_row = bytes as f64 / rows as f64;
    let [clock, cpu] =
        rate.map_or([const { String::new() }; 2], |rate| rate.map(|rate| format!("{:.2} M", rate / 1e6)));
    println!(
        "| {rows} | {clock} | {cpu} | {bytes_a_row:.1} | {} ns | {} ns | {} ns | {} ns | {} us | {} us | {:.0} ns |",
        warm.p50,
        warm.p99,
        together.p50,
        query.p50,
        cold.p50 / 1000,
        cold.p99 / 1000,
        one_place(bytes as usize)
    );
    Size { rate, bytes_a_row, cold, warm, together, query }
}

/// Fills a book; plies per second, on the clock and from CPU time.
fn fill(exponent: u32, place: &str, folder: &Path) -> [f64; 2] {
    let rules = Draughts::default();
    let store = open_store(place).expect("a book");
    let (_empty, source) = memory_source();
    let (started, cpu) = (Instant::now(), cpu_seconds());
    // Made when they are asked for: all of a large book would need more memory than there is.
    let read = |_: &str, _: &mut dyn BufRead, sink: &mut GameSink<'_, Draughts>| {
        random_games(rules, 10u64.pow(exponent) / ROWS_A_GAME, 64).for_each(|game| {
            let _ = sink(Ok(game));
        });
        Ok(())
    };
    let options = options(Some(folder.join("growth-runs")));
    let report = import(&rules, &*store, &[source], &read, &options, &|_| {}, &Stop::new());
    let counted = report.expect("an import").plies as f64;
    [counted / started.elapsed().as_secs_f64(), counted / (cpu_seconds() - cpu) * THREADS as f64]
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

/// Looks up a row in a book that was just opened and of which the system has nothing in memory; again and again.
fn look_up_cold(path: &Path, place: &str, keys: &[Vec<u8>]) -> Times {
    let mut rng = SplitMix64::new(6);
    let round = || {
        let reader = open_reader(place).expect("a book");
        let asked = [keys[rng.below(keys.len() as u64) as usize].clone()];
        forget(path);
        let start = Instant::now();
        std::hint::black_box(reader.rows(&asked).expect("a row"));
        start.elapsed().as_nanos() as u64
    };
    quantiles(std::iter::repeat_with(round).take(COLD).collect())
}

/// Looks up rows, one at a time and in no order.
pub(crate) fn look_up(store: &dyn Reader, keys: &[Vec<u8>], times: usize) -> Times {
    let mut rng = SplitMix64::new(7);
    // Who asks has just made the key: fetching it from all over the memory is no part of the look-up.
    let mut asked = [Vec::new()];
    let round = || {
        keys[rng.below(keys.len() as u64) as usize].clone_into(&mut asked[0]);
        let start = Instant::now();
        std::hint::black_box(store.rows(&asked).expect("a row"));
        start.elapsed().as_nanos() as u64
    };
    quantiles(std::iter::repeat_with(round).take(times).collect())
}

/// Looks rows up several at a time; the times of one row.
fn look_up_together(store: &dyn Reader, keys: &[Vec<u8>], times: usize) -> Times {
    let mut rng = SplitMix64::new(8);
    let mut asked = [const { Vec::new() }; TOGETHER];
    let round = || {
        for key in &mut asked {
            keys[rng.below(keys.len() as u64) as usize].clone_into(key);
        }
        let start = Instant::now();
        std::hint::black_box(store.rows(&asked).expect("rows"));
        start.elapsed().as_nanos() as u64 / TOGETHER as u64
    };
    quantiles(std::iter::repeat_with(round).take(times).collect())
}

/// Asks about positions of games that the book has, in no order.
fn queries(store: &dyn Reader) -> Times {
    let rules = Draughts::default();
    let mut states = Vec::new();
    for game in random_games(rules, GAMES, 64) {
        let mut state = rules.start();
        for mv in game.moves {
            states.push(state);
            rules.play(&mut state, mv);
        }
    }
    let book = Book::new(&rules, store).expect("a book");
    let mut rng = SplitMix64::new(9);
    let mut query = || {
        let state = &states[rng.below(states.len() as u64) as usize];
        let start = Instant::now();
        std::hint::black_box(book.query(state, QueryOptions::default()).expect("an answer"));
        start.elapsed().as_nanos() as u64
    };
    let mut round = || quantiles((0..QUERIES).map(|_| query()).collect());
    (0..ROUNDS).map(|_| round()).min().expect("rounds")
}

/// What it takes to read one place among so many bytes, where each says which is next, on huge pages where there are any: less than
/// that no look-up can take that has to read something which no cache has. In nanoseconds.
fn one_place(bytes: usize) -> f64 {
    let table = Table::new(bytes).expect("memory");
    // Numbers that go round in no order, each kept with the next: no more than half of the table, so that few push out others.
    let all = 1 << (table.capacity() / 2).ilog2();
    let next = |number: u64| (number.wrapping_mul(0x5851_F42D_4C95_7F2D) + 1) % all;
    (0..all).for_each(|number| table.store(Key(mix(number)), 1, next(number)));
    let mut number = 0;
    let mut round = || {
        let start = Instant::now();
        for _ in 0..PLACES {
            number = table.probe(Key(mix(number))).map_or_else(|| next(number), |entry| entry.payload);
        }
        start.elapsed().as_nanos() as f64 / f64::from(PLACES)
    };
    let best = (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min);
    std::hint::black_box(number);
    best
}

fn quantiles(mut taken: Vec<u64>) -> Times {
    taken.sort_unstable();
    Times { p50: taken[taken.len() / 2], p99: taken[taken.len() * 99 / 100] }
}

/// A picture: every cost as a line over the number of rows, each as a multiple of what it is at the smallest book.
fn draw(sizes: &[Size]) -> String {
    type Line = (&'static str, &'static str, fn(&Size) -> f64);
    const LINES: [Line; 8] = [
        ("a ply of the import", "#1f77b4", |size| size.rate.map_or(f64::NAN, |rate| 1.0 / rate[1])),
        ("bytes of a row", "#2ca02c", |size| size.bytes_a_row),
        ("query, p50", "#8c564b", |size| size.query.p50 as f64),
        ("a row of 16, p50", "#17becf", |size| size.together.p50 as f64),
        ("one row, p50", "#d62728", |size| size.warm.p50 as f64),
        ("one row, p99", "#ff7f0e", |size| size.warm.p99 as f64),
        ("cold, p99", "#7f7f7f", |size| size.cold.p99 as f64),
        ("cold, p50", "#9467bd", |size| size.cold.p50 as f64),
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
        let ratios: Vec<f64> = sizes.iter().map(|size| cost(size) / cost(&sizes[0])).collect();
        let points = ratios.iter().enumerate().fold(String::new(), |mut points, (n, ratio)| {
            if !ratio.is_nan() {
                let _ = write!(points, "{:.1},{:.1} ", x(n), y(*ratio).max(10.0));
            }
            points
        });
        line(format!("<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"));
        let at = 40.0 + 20.0 * number as f64;
        let end = ratios.last().copied().unwrap_or(f64::NAN);
        line(format!("<text x=\"{}\" y=\"{at}\" fill=\"{colour}\">{name}: {end:.2}</text>", right + 20.0));
    }
    line("</svg>".to_owned());
    svg
}
