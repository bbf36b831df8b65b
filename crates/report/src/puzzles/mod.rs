//! Puzzles: positions in which exactly one move is right, made, rated and checked.
//!
//! What *right* means depends on what can be proved, and a puzzle says so:
//!
//! | `verified` | the claim |
//! |---|---|
//! | `tables`, `solver` | exactly one move keeps the exact value of the position (win or draw; solvable) |
//! | `proof` | exactly one move forces a win within so many plies: a full-width search |
//! | `second search` | exactly one move gains: two searches that share nothing agree |
//!
//! A puzzle that is made by a search is checked by plain code that shares nothing with it ([`check`]).

mod chance;
pub mod check;
mod exact;
mod forced;
mod maker;
mod rating;
mod record;
mod solitaire;
mod themes;

pub use exact::{Only, only_keeper};
pub use forced::{Forced, forced_win};
pub use maker::{Ask, Engine, MakeOptions, Maker};
pub use rating::rating_of;
pub use record::{PuzzleRecord, Verified, id_of};
pub use solitaire::only_solvable;
pub use themes::themes;
