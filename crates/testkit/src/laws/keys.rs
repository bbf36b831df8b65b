//! The quality of Zobrist keys.

use super::{Verdict, law};
use std::collections::HashSet;
use tabia_core::Key;

/// Panics unless these Zobrist keys are good ones: none zero, none twice, no three or four that
/// cancel out, and together of full rank.
pub fn key_table(keys: impl IntoIterator<Item = Key>) {
    if let Err(violation) = key_table_verdict(&keys.into_iter().collect::<Vec<_>>()) {
        panic!("{}: {}", violation.law, violation.details);
    }
}

/// The first thing wrong with a table of Zobrist keys.
pub fn key_table_verdict(keys: &[Key]) -> Verdict {
    let mut singles = HashSet::new();
    for key in keys {
        law("no key is zero", key.0 != 0, || "0".to_owned())?;
        law("no key stands twice", singles.insert(key.0), || key.to_string())?;
    }
    // Two pairs with one sum are four keys that cancel out; a pair that sums to a key makes three.
    let mut pairs = HashSet::new();
    for (i, a) in keys.iter().enumerate() {
        for b in &keys[..i] {
            let sum = a.0 ^ b.0;
            law("no three keys cancel out", !singles.contains(&sum), || format!("{a} {b}"))?;
            law("no four keys cancel out", pairs.insert(sum), || format!("{a} {b}"))?;
        }
    }
    let wanted = keys.len().min(64);
    law("keys have full rank", rank(keys) == wanted, || format!("rank {} of {wanted}", rank(keys)))
}

/// The rank of the keys as vectors over the field of two elements.
pub fn rank(keys: &[Key]) -> usize {
    let mut basis: Vec<u64> = Vec::new();
    for key in keys {
        // `min` clears the leading bit of each basis vector, where it is set.
        let reduced = basis.iter().fold(key.0, |rest, vector| rest.min(rest ^ vector));
        if reduced != 0 {
            basis.push(reduced);
            basis.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    basis.len()
}
