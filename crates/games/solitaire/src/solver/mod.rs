//! The solver that is special to pegs.
//!
//! | question | module | how |
//! |---|---|---|
//! | can it be at all? | [`span`] | position classes, for any board, in no time |
//! | one solution | `beam` | best-first levels that meet a region known around the goal |
//! | all positions | `reach` on `layout`, `bitmap`, `kernel`, `sectors` | one bit per position, 256 at a time |
//! | how many up to symmetry | `burnside` | by counting what symmetries keep in place |
//! | all solvable positions of a game | `solvable` | from both ends to the middle, by complements |
//! | all solvable positions of a board | `all` | backwards from the goal, by complements |
//! | number of solutions | `count` | sums over the solvable positions |
//! | solvable, at a glance | `oracle` | complements of what is reached from the goal's complement |
//! | fewest moves | `fewest`, `regions` | breadth first by moves through solvable positions, under a bound |
//!
//! Boards of more than 32 free holes have no bitmaps; for them `beam` and `hashed` remain.

mod action;
mod all;
mod answer;
mod beam;
mod bitmap;
mod burnside;
mod count;
mod fewest;
mod hashed;
mod images;
mod kernel;
pub(crate) mod layout;
mod levels;
mod oracle;
mod reach;
mod regions;
mod sectors;
mod solvable;
pub mod span;

pub use levels::solvable_classes;

#[cfg(test)]
mod tests;
