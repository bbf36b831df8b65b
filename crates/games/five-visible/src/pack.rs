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

use crate::{FiveVisible, Place, State, hashcode};
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
    match unpack_own(rules, packed) {
        Some(state) => Ok(state),
        None => unpack_any(rules, packed),
    }
}

/// The position of a form that was written here; `None` for any other.
///
/// Only the bricks are looked at; that all else is right shows when the same form is written again.
fn unpack_own(rules: &FiveVisible, packed: u64) -> Option<State> {
    let player = if packed & PLAYER == 0 { Side::First } else { Side::Second };
    let width = if packed & FINISHED == 0 { 8 } else { 6 };
    let word = packed & !(PLAYER | FINISHED);
    // The zeros in front are empty positions.
    let standing = (u64::BITS - word.leading_zeros()).div_ceil(width);
    let code = |i: u32| if i < standing { word >> (width * (standing - 1 - i)) & 0x3F } else { 0 };
    let lanes = (0..Place::COUNT as u32).fold(0, |lanes, i| lanes | (code(i) & 0x1F) << (7 * i));
    // What cannot be drawn from comes first; a block that no rule can see is none.
    let may_draw = standing >= 3 || rules.options.no_three_stacks;
    let blocked = may_draw && code(0) & u64::from(hashcode::DRAWABLE) == 0;
    let blocked = if blocked && standing > 0 { Place::from_index(0) } else { None };
    let state = State::from_lanes(lanes, player, blocked)?;
    (pack(rules, &state) == packed).then_some(state)
}

/// The same for any number, with the reasons against it.
fn unpack_any(rules: &FiveVisible, packed: u64) -> Result<State, PositionError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RuleOptions;
    use tabia_core::{Game, SplitMix64};

    #[test]
    fn the_quick_way_takes_what_the_slow_one_takes() {
        let mut rng = SplitMix64::new(62);
        let mut buffer = Vec::new();
        for options in RuleOptions::all() {
            let rules = FiveVisible { options, opening: crate::Opening::Empty, ..Default::default() };
            for _ in 0..200 {
                let mut state = rules.start();
                loop {
                    let packed = pack(&rules, &state);
                    assert_eq!(unpack_own(&rules, packed), unpack_any(&rules, packed).ok(), "{packed:#x}");
                    let other =
                        packed ^ 1 << rng.below(64) ^ rng.next() & rng.next() & rng.next() & rng.next();
                    for wrong in [other, packed ^ FINISHED, packed.rotate_left(8), rng.next() & 0x3F3F] {
                        let slow = unpack_any(&rules, wrong).ok();
                        assert_eq!(unpack_own(&rules, wrong), slow, "{wrong:#x}");
                    }
                    let Some(mv) = rules.random_move(&state, &mut rng, &mut buffer) else { break };
                    rules.play(&mut state, mv);
                }
            }
        }
    }
}
