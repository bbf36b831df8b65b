//! Everything that can be wrong with what a user typed, in one shape for every front end.

use serde::Serialize;
use tabia_core::{MoveError, PositionError, RuleError, TextError};

/// What kind of trouble it is; front ends map it to exit codes and HTTP statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// The text does not have the form.
    Syntax,
    /// The text has the form, but breaks the rules of the game: a position that cannot be.
    Invalid,
    /// A move that may not be played here.
    Illegal,
    /// No game, format or option has this name.
    Unknown,
    /// The game does not have what was asked.
    Unsupported,
    /// A file that the answer needs is not as it was written.
    Damaged,
}

/// What was wrong, where, and everything that was wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct InputError {
    /// The kind of trouble.
    pub kind: ErrorKind,
    /// The whole message.
    pub message: String,
    /// What was typed.
    pub input: String,
    /// Byte offset of the trouble in the input, where it can be pointed at.
    pub offset: Option<usize>,
    /// What would have been accepted there, where the form of a text is wrong.
    #[serde(skip)]
    pub expected: Option<String>,
    /// Every single reason.
    pub reasons: Vec<String>,
}

impl InputError {
    /// An error with one reason and no place.
    pub fn new(kind: ErrorKind, input: impl Into<String>, message: impl Into<String>) -> Self {
        let message = message.into();
        InputError {
            kind,
            input: input.into(),
            offset: None,
            expected: None,
            reasons: vec![message.clone()],
            message,
        }
    }

    fn syntax(input: &str, error: &TextError) -> Self {
        let (offset, expected) = (Some(error.offset), Some(error.expected.clone()));
        InputError { offset, expected, ..Self::new(ErrorKind::Syntax, input, error.to_string()) }
    }

    fn rules(kind: ErrorKind, input: &str, errors: &[RuleError]) -> Self {
        let reasons: Vec<String> = errors.iter().map(|error| error.message.clone()).collect();
        let offset = errors.iter().find_map(|error| error.offset);
        InputError {
            kind,
            message: reasons.join("; "),
            input: input.to_owned(),
            offset,
            expected: None,
            reasons,
        }
    }

    /// A position that could not be read.
    pub fn position(input: &str, error: &PositionError) -> Self {
        match error {
            PositionError::Syntax(error) => Self::syntax(input, error),
            PositionError::Rules(errors) => Self::rules(ErrorKind::Invalid, input, errors),
            other => Self::new(ErrorKind::Unsupported, input, other.to_string()),
        }
    }

    /// A move that could not be read or played.
    pub fn mv(input: &str, error: &MoveError) -> Self {
        match error {
            MoveError::Syntax(error) => Self::syntax(input, error),
            MoveError::Illegal(error) => Self::rules(ErrorKind::Illegal, input, std::slice::from_ref(error)),
            other => Self::new(ErrorKind::Illegal, input, other.to_string()),
        }
    }
}
