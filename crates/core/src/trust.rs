//! Asking a game in long work without trusting it blindly.
//!
//! A game is code that somebody wrote, perhaps in another language. Where it contradicts itself, the work ends
//! with an error that names the position; it never goes on with one position less.

use crate::packed::to_hex;
use crate::{Game, Packed};
use thiserror::Error;

/// How a game broke the laws of [`Game`], or could not go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GameError {
    /// The game cannot read an encoding that it wrote itself.
    #[error("the position {packed} of {variant} does not unpack: {reason}")]
    Unpack {
        /// The rules.
        variant: String,
        /// The bytes, in hexadecimal.
        packed: String,
        /// What the game says is wrong with them.
        reason: String,
    },
    /// Two answers of the game do not fit together.
    #[error("the game contradicts itself: {0}")]
    Contradiction(String),
    /// The rules failed, and say why ([`Game::fault`]).
    #[error("the rules of {variant} failed: {reason}")]
    Fault {
        /// The rules.
        variant: String,
        /// What they say.
        reason: String,
    },
}

/// The position behind an encoding that the game wrote itself.
pub fn unpack<G: Game>(game: &G, packed: &G::Packed) -> Result<G::State, GameError> {
    game.unpack(packed).map_err(|error| {
        let (packed, reason) = (to_hex(packed.as_bytes()), error.to_string());
        fault_or(game, GameError::Unpack { variant: game.variant(), packed, reason })
    })
}

/// The error for two answers that do not fit together, in words that name the position.
pub fn contradiction<G: Game>(game: &G, what: impl Into<String>) -> GameError {
    fault_or(game, GameError::Contradiction(what.into()))
}

/// Rules that have failed answer something harmless, which may well contradict itself: the failure is the reason.
fn fault_or<G: Game>(game: &G, error: GameError) -> GameError {
    check(game).err().unwrap_or(error)
}

/// An error when the rules have failed; to be asked now and then, and before an answer is passed on.
#[inline]
pub fn check<G: Game>(game: &G) -> Result<(), GameError> {
    match game.fault() {
        None => Ok(()),
        Some(reason) => Err(GameError::Fault { variant: game.variant(), reason }),
    }
}
