//! How fast games go into a book, and how large it is: `cargo bench -p tabia-book`.
//!
//! Random draughts games of 64 plies, and the games of `ACF.txt` where the data are. Rates are plies
//! per second of wall-clock time with two threads, and of CPU time of this process (with the server, for
//! PostgreSQL). Parts can be named:
//! `cargo bench -p tabia-book -- runs redb acf postgres`.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tabia_book::import::{ImportOptions, import};
use tabia_book::input::Source;
use tabia_book::stores::open::open_store;
use tabia_book::{Book, QueryOptions, Store};
use tabia_core::files::GameSink;
use tabia_core::{Game, Outcome, Position, ReadGames, RecordedGame, Side, SplitMix64, Stop};
use tabia_draughts::Draughts;

#[allow(dead_code)]
#[path = "../tests/suite/server.rs"]
mod server;

const THREADS: usize = 2;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |part: &str| asked.is_empty() || asked.iter().any(|a| a == part);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rules = Draughts::default();
    let games = random_games(&rules, 60_000, 64);
    println!("{} random games of draughts, {} plies, in memory", games.len(), plies(&games));
    let file = |name: &str| folder.path().join(name);
    let fresh = |name: &str| open_store(file(name).to_str().expect("a plain name")).expect("a book");
    if wanted("runs") {
        runs(&rules, &games, &folder.path().join("runs"), &*fresh("runs.redb"));
    }
    if wanted("redb") {
        let store = fresh("random.redb");
        memory("redb", &rules, &games, &*store, &options(None), &cpu_seconds);
        look_up(&rules, &games, &*store);
    }
    if wanted("acf") {
        let store = fresh("acf.redb");
        acf(&rules, "redb", &*store, &cpu_seconds);
        look_up(&rules, &games, &*store);
    }
    if wanted("postgres")
        && let Some(server) = server::Server::start("the PostgreSQL rates")
    {
        let cpu = || cpu_seconds() + server.cpu_seconds();
        let store = open_store(&server.database("random")).expect("a book");
        memory("postgres", &rules, &games[..20_000], &*store, &options(None), &cpu);
        acf(&rules, "postgres", &*open_store(&server.database("acf")).expect("a book"), &cpu);
    }
}

fn options(runs: Option<PathBuf>) -> ImportOptions {
    ImportOptions { threads: THREADS, runs, ..ImportOptions::default() }
}

fn plies(games: &[RecordedGame<Draughts>]) -> u64 {
    games.iter().map(|game| game.moves.len() as u64).sum()
}

fn random_games(rules: &Draughts, n: u64, longest: usize) -> Vec<RecordedGame<Draughts>> {
    let mut rng = SplitMix64::new(1);
    let mut buffer = Vec::new();
    let game = |number: u64| {
        let start = Position { rules: *rules, state: rules.start() };
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
    (0..n).map(game).collect()
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
) {
    let empty = tempfile::NamedTempFile::new().expect("a file");
    let source = Source { path: empty.path().to_owned(), kind: "memory".to_owned() };
    let read = |_: &str, _: &mut dyn BufRead, sink: &mut GameSink<'_, Draughts>| {
        for game in games {
            let _ = sink(Ok(game.clone()));
        }
        Ok(())
    };
    let clock = Clock::start(cpu);
    let report = import(rules, store, &[source], &read, options, &|_| {}, &Stop::new()).expect("an import");
    clock.stop(name, report.plies);
    sizes(store);
}

/// Bytes per position, and per (position, move) pair.
fn sizes(store: &dyn Store) {
    let info = store.info().expect("info");
    let variant = store.variants().expect("variants")[0].number;
    let mut pairs = 0;
    let mut count = |_: &[u8], row: &tabia_book::Row| {
        pairs += row.moves.len();
        std::ops::ControlFlow::Continue(())
    };
    store.scan(variant, &mut count).expect("a scan");
    println!(
        "    {} games, {} positions, {pairs} rows (position, move), {} bytes: {:.1} per position, {:.1} per row",
        info.games,
        info.rows,
        info.bytes,
        info.bytes as f64 / info.rows as f64,
        info.bytes as f64 / pairs as f64
    );
}

fn look_up(rules: &Draughts, games: &[RecordedGame<Draughts>], store: &dyn Store) {
    // Without games (their file is not there) there is nothing to look up.
    let Some(variant) = store.variants().expect("variants").first().map(|variant| variant.number) else {
        return;
    };
    let mut keys = Vec::new();
    store
        .scan(variant, &mut |key, _| {
            keys.push(key.to_vec());
            std::ops::ControlFlow::Continue(())
        })
        .expect("a scan");
    let mut rng = SplitMix64::new(7);
    let mut times: Vec<u128> = (0..50_000)
        .map(|_| {
            let key = &keys[rng.below(keys.len() as u64) as usize];
            let start = Instant::now();
            std::hint::black_box(store.rows(std::slice::from_ref(key)).expect("a row"));
            start.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    println!("redb look-up of one row: p50 {} ns, p99 {} ns", times[25_000], times[49_500]);
    let book = Book::new(rules, store.as_reader()).expect("a book");
    let start = Instant::now();
    let mut state = rules.start();
    let mut asked = 0;
    for &mv in games.iter().take(100).flat_map(|g| &g.moves) {
        if rules.check_move(&state, mv).is_err() {
            state = rules.start();
            continue;
        }
        book.query(&state, QueryOptions::default()).expect("an answer");
        rules.play(&mut state, mv);
        asked += 1;
    }
    println!(
        "redb query of a position with all its moves: {:.1} us",
        start.elapsed().as_secs_f64() * 1e6 / f64::from(asked)
    );
}

fn acf(rules: &Draughts, name: &str, store: &dyn Store, cpu: &dyn Fn() -> f64) {
    let data =
        std::env::var_os("TABIA_DATA").map_or_else(|| PathBuf::from("../../../shared/data"), PathBuf::from);
    let path = data.join("draughts/ACF.txt");
    if !path.exists() {
        println!("skipped: ACF into {name}: no {}", path.display());
        return;
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
    sizes(store);
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

    fn stop(self, what: &str, plies: u64) {
        let (wall, cpu) = (self.started.elapsed().as_secs_f64(), (self.cpu)() - self.before);
        let rate = |seconds: f64| plies as f64 / seconds / 1e6;
        println!(
            "{what}: {plies} plies in {wall:.2} s, {:.2} M plies/s; CPU {cpu:.2} s, {:.2} M plies/s on {THREADS} free cores",
            rate(wall),
            rate(cpu) * THREADS as f64
        );
    }
}

/// CPU time of this process, from the system's own account.
fn cpu_seconds() -> f64 {
    server::cpu_seconds("self", false)
}
