//! Games for the tests, small enough to be solved by plain means.
#![allow(dead_code)]

pub(crate) mod connect;
pub(crate) mod graph;
pub(crate) mod solved;

use tabia_core::{Game, Position, Record, Value};
use tabia_search::{Report, Score};

/// A record that starts at a position.
pub(crate) fn record<G: Game>(rules: &G, state: &G::State) -> Record<G> {
    Record::new(Position { rules: rules.clone(), state: state.clone() })
}

/// Checks that a report tells the exact value.
pub(crate) fn assert_exact<M: Copy + std::fmt::Debug>(report: &Report<M>, expected: Value, what: &str) {
    let same = match (report.score, expected) {
        (Score::Win(n), Value::Win(m)) | (Score::Loss(n), Value::Loss(m)) => n == m,
        (Score::Draw | Score::Estimate(_), Value::Draw) => true,
        _ => false,
    };
    assert!(same, "{what}: found {:?}, expected {expected:?}", report.score);
}

/// Checks that a report, which may fall short, claims nothing that is false.
pub(crate) fn assert_sound<M: Copy + std::fmt::Debug>(report: &Report<M>, expected: Value, what: &str) {
    let sound = match (report.score, expected) {
        (Score::Win(n), Value::Win(m)) | (Score::Loss(n), Value::Loss(m)) => {
            n >= m && (n == m || !report.exact)
        }
        (Score::Draw, Value::Draw) | (Score::Estimate(_), _) => true,
        _ => false,
    };
    assert!(sound, "{what}: found {:?}, expected {expected:?}", report.score);
}
