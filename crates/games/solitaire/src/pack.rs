//! The exact encoding, the key, and the `bits` code.
//!
//! ```text
//! packed  8 bytes, little-endian: bit i is set when hole i (in reading order) holds a peg
//!         byte 0            byte 1              ...   byte 7
//!         holes 0 to 7      holes 8 to 15             holes 56 to 63; unused bits are 0
//! bits    one number: bit y * width + x, x and y from 0 at the top left, where the grid has at
//!         most 64 cells (the English board: bit y * 7 + x); else bit i for hole i, as packed
//! key     the finaliser of SplitMix64 over the packed number, after XOR with a constant of the
//!         board's shape: a bijection, so two positions of one board never share a key
//! ```
//!
//! A position is one word, so its key is computed when asked for: nothing can drift.

use crate::types::holes_of;
use crate::{Board, Hole, State, validity};
use tabia_core::rng::mix;
use tabia_core::{Key, PositionError, RuleError};

/// "peg" in ASCII: where the constants of the shapes begin.
const KEY_SEED: u64 = 0x706567;

/// The key of a position.
#[inline]
pub(crate) fn key(board: &Board, state: State) -> Key {
    Key(mix(state.pegs() ^ board.key_constant()))
}

/// Mixes the drawing of the empty board into one number.
pub(crate) fn shape_constant(drawing: &str) -> u64 {
    drawing.bytes().fold(KEY_SEED, |sum, byte| mix(sum ^ u64::from(byte)))
}

/// Reads the eight bytes; bits of no hole are refused.
pub(crate) fn unpack(board: &Board, packed: [u8; 8]) -> Result<State, PositionError> {
    let pegs = u64::from_le_bytes(packed);
    validity::checked(board, pegs).map_err(|error| PositionError::Rules(vec![error]))
}

/// The bit of a hole in the `bits` code.
fn code_bit(board: &Board, hole: Hole) -> u64 {
    if board.width() * board.height() > 64 {
        return hole.bit();
    }
    let (x, y) = board.cell(hole);
    1 << (y * board.width() + x)
}

/// The `bits` code of a position.
pub fn to_bits(board: &Board, state: State) -> u64 {
    holes_of(state.pegs()).fold(0, |code, hole| code | code_bit(board, hole))
}

/// The position of a `bits` code; a bit where there is no hole is a violated rule.
pub fn from_bits(board: &Board, code: u64) -> Result<State, RuleError> {
    let mut rest = code;
    let mut pegs = 0;
    for hole in board.holes() {
        let bit = code_bit(board, hole);
        if rest & bit != 0 {
            rest &= !bit;
            pegs |= hole.bit();
        }
    }
    if rest != 0 {
        let message = format!("bit {} of {code:#x} is set, but there is no hole", rest.trailing_zeros());
        return Err(RuleError::new(message));
    }
    Ok(State::new(pegs))
}
