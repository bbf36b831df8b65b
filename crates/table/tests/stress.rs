//! Many threads on few buckets: an entry made of two writes would be seen.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tabia_core::{Key, SplitMix64, rng::mix};
use tabia_table::{PAYLOAD_BITS, Table};

const ROUNDS: u64 = if cfg!(miri) { 200 } else { 400_000 };
const THREADS: u64 = 4;

/// The payload is a function of the key and a small serial number that is part of it: whoever reads
/// can tell whether key and payload belong together.
fn payload(key: Key, serial: u64) -> u64 {
    (mix(key.0 ^ serial) & ((1 << (PAYLOAD_BITS - 8)) - 1)) << 8 | serial
}

#[test]
fn no_thread_ever_reads_half_an_entry() {
    let table = Table::new(64 * 4).unwrap();
    let hits = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (table, hits) = (&table, &hits);
            scope.spawn(move || {
                let mut rng = SplitMix64::new(thread);
                for _ in 0..ROUNDS {
                    let key = Key(mix(rng.below(24)));
                    let serial = rng.below(256);
                    if serial < 128 {
                        table.store(key, serial as u8, payload(key, serial));
                    } else if let Some(entry) = table.probe(key) {
                        let serial = entry.payload & 0xFF;
                        assert_eq!(entry.payload, payload(key, serial), "a torn payload");
                        assert_eq!(u64::from(entry.worth), serial, "a torn worth");
                        hits.fetch_add(1, Relaxed);
                    }
                }
            });
        }
    });
    assert!(hits.into_inner() > ROUNDS / 10);
}
