//! Files of perft counts: `position ; D1 20 ; D2 400`, one position a line, `#` before remarks.

use tabia_core::perft::{PerftOptions, perft};
use tabia_core::{Notation, Position, Work};

/// One position of a file with its counts.
#[derive(Clone, Debug)]
pub struct Case<G: Notation> {
    /// The line it stands on, from 1.
    pub line: usize,
    /// The position.
    pub position: Position<G>,
    /// Depths and counts.
    pub counts: Vec<(u32, u64)>,
}

/// Reads a file; a line that cannot be read is an error that names it.
pub fn read<G: Notation>(rules: &G, text: &str) -> Result<Vec<Case<G>>, String> {
    let mut cases = Vec::new();
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut parts = line.split(';').map(str::trim);
        let position = parts.next().unwrap_or_default();
        let position =
            rules.parse(position).map_err(|error| format!("line {number}: {position}: {error}"))?;
        let counts = parts.map(count).collect::<Option<Vec<_>>>();
        let counts = counts.ok_or_else(|| format!("line {number}: expected counts like `; D3 8902`"))?;
        cases.push(Case { line: number, position, counts });
    }
    Ok(cases)
}

fn count(part: &str) -> Option<(u32, u64)> {
    let (depth, count) = part.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, count.trim().parse().ok()?))
}

/// Checks all counts of a file up to `most_nodes`, and panics at the first that differs.
pub fn check<G: Notation>(rules: &G, text: &str, most_nodes: u64) {
    let cases = read(rules, text).unwrap_or_else(|error| panic!("{}: {error}", rules.id()));
    assert!(!cases.is_empty(), "{}: the perft file is empty", rules.id());
    for case in cases {
        let Position { rules, state } = &case.position;
        for &(depth, expected) in case.counts.iter().filter(|(_, count)| *count <= most_nodes) {
            let counted = perft(rules, state, depth, PerftOptions::default(), &Work::unwatched(2));
            assert_eq!(
                counted,
                Ok(expected),
                "{} line {} depth {depth}: {}",
                rules.id(),
                case.line,
                rules.format(state)
            );
        }
    }
}
