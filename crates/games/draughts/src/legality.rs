//! Why a move is not legal, in words.

use crate::movegen;
use crate::moves::Move;
use crate::rules::{Counting, Draughts};
use crate::state::State;
use crate::types::{Color, Kind, Square};
use tabia_core::{Game, RuleError};

/// Fails with the particular reason unless the move is legal.
pub(crate) fn check(rules: &Draughts, state: &State, mv: Move) -> Result<(), RuleError> {
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    if moves.contains(&mv) {
        return Ok(());
    }
    let path: Vec<Square> = mv.squares().collect();
    let same_end = moves.iter().find(|legal| legal.without_route() == mv.without_route());
    match same_end {
        Some(legal) => Err(RuleError::new(format!("{mv} is counted as {legal}"))),
        None => Err(refusal(state, &path)),
    }
}

/// The reason why no legal move goes along `path` (two squares or more).
pub(crate) fn refusal(state: &State, path: &[Square]) -> RuleError {
    let mut moves = Vec::new();
    movegen::list(state, Counting::Routes, &mut moves);
    RuleError::new(reason(state, path, &moves))
}

/// Why the piece on a square has no move.
pub(crate) fn stuck(state: &State, from: Square) -> Option<String> {
    let (color, _) = state.piece(from)?;
    if color != state.turn() {
        return Some(format!("{} is to move", state.turn()));
    }
    let mut moves = Vec::new();
    movegen::list(state, Counting::Routes, &mut moves);
    let capture = moves.iter().find(|mv| mv.is_capture());
    Some(capture.map_or_else(|| "its ways are blocked".to_owned(), |mv| format!("must capture: {mv}")))
}

fn reason(state: &State, path: &[Square], moves: &[Move]) -> String {
    let (Some(&from), Some(&to)) = (path.first(), path.last()) else {
        return "a move names two squares or more".to_owned();
    };
    let turn = state.turn();
    if moves.is_empty() {
        return format!("the game is over: {turn} has no move");
    }
    let kind = match state.piece(from) {
        None => return format!("there is no piece on {from}"),
        Some((color, _)) if color != turn => {
            return format!("the piece on {from} is {color}'s, and {turn} is to move");
        }
        Some((_, kind)) => kind,
    };
    if let Some(longer) = moves.iter().find(|mv| continues(**mv, path)) {
        return format!("the capture goes on: {longer}");
    }
    let compulsory = moves.iter().find(|mv| mv.is_capture());
    match (distance(from, path[1]), compulsory) {
        (Some(1), Some(capture)) => format!("a capture is compulsory: {capture}"),
        (Some(1), None) => step_reason(state, kind, from, to, path.len()),
        (Some(2), _) => jump_reason(state, kind, path, compulsory),
        _ => format!("{from} and {} are neither neighbours nor a jump apart", path[1]),
    }
}

/// Whether `path` is how a longer capture begins, or its first and some later square.
fn continues(mv: Move, path: &[Square]) -> bool {
    let squares: Vec<Square> = mv.squares().collect();
    let inner = &squares[..squares.len() - 1];
    inner.starts_with(path) || path.len() == 2 && squares[0] == path[0] && inner[1..].contains(&path[1])
}

/// Diagonal steps between two squares; `None` when they are not on a diagonal.
fn distance(a: Square, b: Square) -> Option<usize> {
    let (rows, columns) = (a.row().abs_diff(b.row()), a.column().abs_diff(b.column()));
    (rows == columns && rows > 0).then_some(rows)
}

fn is_backward(color: Color, from: Square, to: Square) -> bool {
    match color {
        Color::Black => to.row() < from.row(),
        Color::White => to.row() > from.row(),
    }
}

fn step_reason(state: &State, kind: Kind, from: Square, to: Square, squares: usize) -> String {
    if squares > 2 {
        return "a move without capture ends after one step".to_owned();
    }
    if kind == Kind::Man && is_backward(state.turn(), from, to) {
        return format!("the man on {from} cannot move backward to {to}");
    }
    format!("{to} is occupied")
}

/// Walks along the jumps and stops at the first that cannot be made.
fn jump_reason(state: &State, kind: Kind, path: &[Square], compulsory: Option<&Move>) -> String {
    let opponent = state.of(state.turn().other());
    let (mut captured, mut at) = (0, path[0]);
    for &next in &path[1..] {
        if distance(at, next) != Some(2) {
            return format!("{at} and {next} are not a jump apart");
        }
        let Some(over) =
            Square::at(usize::midpoint(at.row(), next.row()), usize::midpoint(at.column(), next.column()))
        else {
            return format!("{at} and {next} are not a jump apart");
        };
        if kind == Kind::Man && is_backward(state.turn(), at, next) {
            return format!("the man from {} cannot jump backward to {next}", path[0]);
        }
        if captured & over.bit() != 0 {
            return format!("the piece on {over} cannot be jumped twice");
        }
        if opponent & over.bit() == 0 {
            let must = compulsory.map_or(String::new(), |mv| format!("; a capture is compulsory: {mv}"));
            return format!("there is no piece of {} to jump on {over}{must}", state.turn().other());
        }
        if state.empty() & next.bit() == 0 && next != path[0] {
            return format!("{next} is occupied");
        }
        captured |= over.bit();
        at = next;
    }
    "this move is not legal here".to_owned()
}
