//! What every reader of text owes its user: no panic, and an error that points into the input.

use tabia_core::{MoveError, PositionError, Present};

/// Feeds `text` to every reader of a game; panics when one points outside the input, and passes on
/// any panic of theirs.
pub fn never_panic<G: Present>(rules: &G, text: &str) {
    position_error_points_inside(text, rules.parse(text).err());
    for format in rules.formats() {
        position_error_points_inside(text, rules.decode(text, &format.id).err());
    }
    match rules.parse_move(&rules.start(), text) {
        Err(MoveError::Syntax(error)) => inside(text, error.offset),
        Err(MoveError::Illegal(error)) => inside(text, error.offset.unwrap_or(0)),
        Ok(_) | Err(_) => {}
    }
}

fn position_error_points_inside(text: &str, error: Option<PositionError>) {
    match error {
        Some(PositionError::Syntax(error)) => inside(text, error.offset),
        Some(PositionError::Rules(errors)) => {
            assert!(!errors.is_empty(), "an error without a reason for {text:?}");
            errors.iter().filter_map(|error| error.offset).for_each(|offset| inside(text, offset));
        }
        _ => {}
    }
}

fn inside(text: &str, offset: usize) {
    assert!(offset <= text.len(), "the error points to byte {offset} of {text:?}");
}
