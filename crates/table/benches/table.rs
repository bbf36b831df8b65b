//! The table against the machine's own limit and against general hash maps, all in one run:
//! `cargo bench -p tabia-table`. Arguments: megabytes (512), millions of operations (16).
//!
//! *Limit*: random reads of one cache line over memory of the same size and kind, prefetched the
//! same number of operations ahead. All rates are by CPU time of the thread, the best of several rounds that
//! take turns, so that a busy machine disturbs all alike. Words choose parts: `-- one`, `-- two`.

use cpu_time::ThreadTime;
use dashmap::DashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::hint::black_box;
use tabia_core::{Key, rng::mix};
use tabia_figures::{Figure, Figures, Unit};
use tabia_table::Table;

/// Operations between a prefetch and its use.
const AHEAD: u64 = 16;
const ROUNDS: usize = 5;

/// Keys are random already.
#[derive(Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, x: u64) {
        self.0 = x;
    }
}

type Build = BuildHasherDefault<Identity>;

fn key(i: u64) -> Key {
    Key(mix(i))
}

/// Millions of operations per CPU second.
fn rate(operations: u64, work: impl FnOnce() -> u64) -> f64 {
    let clock = ThreadTime::now();
    black_box(work());
    operations as f64 / clock.elapsed().as_secs_f64() / 1e6
}

fn best(rounds: &[f64]) -> f64 {
    rounds.iter().copied().fold(0.0, f64::max)
}

/// Sums random reads with the index computed as a table must: hash, scale, prefetch, read later.
fn raw_reads(memory: &[[u64; 8]], n: u64) -> u64 {
    let index = |i: u64| ((u128::from(mix(i)) * memory.len() as u128) >> 64) as usize;
    let mut sum = 0u64;
    for i in 0..n {
        prefetch(memory, index(i + AHEAD));
        sum = sum.wrapping_add(memory[index(i)][0]);
    }
    sum
}

fn prefetch(memory: &[[u64; 8]], line: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect the program can see and never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(memory.as_ptr().wrapping_add(line).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (memory, line);
}

/// Lines of memory aligned and advised as the table's are.
fn raw_memory(lines: usize) -> &'static [[u64; 8]] {
    let layout = std::alloc::Layout::from_size_align(lines * 64, 2 << 20).expect("layout");
    // SAFETY: the layout is not empty; the memory is advised, then fully written before it is made a
    // slice, and never freed.
    unsafe {
        let start = std::alloc::alloc(layout);
        assert!(!start.is_null(), "no memory");
        #[cfg(target_os = "linux")]
        libc::madvise(start.cast(), lines * 64, libc::MADV_HUGEPAGE);
        start.write_bytes(1, lines * 64);
        std::slice::from_raw_parts(start.cast(), lines)
    }
}

/// Sums what probes find, prefetched as the raw reads are.
fn probes(table: &Table, n: u64) -> u64 {
    let mut sum = 0u64;
    for i in 0..n {
        table.prefetch(key(i + AHEAD));
        sum = sum.wrapping_add(table.probe(key(i)).map_or(0, |entry| entry.payload));
    }
    sum
}

fn single_thread(figures: &mut Figures, table: &Table, entries: u64, n: u64) {
    if !figures.wanted("one") {
        return;
    }
    let memory = raw_memory(table.bytes() / 64);
    let mut map: hashbrown::HashMap<u64, u64, Build> = hashbrown::HashMap::with_hasher(Build::default());
    map.reserve(entries as usize);
    (0..entries).for_each(|i| _ = map.insert(key(i).0, i));
    let mut rates: [Vec<f64>; 5] = Default::default();
    for _ in 0..figures.rounds(ROUNDS) {
        rates[0].push(rate(n, || raw_reads(memory, n)));
        rates[1].push(rate(n, || probes(table, n)));
        rates[2].push(rate(n, || (0..n).map(|i| u64::from(table.probe(key(i)).is_some())).sum()));
        rates[3].push(rate(n, || {
            (0..n).for_each(|i| {
                table.prefetch(key(i + AHEAD));
                table.store(key(i), i as u8, i);
            });
            0
        }));
        rates[4].push(rate(n, || (0..n).filter_map(|i| map.get(&key(i).0)).sum()));
    }
    let [raw, batched, _, _, hashbrown] = rates.each_ref().map(|rates| best(rates));
    let figure = |name: &str, unit| Figure::new("one", name, unit);
    let names = [
        "raw random reads, prefetched",
        "probes, prefetched",
        "probes, one after another",
        "stores, prefetched",
        "hashbrown, get",
    ];
    for (name, rates) in names.into_iter().zip(&rates) {
        figures.tell(figure(name, Unit::Millions("operations")), rates);
    }
    let share = figure("probes against raw reads, prefetched", Unit::Percent).goal(92.0);
    figures.tell(share, &[batched / raw * 100.0]);
    figures.tell(figure("probes against hashbrown", Unit::Times), &[batched / hashbrown]);
}

/// Half stores, half probes: `n` of each part of the keys.
fn half_stores(table: &Table, entries: u64, part: u64, n: u64) {
    for i in (part * n..).take(n as usize) {
        table.prefetch(key((i + AHEAD) % entries));
        if i % 2 == 0 {
            table.store(key(i % entries), 3, i);
        } else {
            black_box(table.probe(key(i % entries)));
        }
    }
}

/// Half stores, half probes on two threads: the operations per CPU second of both together.
fn two_threads(figures: &mut Figures, table: &Table, entries: u64, n: u64) {
    if !figures.wanted("two") {
        return;
    }
    let map: DashMap<u64, u64, Build> = DashMap::with_capacity_and_hasher(entries as usize, Build::default());
    (0..entries).for_each(|i| _ = map.insert(key(i).0, i));
    let on = |threads: u64, work: &(dyn Fn(u64) + Sync)| -> f64 {
        std::thread::scope(|scope| {
            let run = |part| {
                scope.spawn(move || {
                    rate(n, || {
                        work(part);
                        0
                    })
                })
            };
            let threads: Vec<_> = (0..threads).map(run).collect();
            threads.into_iter().map(|t| t.join().expect("thread")).sum::<f64>()
        })
    };
    let (mut alone, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..figures.rounds(ROUNDS) {
        alone.push(on(1, &|part| half_stores(table, entries, part, n)));
        ours.push(on(2, &|part| half_stores(table, entries, part, n)));
        theirs.push(on(2, &|part| {
            for i in (part * n..).take(n as usize) {
                if i % 2 == 0 {
                    map.insert(key(i % entries).0, i);
                } else {
                    black_box(map.get(&key(i % entries).0).map(|v| *v));
                }
            }
        }));
    }
    let figure = |name: &str, unit| Figure::new("two", name, unit);
    let operations = Unit::Millions("operations");
    figures.tell(figure("half stores, one thread", operations), &alone);
    figures.tell(figure("half stores, two threads", operations), &ours);
    figures.tell(figure("dashmap, half stores, two threads", operations), &theirs);
    let (alone, ours, theirs) = (best(&alone), best(&ours), best(&theirs));
    figures.tell(figure("two threads against one", Unit::Times).goal(1.9), &[ours / alone]);
    figures.tell(figure("two threads against dashmap", Unit::Times).goal(4.0), &[ours / theirs]);
}

fn main() {
    let mut figures = Figures::new("tabia-table");
    let mut numbers = figures.words().iter().filter_map(|word| word.parse::<u64>().ok());
    let (megabytes, millions) = (numbers.next().unwrap_or(512), numbers.next().unwrap_or(16));
    let table = Table::new((megabytes as usize) << 20).expect("memory");
    // Three quarters full.
    let entries = table.capacity() as u64 / 4 * 3;
    (0..entries).for_each(|i| table.store(key(i), 5, i));
    println!("{megabytes} MB, {entries} keys, huge pages: {}", table.huge_pages());
    single_thread(&mut figures, &table, entries, millions * 1_000_000);
    two_threads(&mut figures, &table, entries, millions * 1_000_000);
}
