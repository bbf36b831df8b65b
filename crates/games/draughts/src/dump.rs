//! The dump: a digit for each of the 64 squares, then the turn.

use crate::State;
use crate::board::{Board, PieceSet};
use crate::setup::Setup;
use crate::types::Color;
use tabia_core::{PositionError, TextError};

/// 1 black man, 2 black king, 4 white man, 8 white king; 0 for an empty square.
pub(crate) fn digit(board: &Board, bit: u32) -> u32 {
    let sets = [board.black_men, board.black_kings, board.white_men, board.white_kings];
    sets.iter().enumerate().map(|(n, set)| u32::from(set.contains(bit)) << n).sum()
}

/// Writes a dump.
pub(crate) fn write(state: &Setup) -> String {
    let digits = (0..64).filter_map(|bit| char::from_digit(digit(&state.board, bit), 16));
    digits.chain(std::iter::once(state.turn.letter())).collect()
}

/// Reads a dump.
pub(crate) fn read(text: &str) -> Result<Setup, TextError> {
    let mut boards = [0u64; 4];
    let bytes = text.as_bytes();
    for bit in 0..64 {
        let set = match bytes.get(bit) {
            Some(b'0') => continue,
            Some(b'1') => 0,
            Some(b'2') => 1,
            Some(b'4') => 2,
            Some(b'8') => 3,
            _ => return Err(TextError::at(text, bit, "a digit 0, 1, 2, 4 or 8")),
        };
        boards[set] |= 1 << bit;
    }
    let turn = match bytes.get(64) {
        Some(b'B') => Color::Black,
        Some(b'W') => Color::White,
        _ => return Err(TextError::at(text, 64, "'B' or 'W'")),
    };
    if bytes.len() > 65 {
        return Err(TextError::at(text, 65, "the end"));
    }
    let [black_men, black_kings, white_men, white_kings] = boards.map(PieceSet);
    Ok(Setup { board: Board { black_men, black_kings, white_men, white_kings }, turn })
}

/// The valid position of a dump that begins at `begin` of a text, or all violated rules with their places in it.
pub(crate) fn read_valid(dump: &str, begin: usize) -> Result<State, PositionError> {
    let setup = read(dump).map_err(|error| error.shifted(begin))?;
    let violations = setup.violations();
    if violations.is_empty() {
        return State::try_from(setup);
    }
    let place = |squares: PieceSet| squares.bits().min().map(|bit| begin + bit as usize);
    Err(PositionError::Rules(violations.iter().map(|v| v.rule_error(place(v.squares))).collect()))
}
