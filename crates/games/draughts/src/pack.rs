//! The exact encoding: thirteen bytes.
//!
//! ```text
//!     byte  0..3   black pieces   little-endian u32, bit n-1 is square n
//!           4..7   white pieces   the same
//!           8..11  kings          the same, of both colours
//!           12     side to move   0 Black, 1 White
//! ```

use crate::state::State;
use crate::types::Color;
use tabia_core::{PositionError, RuleError};

/// The bytes of a position.
pub type PackedState = [u8; 13];

/// The bytes of a position.
#[inline]
pub(crate) fn pack(state: &State) -> PackedState {
    let mut bytes = [0; 13];
    bytes[..4].copy_from_slice(&state.black().to_le_bytes());
    bytes[4..8].copy_from_slice(&state.white().to_le_bytes());
    bytes[8..12].copy_from_slice(&state.kings().to_le_bytes());
    bytes[12] = state.turn() as u8;
    bytes
}

/// The position of these bytes; anything [`pack`] does not write is refused.
#[inline]
pub(crate) fn unpack(bytes: &PackedState) -> Result<State, PositionError> {
    let [b0, b1, b2, b3, w0, w1, w2, w3, k0, k1, k2, k3, turn] = *bytes;
    let black = u32::from_le_bytes([b0, b1, b2, b3]);
    let white = u32::from_le_bytes([w0, w1, w2, w3]);
    let kings = u32::from_le_bytes([k0, k1, k2, k3]);
    let color = if turn == 0 { Color::Black } else { Color::White };
    match State::new(black, white, kings, color) {
        Some(state) if turn <= 1 => Ok(state),
        _ => Err(refusal(black, white, kings, turn)),
    }
}

/// Every reason why these boards are not a position.
#[cold]
fn refusal(black: u32, white: u32, kings: u32, turn: u8) -> PositionError {
    let mut errors = Vec::new();
    if turn > 1 {
        errors.push(RuleError::at(
            12,
            format!("byte 12 is {turn}: the side to move is 0 (Black) or 1 (White)"),
        ));
    }
    if kings & !(black | white) != 0 {
        errors.push(RuleError::at(8, "bytes 8 to 11 have a king on an empty square"));
    }
    let setup = crate::Setup::from_boards(black, white, kings & (black | white), Color::Black);
    errors.extend(setup.violations().iter().map(|v| RuleError::new(v.to_string())));
    PositionError::Rules(errors)
}
