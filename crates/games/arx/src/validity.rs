//! The one definition of validity: at most one King a side, and nothing else.

use crate::bits::squares;
use crate::types::side_name;
use crate::{Square, State};
use tabia_core::{RuleError, Side};

/// The rules that a position violates; `offset` tells where a square stands in a text, if it does.
pub(crate) fn violations(state: &State, offset: impl Fn(Square) -> Option<usize>) -> Vec<RuleError> {
    let check = |side: Side| {
        let kings: Vec<_> = squares(state.king(side)).map(|s| Square::from_bits(s as u8)).collect();
        let (&last, [_, ..]) = kings.split_last()? else { return None };
        let names: Vec<_> = kings.iter().map(Square::to_string).collect();
        let message = format!("{} has {} Kings, on {}", side_name(side), kings.len(), names.join(", "));
        Some(RuleError { message, offset: offset(last) })
    };
    Side::ALL.into_iter().filter_map(check).collect()
}
