//! What a batch refuses.

use tabia_core::PositionError;
use thiserror::Error;

/// Why a batch did not do what was asked; it is as it was before, unless the rules themselves failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A buffer does not fit.
    #[error("{what}: {given} given, {needed} needed")]
    Size {
        /// Which buffer.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The length it must have.
        needed: usize,
    },
    /// There is no such row.
    #[error("row {row} of a batch of {rows}")]
    NoSuchRow {
        /// The number asked for.
        row: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// Some actions are not legal; none was played.
    #[error("no legal action in {}", row_list(.rows))]
    Illegal {
        /// The rows they were meant for, ascending.
        rows: Vec<usize>,
    },
    /// Bytes that are no position.
    #[error("row {row}: {reason}")]
    Position {
        /// The first row with such bytes.
        row: usize,
        /// What is wrong with them.
        reason: PositionError,
    },
    /// The game has no evaluation.
    #[error("{game} has no evaluation")]
    NoEvaluation {
        /// The game.
        game: String,
    },
    /// Somebody stopped the work.
    #[error("stopped")]
    Stopped,
    /// The rules failed; the positions can no longer be trusted.
    #[error("the rules failed: {0}")]
    Fault(String),
}

/// `row 3`, or `rows 3, 4, 5 and 12 more`.
fn row_list(rows: &[usize]) -> String {
    const NAMED: usize = 8;
    let named: Vec<String> = rows.iter().take(NAMED).map(ToString::to_string).collect();
    let word = if rows.len() == 1 { "row" } else { "rows" };
    let more = rows.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{word} {}{rest}", named.join(", "))
}

/// Refuses a buffer of the wrong length.
pub(crate) fn check_size(what: &'static str, given: usize, needed: usize) -> Result<(), BatchError> {
    if given == needed { Ok(()) } else { Err(BatchError::Size { what, given, needed }) }
}
