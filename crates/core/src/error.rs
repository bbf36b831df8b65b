//! What can be wrong with input: always with the place and the reason.

use thiserror::Error;

/// Text that cannot be read: where, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at byte {offset}: expected {expected}, found {found}")]
pub struct TextError {
    /// Byte offset of the first offending character in the input.
    pub offset: usize,
    /// What would have been accepted there.
    pub expected: String,
    /// What stands there (a quoted character, or "the end").
    pub found: String,
}

impl TextError {
    /// An error at `offset` of `input`; what was found is read off the input.
    pub fn at(input: &str, offset: usize, expected: impl Into<String>) -> Self {
        let found = match input.get(offset..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!("{c:?}"),
            None if offset >= input.len() => "the end".to_owned(),
            None => "part of a character".to_owned(),
        };
        TextError { offset, expected: expected.into(), found }
    }

    /// The same error in a text where this one begins at `by`.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        self.offset += by;
        self
    }
}

/// A rule that a position or move violates.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct RuleError {
    /// What is wrong, naming the square or piece.
    pub message: String,
    /// Byte offset in the input where that can be pointed at.
    pub offset: Option<usize>,
}

impl RuleError {
    /// A violated rule without a place in the text.
    pub fn new(message: impl Into<String>) -> Self {
        RuleError { message: message.into(), offset: None }
    }

    /// A violated rule at a place in the text.
    pub fn at(offset: usize, message: impl Into<String>) -> Self {
        RuleError { message: message.into(), offset: Some(offset) }
    }
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The text does not have the form.
    #[error(transparent)]
    Syntax(#[from] TextError),
    /// The text has the form, but what it says breaks these rules (all of them are listed).
    #[error("{}", join(.0))]
    Rules(Vec<RuleError>),
    /// The code or format cannot be used here.
    #[error("{0}")]
    Unsupported(String),
}

impl PositionError {
    /// A single violated rule.
    pub fn rule(message: impl Into<String>) -> Self {
        PositionError::Rules(vec![RuleError::new(message)])
    }
}

/// Why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The text does not have the form of a move.
    #[error(transparent)]
    Syntax(#[from] TextError),
    /// The text is a move, but not a legal one here.
    #[error(transparent)]
    Illegal(#[from] RuleError),
}

fn join(errors: &[RuleError]) -> String {
    errors.iter().map(|e| e.message.as_str()).collect::<Vec<_>>().join("; ")
}
