//! Many games of one kind at once: what somebody who learns a game, or lets others learn it, works with.
//!
//! A [`Batch`] holds `n` positions, its *rows*. Everything is asked of all rows in one call, answered into the
//! caller's buffers, and shared among threads: legal moves as action numbers (ragged, or as masks), positions as
//! planes of bytes, exact encodings, keys, outcomes, random play. [`AnyBatch`] is the same without the type of the game.
//!
//! ```
//! use tabia_batch::{AnyBatch, Batch};
//! use tabia_draughts::Draughts;
//!
//! let mut batch = Batch::new(Draughts::default(), 100, 7, 2);
//! while batch.outcome()?.contains(&tabia_batch::GOING_ON) {
//!     batch.random()?;
//! }
//! assert_eq!(batch.legal()?.actions.len(), 0);
//! # Ok::<(), tabia_batch::BatchError>(())
//! ```
//!
//! **Draws by history.** A game in a row ends as a recorded one does: by repetition, by plies without progress, by length.
//! Repetition is seen by 64-bit keys. Where no rule ends a game, 100,000 plies do, as a draw. A position that is
//! set has no history but the quiet plies it knows itself (a FEN's clock is not part of the encoding of chess: none).
//! Playouts go on from a row's counts and see every draw but repetition.
//!
//! **Randomness.** Every row has its own generator, made from the seed and the number of the row. What happens in a row
//! depends on these two and on what was asked of it, on nothing else: neither on the other rows nor on the threads.

mod any;
mod batch;
mod error;
mod history;
mod row;

pub use any::{AnyBatch, Legal};
pub use batch::Batch;
pub use error::BatchError;

/// What [`AnyBatch::outcome`] says of a game that is not over.
pub const GOING_ON: i8 = -1;
/// What [`AnyBatch::outcome`] says of a draw, and of a puzzle that is stuck. 0 and 1 are the winners; a solved puzzle is 0.
pub const DRAWN: i8 = 2;
