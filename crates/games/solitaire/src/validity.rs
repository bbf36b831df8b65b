//! The one definition of validity: pegs stand in holes, and every set of holes is a position.

use crate::{Board, State};
use tabia_core::RuleError;

/// The position with these pegs, unless one of them stands where the board has no hole.
pub(crate) fn checked(board: &Board, pegs: u64) -> Result<State, RuleError> {
    match (pegs & !board.full()).trailing_zeros() {
        64 => Ok(State::new(pegs)),
        bit => Err(RuleError::new(format!("bit {bit} is set, but the board has {} holes", board.size()))),
    }
}
