//! A move as a person types it: whole, or only its beginning, or not quite right.

use crate::{AnyPosition, InputError};
use tabia_core::sort_many;

/// The most moves that are named when something is not clear.
const MOST_NAMED: usize = 6;
/// Moves less like what was typed than this are not named.
const ALIKE: f64 = 0.6;

/// What somebody may have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// This move, as it can be played.
    Move(String),
    /// The beginning of several moves: some of them, and how many there are.
    Several(Vec<String>, usize),
    /// No move: why, and the legal moves that are most like it.
    Nothing(InputError, Vec<String>),
}

/// Finds the move that a text stands for: what the game itself can read, or the only move that begins so; capital
/// letters count where they make a difference.
pub fn typed(position: &dyn AnyPosition, text: &str) -> Typed {
    let error = match position.boxed_clone().play(text) {
        Ok(()) => return Typed::Move(text.to_owned()),
        Err(error) => error,
    };
    let moves = position.move_texts();
    let small = text.to_lowercase();
    let begins = |mv: &&String| mv.starts_with(text);
    let begins_nearly = |mv: &&String| mv.to_lowercase().starts_with(&small);
    let mut fitting: Vec<&String> = moves.iter().filter(begins).collect();
    if fitting.is_empty() {
        fitting = moves.iter().filter(begins_nearly).collect();
    }
    match &fitting[..] {
        [only] => Typed::Move((*only).clone()),
        [] => Typed::Nothing(error, nearest(moves, &small)),
        several => {
            Typed::Several(several.iter().take(MOST_NAMED).map(|mv| (*mv).clone()).collect(), several.len())
        }
    }
}

/// The moves that are most like a text, the nearest first.
fn nearest(moves: Vec<String>, small: &str) -> Vec<String> {
    let alike = |mv: &str| strsim::jaro_winkler(&mv.to_lowercase(), small);
    let mut rated: Vec<(f64, String)> = moves.into_iter().map(|mv| (alike(&mv), mv)).collect();
    rated.retain(|(alike, _)| *alike >= ALIKE);
    sort_many(&mut rated, |(a, _), (b, _)| b.total_cmp(a));
    rated.into_iter().take(MOST_NAMED).map(|(_, mv)| mv).collect()
}
