//! What a table promises, seen from outside. Everything here also runs under Miri:
//! `cargo +nightly miri test -p tabia-table`.

use proptest::prelude::*;
use tabia_core::{Key, SplitMix64};
use tabia_table::{PAYLOAD_BITS, Table};

const MASK: u64 = (1 << PAYLOAD_BITS) - 1;

/// Bytes of a table that is small under Miri, where every access is slow.
const BYTES: usize = if cfg!(miri) { 64 * 7 } else { 64 * 1001 };

#[test]
fn any_size_is_used_evenly() {
    let table = Table::new(BYTES).unwrap();
    assert_eq!(table.bytes(), BYTES);
    let mut rng = SplitMix64::new(1);
    for _ in 0..table.capacity() * 8 {
        table.store(Key(rng.next()), 1, 0);
    }
    assert!(table.fill_rate() > 0.95, "{}", table.fill_rate());
}

#[test]
fn key_zero_is_a_key_like_any_other() {
    let table = Table::new(BYTES).unwrap();
    assert_eq!(table.probe(Key(0)), None);
    table.store(Key(0), 0, 0);
    assert_eq!(table.probe(Key(0)).map(|e| e.payload), Some(0));
}

/// Keys of one bucket, since a bucket is chosen by the high bits.
fn crowd() -> impl Iterator<Item = Key> {
    (1..).map(Key)
}

#[test]
fn the_deepest_of_a_full_bucket_stay() {
    let table = Table::new(64).unwrap();
    for (worth, key) in crowd().take(20).enumerate() {
        table.store(key, worth as u8, 0);
    }
    let kept: Vec<u64> = crowd().take(20).filter(|&k| table.probe(k).is_some()).map(|k| k.0).collect();
    assert_eq!(kept, [17, 18, 19, 20]);
}

#[test]
fn an_old_entry_makes_room_for_a_shallower_new_one() {
    let table = Table::new(64).unwrap();
    crowd().take(4).for_each(|key| table.store(key, 10, 0));
    table.new_generation();
    table.new_generation();
    table.store(Key(1), 10, 1);
    crowd().skip(4).take(3).for_each(|key| table.store(key, 1, 0));
    assert_eq!(table.probe(Key(1)).map(|e| e.payload), Some(1), "what this search stored is kept");
    assert!((2..=4).all(|key| table.probe(Key(key)).is_none()));
}

#[test]
fn only_what_the_present_generation_stored_is_fresh() {
    let table = Table::new(BYTES).unwrap();
    assert_eq!(table.probe_fresh(Key(0)), None);
    table.store(Key(7), 3, 1);
    assert_eq!(table.probe_fresh(Key(7)), table.probe(Key(7)));
    table.new_generation();
    assert!(table.probe_fresh(Key(7)).is_none() && table.probe(Key(7)).is_some());
    table.store(Key(7), 3, 2);
    assert_eq!(table.probe_fresh(Key(7)).map(|entry| entry.payload), Some(2));
}

#[test]
fn clearing_and_resizing_forget() {
    let mut table = Table::new(BYTES).unwrap();
    table.store(Key(9), 1, 1);
    table.clear(2);
    assert_eq!(table.probe(Key(9)), None);
    table.store(Key(9), 1, 1);
    table.resize(BYTES * 2).unwrap();
    assert_eq!((table.bytes(), table.probe(Key(9))), (BYTES * 2, None));
    assert!(table.resize(usize::MAX / 2).is_err());
    assert_eq!(table.bytes(), BYTES * 2);
}

#[test]
fn generations_go_round() {
    let table = Table::new(64).unwrap();
    for round in 0..600 {
        table.new_generation();
        table.store(Key(round), 3, round);
        assert_eq!(table.probe(Key(round)).map(|e| e.payload), Some(round));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if cfg!(miri) { 3 } else { 256 }) })]

    /// Whatever is found is what was last stored for that key.
    #[test]
    fn the_last_store_of_a_key_is_what_is_found(stores in prop::collection::vec((0u64..40, any::<u8>(), any::<u64>()), 1..60)) {
        let table = Table::new(64 * 3).unwrap();
        let mut last = std::collections::HashMap::new();
        for (key, worth, payload) in stores {
            let key = Key(tabia_core::rng::mix(key));
            table.store(key, worth, payload);
            last.insert(key, (payload & MASK, worth));
            prop_assert_eq!(table.probe(key).map(|e| (e.payload, e.worth)), Some(last[&key]));
        }
        for (key, expected) in last {
            prop_assert!(table.probe(key).is_none_or(|e| (e.payload, e.worth) == expected));
        }
    }
}
