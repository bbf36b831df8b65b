//! The hashcodes of the source document: stack (a byte), board (eight bytes), move (two bytes).

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

/// All nine stack hashcodes side by side in one word, `width` bits each, ascending from the top;
/// empty positions are zeros in front.
///
/// A sorting network (Floyd's, 25 comparisons) written out: nothing branches on the data, and everything stays
/// in registers.
#[inline]
#[rustfmt::skip]
pub(crate) fn sorted(rules: &FiveVisible, state: &State, width: u32) -> u64 {
    let word = with_drawable(rules, state);
    let mut codes: [u64; 9] = std::array::from_fn(|i| word >> (7 * i) & 0x3F);
    macro_rules! exchange {
        ($low:literal, $high:literal) => {
            (codes[$low], codes[$high]) = (codes[$low].min(codes[$high]), codes[$low].max(codes[$high]))
        };
    }
    exchange!(0, 3); exchange!(1, 7); exchange!(2, 5); exchange!(4, 8); exchange!(0, 7);
    exchange!(2, 4); exchange!(3, 8); exchange!(5, 6); exchange!(0, 2); exchange!(1, 3);
    exchange!(4, 5); exchange!(7, 8); exchange!(1, 4); exchange!(3, 6); exchange!(5, 7);
    exchange!(0, 1); exchange!(2, 4); exchange!(3, 5); exchange!(6, 8); exchange!(2, 3);
    exchange!(4, 5); exchange!(6, 7); exchange!(1, 2); exchange!(3, 4); exchange!(5, 6);
    codes.into_iter().fold(0, |sorted, code| sorted << width | code)
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
