//! The table against the machine's own limit and against general hash maps, all in one run:
//! `cargo bench -p tabia-table`. Arguments: megabytes (512), millions of operations (16).
//!
//! *Limit*: random reads of one cache line over memory of the same size and kind, prefetched the
//! same number of operations ahead. All rates are by CPU time, the best of several rounds that take
//! turns, so that a busy machine disturbs all alike.

use cpu_time::ThreadTime;
use dashmap::DashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::hint::black_box;
use tabia_core::{Key, rng::mix};
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

fn probes(table: &Table, first: u64, n: u64) -> u64 {
    let mut hits = 0;
    for i in first..first + n {
        table.prefetch(key(i + AHEAD));
        hits += u64::from(table.probe(key(i)).is_some());
    }
    hits
}

fn single_thread(table: &Table, entries: u64, n: u64) {
    let memory = raw_memory(table.bytes() / 64);
    let mut map: hashbrown::HashMap<u64, u64, Build> = hashbrown::HashMap::with_hasher(Build::default());
    map.reserve(entries as usize);
    (0..entries).for_each(|i| _ = map.insert(key(i).0, i));
    let mut rates: [Vec<f64>; 5] = Default::default();
    for _ in 0..ROUNDS {
        rates[0].push(rate(n, || raw_reads(memory, n)));
        rates[1].push(rate(n, || probes(table, 0, n)));
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
    let [raw, batched, plain, stores, hashbrown] = rates.map(|r| best(&r));
    println!("raw random reads, prefetched     {raw:8.1} M/s");
    println!("table probes, prefetched         {batched:8.1} M/s  {:.0} % of raw", batched / raw * 100.0);
    println!("table stores, prefetched         {stores:8.1} M/s");
    println!("table probes, one after another  {plain:8.1} M/s");
    println!(
        "hashbrown get                    {hashbrown:8.1} M/s  table is {:.1} times",
        batched / hashbrown
    );
}

/// Half stores, half probes on two threads, in operations per CPU second of one thread.
fn two_threads(table: &Table, entries: u64, n: u64) {
    let map: DashMap<u64, u64, Build> = DashMap::with_capacity_and_hasher(entries as usize, Build::default());
    (0..entries).for_each(|i| _ = map.insert(key(i).0, i));
    let on_two = |work: &(dyn Fn(u64) + Sync)| -> f64 {
        std::thread::scope(|scope| {
            let run = |part| {
                scope.spawn(move || {
                    rate(n, || {
                        work(part);
                        0
                    })
                })
            };
            let threads = [run(0), run(1)];
            threads.into_iter().map(|t| t.join().expect("thread")).sum::<f64>()
        })
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(on_two(&|part| {
            for i in (part * n..).take(n as usize) {
                table.prefetch(key((i + AHEAD) % entries));
                if i % 2 == 0 {
                    table.store(key(i % entries), 3, i);
                } else {
                    black_box(table.probe(key(i % entries)));
                }
            }
        }));
        theirs.push(on_two(&|part| {
            for i in (part * n..).take(n as usize) {
                if i % 2 == 0 {
                    map.insert(key(i % entries).0, i);
                } else {
                    black_box(map.get(&key(i % entries).0).map(|v| *v));
                }
            }
        }));
    }
    let (ours, theirs) = (best(&ours), best(&theirs));
    println!("table, two threads, half stores  {ours:8.1} M/s");
    println!("dashmap, two threads, the same   {theirs:8.1} M/s  table is {:.1} times", ours / theirs);
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|a| a.parse::<u64>().ok());
    let (megabytes, millions) = (numbers.next().unwrap_or(512), numbers.next().unwrap_or(16));
    let table = Table::new((megabytes as usize) << 20).expect("memory");
    // Three quarters full.
    let entries = table.capacity() as u64 / 4 * 3;
    (0..entries).for_each(|i| table.store(key(i), 5, i));
    println!("{megabytes} MB, {entries} keys, huge pages: {}", table.huge_pages());
    single_thread(&table, entries, millions * 1_000_000);
    two_threads(&table, entries, millions * 1_000_000);
}
