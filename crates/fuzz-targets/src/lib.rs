//! What fuzzing throws bytes at: every reader of bytes or text, as a plain function that panics when a law is broken.
//!
//! `cargo xtask fuzz` runs each under libFuzzer (the programs in `fuzz/`); `cargo test -p tabia-fuzz-targets` runs each on its stored
//! corpus, which needs no tool. What is refused with an error is fine; what is accepted must come back from its own text or bytes.

mod blocks;
mod files;
mod positions;
mod requests;

pub use blocks::block;
pub use files::{jsonl, network, opening_book, pdn, pgn, played, row, run, table};
pub use positions::{codes, moves, notation, packed};
pub use requests::{http, question, recognise, uci};

/// Somebody who eats bytes.
pub type Target = fn(&[u8]);

/// Every target with its name.
pub const TARGETS: [(&str, Target); 18] = [
    ("block", block),
    ("codes", codes),
    ("http", http),
    ("jsonl", jsonl),
    ("moves", moves),
    ("network", network),
    ("notation", notation),
    ("packed", packed),
    ("pdn", pdn),
    ("pgn", pgn),
    ("played", played),
    ("polyglot", opening_book),
    ("question", question),
    ("recognise", recognise),
    ("row", row),
    ("run", run),
    ("table", table),
    ("uci", uci),
];

/// The first byte chooses, and the rest is as text, if it is one.
fn chosen(data: &[u8]) -> Option<(usize, &str)> {
    let (first, rest) = data.split_first()?;
    Some((usize::from(*first), std::str::from_utf8(rest).ok()?))
}

/// The game that a number stands for.
fn game(number: usize) -> &'static dyn tabia_app::AnyGame {
    let games: Vec<_> = registry().games().collect();
    games[number % games.len()]
}

fn registry() -> &'static tabia_app::Registry {
    static REGISTRY: std::sync::LazyLock<tabia_app::Registry> =
        std::sync::LazyLock::new(tabia_app::Registry::standard);
    &REGISTRY
}
