//! Golden playthroughs: seeded random games written out with every code, so that no key and no byte
//! of a format ever changes unnoticed.

use std::fmt::Write;
use std::path::Path;
use tabia_core::packed::to_hex;
use tabia_core::{Packed, Present, SplitMix64};

/// A random game from each named start, with the text, key and bytes of every position.
pub fn playthrough<G: Present>(game: &G, seed: u64, plies: u32) -> String {
    let mut out = format!("# A golden playthrough of {}: seed {seed}, up to {plies} plies.\n", game.id());
    out.push_str("# Written by the test suite; TABIA_BLESS=1 writes it anew after a deliberate change.\n");
    for start in game.starts() {
        let rules = start.position.rules;
        let mut state = start.position.state;
        let mut rng = SplitMix64::new(seed);
        let _ = writeln!(out, "\nstart {}", start.id);
        for ply in 0..=plies {
            let _ = writeln!(out, "{}", rules.format(&state));
            let _ = writeln!(
                out,
                "  key {} packed {} canonical {}",
                rules.key(&state),
                to_hex(rules.pack(&state).as_bytes()),
                to_hex(rules.pack_canonical(&state).as_bytes())
            );
            let mut moves = Vec::new();
            rules.moves(&state, &mut moves);
            let _ = writeln!(out, "  {} moves, outcome {:?}", moves.len(), rules.outcome(&state));
            let Some(&mv) = moves.get(rng.below(moves.len() as u64) as usize) else { break };
            if ply < plies {
                let _ = writeln!(out, "{} {}", ply + 1, rules.format_move(&state, mv));
                rules.play(&mut state, mv);
            }
        }
    }
    out
}

/// Compares a playthrough with the file that pins it, and panics at the first line that differs. With
/// `TABIA_BLESS` set the file is written instead: how it comes to be, and how a deliberate change is accepted.
pub fn check_file<G: Present>(game: &G, path: &Path, seed: u64, plies: u32) {
    let now = playthrough(game, seed, plies);
    if std::env::var_os("TABIA_BLESS").is_some() {
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = folder.and_then(|()| std::fs::write(path, now));
        return written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let pinned = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{}: {error}\n{}", path.display(), how_to_bless()));
    for (number, (pinned, now)) in pinned.lines().zip(now.lines()).enumerate() {
        let line = number + 1;
        assert_eq!(pinned, now, "{} line {line}: pinned left, now right\n{}", path.display(), how_to_bless());
    }
    let same_length = pinned.lines().count() == now.lines().count();
    assert!(same_length, "{}: another length\n{}", path.display(), how_to_bless());
}

/// What to do about a golden file that is missing or different.
fn how_to_bless() -> String {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "<the game's crate>".to_owned());
    format!(
        "If this is what you want, write the file with `TABIA_BLESS=1 cargo test -p {package} --test laws`, read \
         what it says, and commit it: keys and bytes in it are promises to everybody's files."
    )
}
