//! The exact packed form: one `u64`.
//!
//! ```text
//!   bit 63        the player to move
//!   bit 62        0: a board without a winner
//!                    bits 0-61   the board hashcode (its bits 62 and 63 are unused)
//!                 1: a finished board, which has no hashcode
//!                    bits 0-53   the nine stack hashcodes, six bits each, ascending from the top
//! ```
//!
//! Its bytes stand most significant first, as in the hashcode. Relocating stacks changes nothing in the game and nothing here, so the packed form is canonical.

use crate::{FiveVisible, State, hashcode};
use tabia_core::{PositionError, Side};

const PLAYER: u64 = 1 << 63;
const FINISHED: u64 = 1 << 62;

#[inline]
pub(crate) fn pack(rules: &FiveVisible, state: &State) -> u64 {
    let board = if state.winner().is_none() {
        hashcode::sorted(rules, state, 8)
    } else {
        FINISHED | hashcode::sorted(rules, state, 6)
    };
    board | if state.player() == Side::Second { PLAYER } else { 0 }
}

pub(crate) fn unpack(rules: &FiveVisible, packed: u64) -> Result<State, PositionError> {
    let player = if packed & PLAYER == 0 { Side::First } else { Side::Second };
    let board = packed & !PLAYER;
    if board & FINISHED == 0 {
        return hashcode::decode_board(rules, board, player);
    }
    let word = board & !FINISHED;
    if word >> 54 != 0 {
        return Err(PositionError::rule(format!("{packed:#x}: bits 54 to 61 of a finished board must be 0")));
    }
    let codes = std::array::from_fn(|i| (word >> (6 * (8 - i)) & 0x3F) as u8);
    let state = hashcode::decode_sorted(rules, codes, player)?;
    if state.winner().is_none() {
        return Err(PositionError::rule(format!(
            "{packed:#x}: marked as finished, but nobody has five bricks on top"
        )));
    }
    Ok(state)
}
