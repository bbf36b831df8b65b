//! The hashcodes of the source document: stack (a byte), board (eight bytes), move (two bytes).

use crate::state::{LANES, ONES};
use crate::{FiveVisible, Move, Place, Stack, State, movegen};
use tabia_core::{PositionError, RuleError, Side};

/// `from` of a brick placed from the stash.
pub const STASH: u8 = 0xFF;
/// The bit of a stack hashcode that says the stack may be drawn from.
pub const DRAWABLE: u8 = 0x20;
/// The bit of `to` in a move hashcode that tells the stack a brick came from (under `put-back`) from another
/// that looks the same.
pub const OWN_STACK: u8 = 0x80;

/// The stack hashcode of a position on the board.
pub fn of_stack(rules: &FiveVisible, state: &State, place: Place) -> u8 {
    (with_drawable(rules, state) >> (7 * place.index()) & 0x3F) as u8
}

/// The word of stacks with the drawable bits put in.
#[inline]
fn with_drawable(rules: &FiveVisible, state: &State) -> u64 {
    state.lanes() | movegen::drawable(rules, state) << 5
}

/// The lanes whose stack hashcode is not that of the lane before.
#[inline]
pub(crate) fn first_of_equals(rules: &FiveVisible, state: &State) -> u64 {
    let word = with_drawable(rules, state);
    let different = (word ^ word << 7) & LANES;
    // Adding 63 carries into bit 6 of every lane that is not zero; nothing is before the first.
    (different + 0x3F * ONES) >> 6 & ONES | 1
}

/// All nine stack hashcodes side by side in one word, `width` bits each, ascending from the top;
/// empty positions are zeros in front.
///
/// Every code is shifted to where it belongs: nothing branches on the data. Nine codes that are not zero do not fit
/// when `width` is 8.
#[inline]
pub(crate) fn sorted(rules: &FiveVisible, state: &State, width: u64) -> u64 {
    let word = with_drawable(rules, state);
    // At most 8 * 8, which fits into a lane; 64 is no shift, but then the code is zero.
    let shifts = larger(word) * width;
    let placed = |i: u32| (word >> (7 * i) & 0x3F).wrapping_shl((shifts >> (7 * i)) as u32);
    (0..9).fold(0, |sorted, i| sorted | placed(i))
}

/// For each lane the number of lanes with a larger code, or with the same one further down.
///
/// All lanes are compared at once with those 1, 2, 3 and 4 lanes up (round the corner), so that every pair is
/// compared once. Bit 6, which codes leave free, is what a lane borrows from.
#[inline]
fn larger(word: u64) -> u64 {
    let mut sum = 4 * ONES;
    for lanes in 1..=4 {
        let (up, round) = (7 * lanes, 63 - 7 * lanes);
        let others = word >> up | word << round;
        // Round the corner is further down: there a lane must be larger, else as large is enough.
        let strictly = ONES & u64::MAX << round;
        let wins = ((word | ONES << 6) - (others & LANES) - strictly) >> 6 & ONES;
        let losers_lanes = (wins << up | wins >> round) & LANES;
        // Whoever does not win has one more that is larger: `ONES - wins`.
        sum = sum + losers_lanes - wins;
    }
    sum
}

/// The board hashcode. A board with a winner has none.
pub fn board(rules: &FiveVisible, state: &State) -> Result<u64, RuleError> {
    match state.winner() {
        Some(winner) => Err(RuleError::new(format!(
            "player {winner} has won: only boards without a winner have a hashcode"
        ))),
        None => Ok(sorted(rules, state, 8)),
    }
}

/// The move hashcode: `from << 8 | to`, the stack hashcodes before the move. A brick that is put back has
/// [`OWN_STACK`] set in `to`.
pub fn of_move(rules: &FiveVisible, state: &State, mv: Move) -> u16 {
    let from = mv.from.map_or(STASH, |from| of_stack(rules, state, from));
    let own = if mv.from == Some(mv.to) { OWN_STACK } else { 0 };
    u16::from_be_bytes([from, of_stack(rules, state, mv.to) | own])
}

/// A legal move with this hashcode; any one of several is as good as the others.
pub fn find_move(rules: &FiveVisible, state: &State, code: u16) -> Option<Move> {
    let mut moves = Vec::new();
    movegen::moves(rules, state, &mut moves);
    moves.into_iter().find(|&mv| of_move(rules, state, mv) == code)
}

/// The position a board hashcode stands for, with the stacks on positions 1, 2, ... in ascending order.
pub fn decode_board(rules: &FiveVisible, code: u64, player: Side) -> Result<State, PositionError> {
    let bytes = code.to_be_bytes();
    let codes: [u8; 9] = std::array::from_fn(|i| if i == 0 { 0 } else { bytes[i - 1] });
    let state = decode_sorted(rules, codes, player)?;
    if let Some(winner) = state.winner() {
        return Err(PositionError::rule(format!(
            "{code:#x}: player {winner} has five bricks on top, and a board with a winner has no hashcode"
        )));
    }
    Ok(state)
}

/// The position with these stack hashcodes, which must be ascending and say the truth about drawing.
pub(crate) fn decode_sorted(
    rules: &FiveVisible,
    codes: [u8; 9],
    player: Side,
) -> Result<State, PositionError> {
    let mut broken = Vec::new();
    let mut stacks = [Stack::EMPTY; 9];
    let mut blocked = Vec::new();
    let standing: Vec<u8> = codes.into_iter().filter(|&code| code != 0).collect();
    for (i, &code) in standing.iter().enumerate() {
        match Stack::from_code(code & !DRAWABLE).filter(|stack| stack.height() > 0) {
            Some(stack) => stacks[i] = stack,
            None => broken.push(RuleError::new(format!("{code:#04x} is not a stack hashcode"))),
        }
        if code & DRAWABLE == 0 {
            blocked.extend(Place::from_index(i));
        }
    }
    if !codes.is_sorted() {
        broken.push(RuleError::new("the stack hashcodes are not in ascending order"));
    }
    let may_draw = standing.len() >= 3 || rules.options.no_three_stacks;
    if may_draw && blocked.len() > 1 {
        broken.push(RuleError::new(format!(
            "{} stacks are not drawable: only the last one added to is blocked",
            blocked.len()
        )));
    }
    if !may_draw && blocked.len() < standing.len() {
        broken.push(RuleError::new(format!("a stack is drawable although only {} stand", standing.len())));
    }
    let blocked = blocked.first().copied().filter(|_| may_draw);
    match State::new(stacks, player, blocked) {
        Ok(state) if broken.is_empty() => Ok(state),
        Ok(_) => Err(PositionError::Rules(broken)),
        Err(violations) => {
            broken.extend(violations.iter().map(|violation| RuleError::new(violation.to_string())));
            Err(PositionError::Rules(broken))
        }
    }
}
