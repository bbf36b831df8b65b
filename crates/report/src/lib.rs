//! What a game is like ([`mod@profile`]), and what a played game was like: the worth of every position, the mistakes, the
//! accuracy of each player.
//!
//! Somebody who knows positions (a table, a solver, an engine) gives a [`Verdict`] on each position of a game;
//! [`annotate`] compares the verdicts before and after every move, and [`Annotation::write_into`] puts what it found
//! into the game, as marks and comments that other programs read. What a mistake is and how accuracy is computed is
//! told in [`judging`].

mod annotate;
pub mod judging;
mod notes;
pub mod profile;
mod verdict;

pub use annotate::{Annotation, Ply, annotate};
pub use judging::Mark;
pub use verdict::{Source, Verdict, Worth};
