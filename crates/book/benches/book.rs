//! How fast games go into a book, and how large it is: `cargo bench -p tabia-book`.
//!
//! Random draughts games of 64 plies, and the games of `ACF.txt` where the data are. Rates are plies
//! per second of wall-clock time with two threads, and of CPU time of this process (with the server, for
//! PostgreSQL). Parts can be named:
//! `cargo bench -p tabia-book -- runs redb acf postgres`.
//!
//! `cargo bench -p tabia-book -- growth` fills books of 10^6, 10^7 and 10^8 rows and prints what they cost; it is left
//! out unless it is named. It takes some minutes and 4 GB of disk; `growth=7` ends with 10^7 rows, `growth=9`, which takes
//! ten minutes and wants 40 GB free, with 10^9. With `svg=FILE` a picture is drawn, too; with `books=FOLDER` the books stay
//! there, and are not filled the next time.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tabia_book::import::{ImportOptions, import};
use tabia_book::input::Source;
use tabia_book::stores::open::open_store;
use tabia_book::{Book, QueryOptions, Reader, Store};
use tabia_core::files::GameSink;
use tabia_core::{Game, Outcome, Position, ReadGames, RecordedGame, Side, SplitMix64, Stop};
use tabia_draughts::Draughts;
use tabia_figures::{Figure, Figures, Unit};

#[path = "parts/growth.rs"]
mod growth;

#[allow(dead_code)]
#[path = "../tests/suite/server.rs"]
mod server;

const THREADS: usize = 2;

fn main() {
    let mut figures = Figures::new("tabia-book");
    let asked = figures.words().to_vec();
    let wanted = |part: &str| asked.is_empty() || asked.iter().any(|a| a == part);
    let folder = tempfile::tempdir().expect("a temporary folder");
    if let Some(growth) = asked.iter().find(|part| part.starts_with("growth")) {
        let largest = growth.strip_prefix("growth=").map_or(8, |n| n.parse().expect("a number"));
        let path = |name| asked.iter().find_map(|part| part.strip_prefix(name)).map(Path::new);
        return growth::run(&mut figures, largest, folder.path(), path("books="), path("svg="));
    }
    let rules = Draughts::default();
    let games: Vec<_> = random_games(rules, 60_000, 64).collect();
    println!("{} random games of draughts, {} plies, in memory", games.len(), plies(&games));
    let file = |name: &str| folder.path().join(name);
    let fresh = |name: &str| open_store(file(name).to_str().expect("a plain name")).expect("a book");
    if wanted("runs") {
        runs(&rules, &games, &folder.path().join("runs"), &*fresh("runs.redb"));
        sizes(fresh("runs.redb").as_reader());
    }
    if wanted("redb") {
        let name = |round| format!("random{round}.redb");
        let import =
            |round| memory("redb", &rules, &games, &*fresh(&name(round)), &options(None), &cpu_seconds);
        let rates: Vec<f64> = (0..figures.rounds(3)).map(import).collect();
        let figure = Figure::new(
            "redb",
            "3.2 M plies of ready games imported, two threads on the clock",
            Unit::Millions("plies"),
        );
        figures.tell(figure.goal(3.0), &rates);
        let store = fresh(&name(0));
        let bytes = sizes(store.as_reader());
        figures.tell(Figure::new("redb", "a row (position, move)", Unit::Bytes).goal(14.0), &[bytes]);
        let (row, query) = look_up("redb", &rules, &games, store.as_reader());
        let nanoseconds = |name: &str| Figure::new("redb", name, Unit::Nanoseconds);
        figures.tell(nanoseconds("look-up of one row, median on the clock").goal(700.0), &row);
        let name = "query of a position with all its moves, on the clock";
        figures.tell(nanoseconds(name).goal(2000.0), &query);
    }
    if wanted("acf") && acf(&rules, "redb", &*fresh("acf.redb"), &cpu_seconds) {
        let store = fresh("acf.redb");
        sizes(store.as_reader());
        look_up("redb", &rules, &games, store.as_reader());
    }
    if wanted("postgres")
        && let Some(server) = server::Server::start("the PostgreSQL rates")
    {
        let cpu = || cpu_seconds() + server.cpu_seconds();
        let store = open_store(&server.database("random")).expect("a book");
        memory("postgres", &rules, &games[..20_000], &*store, &options(None), &cpu);
        sizes(store.as_reader());
        let store = open_store(&server.database("acf")).expect("a book");
        if acf(&rules, "postgres", &*store, &cpu) {
            sizes(store.as_reader());
        }
    }
}

fn options(runs: Option<PathBuf>) -> ImportOptions {
    ImportOptions { threads: THREADS, runs, ..ImportOptions::default() }
}

fn plies(games: &[RecordedGame<Draughts>]) -> u64 {
    games.iter().map(|game| game.moves.len() as u64).sum()
}

fn random_games(rules: Draughts, n: u64, longest: usize) -> impl Iterator<Item = RecordedGame<Draughts>> {
    let mut rng = SplitMix64::new(1);
    let mut buffer = Vec::new();
    let game = move |number: u64| {
        let start = Position { rules, state: rules.start() };
        let (mut state, mut moves) = (rules.start(), Vec::new());
        while moves.len() < longest {
            let Some(mv) = rules.random_move(&state, &mut rng, &mut buffer) else { break };
            rules.play(&mut state, mv);
            moves.push(mv);
        }
        let outcome =
            [Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)][number as usize % 3];
        let tags = vec![("GameId".to_owned(), number.to_string())];
        RecordedGame { number, line: number, tags, ..RecordedGame::new(start, moves, Some(outcome)) }
    };
    (0..n).map(game)
}

/// Frames, sorts and writes runs of games in memory, without loading them.
fn runs(rules: &Draughts, games: &[RecordedGame<Draughts>], folder: &Path, store: &dyn Store) {
    use tabia_book::runs::write_run;
    std::fs::create_dir_all(folder).expect("a folder");
    let print = &tabia_book::Fingerprint::of(rules);
    let clock = Clock::start(&cpu_seconds);
    std::thread::scope(|scope| {
        for (n, part) in games.chunks(games.len().div_ceil(THREADS)).enumerate() {
            scope.spawn(move || {
                let mut batch = tabia_book::Batch::new();
                for game in part {
                    let id = game.tags.first().map(|tag| tag.1.as_str());
                    let outcome = game.outcome.unwrap_or(Outcome::Draw);
                    let played =
                        tabia_book::Played { id, tags: &[], start: &game.start, moves: &game.moves, outcome };
                    batch.add(&played).expect("a game");
                }
                let (ids, ledger) = (batch.ids(), batch.ledger());
                let path = folder.join(format!("{n}.run"));
                write_run(&path, ("draughts", print), &mut batch.increments(&[]), ids, ledger)
                    .expect("a run");
            });
        }
    });
    clock.stop("runs, in memory to disk", plies(games));
    let bytes: u64 = std::fs::read_dir(folder)
        .expect("the folder")
        .flatten()
        .map(|e| e.metadata().expect("a file").len())
        .sum();
    println!("    {:.1} bytes per ply in runs", bytes as f64 / plies(games) as f64);
    let reader =
        tabia_book::stores::open::open_reader(folder.to_str().expect("a plain name")).expect("a book");
    sizes(&*reader);
    look_up("runs", rules, games, &*reader);
    let options = options(Some(folder.join("import")));
    memory("runs, then merged into redb", rules, games, store, &options, &cpu_seconds);
}

fn memory(
    name: &str,
    rules: &Draughts,
    games: &[RecordedGame<Draughts>],
    store: &dyn Store,
    options: &ImportOptions,
    cpu: &dyn Fn() -> f64,
) -> f64 {
    let (_empty, source) = memory_source();
    let read = reader_of(games);
    let clock = Clock::start(cpu);
    let report = import(rules, store, &[source], &read, options, &|_| {}, &Stop::new()).expect("an import");
    clock.stop(name, report.plies)
}

/// An empty file as a source of games that are in memory.
fn memory_source() -> (tempfile::NamedTempFile, Source) {
    let empty = tempfile::NamedTempFile::new().expect("a file");
    let source = Source { path: empty.path().to_owned(), kind: "memory".to_owned() };
    (empty, source)
}

/// Reads games that are in memory.
fn reader_of(
    games: &[RecordedGame<Draughts>],
) -> impl Fn(&str, &mut dyn BufRead, &mut GameSink<'_, Draughts>) -> std::io::Result<()> + Sync {
    move |_, _, sink| {
        for game in games {
            let _ = sink(Ok(game.clone()));
        }
        Ok(())
    }
}

/// The number of (position, move) pairs.
fn pairs(store: &dyn Reader) -> u64 {
    let variant = store.variants().expect("variants")[0].number;
    let mut pairs = 0;
    let mut count = |_: &[u8], row: &tabia_book::Row| {
        pairs += row.moves.len() as u64;
        std::ops::ControlFlow::Continue(())
    };
    store.scan(variant, &mut count).expect("a scan");
    pairs
}

/// Says the bytes per position, and gives those per (position, move) pair.
fn sizes(store: &dyn Reader) -> f64 {
    let info = store.info().expect("info");
    let pairs = pairs(store);
    println!(
        "    {} games, {} positions, {pairs} rows (position, move), {} bytes: {:.1} per position, {:.1} per row",
        info.games,
        info.rows,
        info.bytes,
        info.bytes as f64 / info.rows as f64,
        info.bytes as f64 / pairs as f64
    );
    info.bytes as f64 / pairs as f64
}

/// Rounds of which the best is told.
const ROUNDS: usize = 5;

/// Nanoseconds of the median look-up of a row and of a query, in each round.
fn look_up(
    name: &str,
    rules: &Draughts,
    games: &[RecordedGame<Draughts>],
    store: &dyn Reader,
) -> (Vec<f64>, Vec<f64>) {
    let variant = store.variants().expect("variants")[0].number;
    let keys = growth::some_keys(store, variant, usize::MAX);
    let rows: Vec<_> = (0..ROUNDS).map(|_| growth::look_up(store, &keys, 50_000)).collect();
    let best = rows.iter().min().expect("rounds");
    println!("{name} look-up of one row: p50 {} ns, p99 {} ns", best.p50, best.p99);
    let book = Book::new(rules, store).expect("a book");
    let round = || {
        let start = Instant::now();
        let (mut state, mut asked) = (rules.start(), 0);
        for &mv in games.iter().take(100).flat_map(|g| &g.moves) {
            if rules.check_move(&state, mv).is_err() {
                state = rules.start();
                continue;
            }
            std::hint::black_box(book.query(&state, QueryOptions::default()).expect("an answer"));
            rules.play(&mut state, mv);
            asked += 1;
        }
        start.elapsed().as_secs_f64() * 1e6 / f64::from(asked)
    };
    let queries: Vec<f64> = (0..ROUNDS).map(|_| round()).collect();
    let best = queries.iter().copied().fold(f64::MAX, f64::min);
    println!("{name} query of a position with all its moves: {best:.1} us");
    (rows.iter().map(|row| row.p50 as f64).collect(), queries.iter().map(|query| query * 1e3).collect())
}

/// Imports the collection; `false` where it is not there.
fn acf(rules: &Draughts, name: &str, store: &dyn Store, cpu: &dyn Fn() -> f64) -> bool {
    let data =
        std::env::var_os("TABIA_DATA").map_or_else(|| PathBuf::from("../../../shared/data"), PathBuf::from);
    let path = data.join("draughts/ACF.txt");
    if !path.exists() {
        println!("skipped: ACF into {name}: no {}", path.display());
        return false;
    }
    let source = Source { path, kind: "acf".to_owned() };
    let read = |kind: &str, input: &mut dyn BufRead, sink: &mut GameSink<'_, Draughts>| {
        rules.read_games(kind, input, sink)
    };
    let clock = Clock::start(cpu);
    let report =
        import(rules, store, &[source], &read, &options(None), &|_| {}, &Stop::new()).expect("an import");
    clock.stop(&format!("ACF, from text into {name}"), report.plies);
    println!("    {report:?}");
    true
}

/// Wall-clock and CPU time together.
struct Clock<'a> {
    started: Instant,
    /// Seconds of CPU time of all processes that take part.
    cpu: &'a dyn Fn() -> f64,
    before: f64,
}

impl<'a> Clock<'a> {
    fn start(cpu: &'a dyn Fn() -> f64) -> Self {
        Clock { started: Instant::now(), cpu, before: cpu() }
    }

    /// Says the rates, and gives the one on the clock.
    fn stop(self, what: &str, plies: u64) -> f64 {
        let (wall, cpu) = (self.started.elapsed().as_secs_f64(), (self.cpu)() - self.before);
        let rate = |seconds: f64| plies as f64 / seconds / 1e6;
        println!(
            "{what}: {plies} plies in {wall:.2} s, {:.2} M plies/s; CPU {cpu:.2} s, {:.2} M plies/s on {THREADS} free cores",
            rate(wall),
            rate(cpu) * THREADS as f64
        );
        rate(wall)
    }
}

/// CPU time of this process, from the system's own account.
fn cpu_seconds() -> f64 {
    server::cpu_seconds("self", false)
}
