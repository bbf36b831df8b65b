//! Every stored input, found by a fuzzer or written by hand, through its target, and thousands that are made from it: none panics.

mod mutate;

use mutate::Mutator;
use std::path::Path;
use tabia_fuzz_targets::TARGETS;

/// The stored inputs of a target with the names of their files.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let mut inputs: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.display().to_string(), std::fs::read(&path).unwrap()))
        .collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "{name} has no corpus");
    inputs
}

#[test]
fn stored_inputs_break_no_law() {
    for (name, target) in TARGETS {
        for (file, data) in corpus(name) {
            // A panic tells its own message; the name of the file stands before it.
            println!("{file}");
            target(&data);
        }
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

/// What an input has in it when it makes its target panic.
struct Told<'a>(&'a [u8]);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("the input was \"{}\"", self.0.escape_ascii());
        }
    }
}

/// Inputs made from the stored ones. `TABIA_FUZZ_SEED` and `TABIA_FUZZ_INPUTS` (times as many) ask for others than usual.
fn changed_inputs_break_no_law(name: &str, count: u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seed = number("TABIA_FUZZ_SEED").unwrap_or(1);
    let (_, target) = TARGETS.into_iter().find(|(known, _)| *known == name).unwrap();
    let inputs: Vec<Vec<u8>> = corpus(name).into_iter().map(|(_, data)| data).collect();
    let mut mutator = Mutator::new(&inputs, seed);
    for _ in 0..count * number("TABIA_FUZZ_INPUTS").unwrap_or(1) {
        let data = mutator.input();
        let _told = Told(&data);
        target(&data);
    }
}

/// A test for each target, so that they run side by side, with as many inputs as take a second or less.
macro_rules! changed {
    ($($name:ident: $count:literal),* $(,)?) => {
        mod changed {
            $(#[test]
            fn $name() {
                super::changed_inputs_break_no_law(stringify!($name), $count);
            })*
        }

        #[test]
        fn every_target_gets_changed_inputs() {
            let names = [$(stringify!($name)),*];
            assert!(TARGETS.iter().all(|(name, _)| names.contains(name)));
        }
    };
}

changed! {
    block: 2_000,
    codes: 2_000,
    http: 500,
    jsonl: 4_000,
    moves: 500,
    network: 50,
    notation: 2_000,
    packed: 4_000,
    pdn: 2_000,
    pgn: 2_000,
    played: 2_000,
    polyglot: 4_000,
    question: 500,
    recognise: 1_000,
    row: 10_000,
    run: 2_000,
    table: 2_000,
    uci: 20,
}
