//! Moves of several hops by one peg: `d2-d4-f4`. To the rules they are jumps in a row.

use crate::{Board, Jump, Solitaire, State};
use tabia_core::notation::Cursor;
use tabia_core::{Game, MoveError, RuleError, TextError};

/// Reads a move of one or more hops and checks every hop.
pub fn parse(rules: &Solitaire, state: &State, text: &str) -> Result<Vec<Jump>, MoveError> {
    let board = rules.board();
    let mut cursor = Cursor::new(text);
    let mut state = *state;
    let mut jumps = Vec::new();
    let mut from = hole(board, &mut cursor)?;
    while jumps.is_empty() || !cursor.at_end() {
        cursor.expect('-')?;
        let offset = cursor.offset();
        let to = hole(board, &mut cursor)?;
        let jump = board.jumps().iter().find(|jump| jump.from == from && jump.to == to);
        let jump = *jump.ok_or_else(|| {
            let (from, to) = (board.hole_name(from), board.hole_name(to));
            RuleError::at(offset, format!("{to} is not two steps in a row from {from}"))
        })?;
        rules.check_move(&state, jump).map_err(|error| RuleError::at(offset, error.message))?;
        rules.play(&mut state, jump);
        jumps.push(jump);
        from = to;
    }
    Ok(jumps)
}

fn hole(board: &Board, cursor: &mut Cursor<'_>) -> Result<crate::Hole, TextError> {
    let offset = cursor.offset();
    let name = cursor.take_while(|c| c.is_ascii_alphanumeric());
    board.hole(name).ok_or_else(|| cursor.error_at(offset, "a hole of the board, like d4"))
}

/// Groups jumps into moves: a jump that goes on with the peg that jumped last belongs to its move.
pub fn group(line: &[Jump]) -> Vec<&[Jump]> {
    line.chunk_by(|earlier, later| earlier.to == later.from).collect()
}

/// Writes the hops of one move.
pub fn format(board: &Board, hops: &[Jump]) -> String {
    let first = hops.first().map(|hop| board.hole_name(hop.from));
    let names = first.into_iter().chain(hops.iter().map(|hop| board.hole_name(hop.to)));
    names.collect::<Vec<_>>().join("-")
}
