//! Every stored input, found by a fuzzer or written by hand, through its target: none panics.

use std::path::Path;
use tabia_fuzz_targets::TARGETS;

#[test]
fn stored_inputs_break_no_law() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, target) in TARGETS {
        let mut count = 0;
        for entry in std::fs::read_dir(corpora.join(name)).unwrap() {
            let path = entry.unwrap().path();
            let data = std::fs::read(&path).unwrap();
            // A panic tells its own message; the name of the file stands before it.
            println!("{}", path.display());
            target(&data);
            count += 1;
        }
        assert!(count > 0, "{name} has no corpus");
    }
}

/// Inputs of no shape at all, the same in every run.
#[test]
fn noise_breaks_no_law() {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    for (_, target) in TARGETS {
        for _ in 0..50 {
            let length = next() % 60;
            let data: Vec<u8> = (0..length).map(|_| next() as u8 & 0x7F).collect();
            target(&data);
        }
    }
}
