//! Arx: stacks of two, and a King to take.
//!
//! Two armies of twenty on nine by nine squares. Every piece takes as it moves; only the Dragon jumps.
//!
//! | piece | moves |
//! |---|---|
//! | Soldier | one step diagonally forward |
//! | Jester | any distance diagonally |
//! | Commander | any distance orthogonally |
//! | Paladin | one or two steps orthogonally |
//! | Guard | one or two steps diagonally |
//! | Dragon | a knight's leap |
//! | Ballista | any distance straight forward |
//! | King | one step in any direction |
//!
//! A single piece may step onto an own single piece (never a King): the two are a stack, which moves as a
//! whole like either of them, or is left by its top piece. Taking the King wins; a side without a move, or
//! a board with only the two Kings, is a draw. `docs/rules/arx.md` has the rules in full, with everything
//! that was decided here.
//!
//! ```
//! use tabia_arx::{Arx, codes};
//! use tabia_core::{Game, Notation};
//!
//! let mut position = Arx.start();
//! assert_eq!(Arx.count_moves(&position), 53);
//!
//! // The Commander steps onto a Soldier, and carries it along later.
//! let stack = Arx.parse_move(&position, "g2+g3")?;
//! Arx.play(&mut position, stack);
//! assert_eq!(Arx.format(&position), "bdpgkgpdb/2c3j2/sssssssss/9/9/9/SSSSSS[CS]SS/2J6/BDPGKGPDB b");
//!
//! // Exact codes: nine numbers, and back.
//! let words = codes::to_words(&position);
//! assert_eq!(codes::from_words(&words)?, position);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actions;
mod arrange;
mod art;
mod bits;
pub mod codes;
mod eval;
mod features;
mod index;
mod legal;
mod legality;
mod movegen;
mod moves;
mod notation;
mod observe;
#[cfg(test)]
mod oracle;
pub mod pack;
mod reach;
mod rules;
mod state;
mod symmetry;
mod types;
mod validity;
mod view;
mod zobrist;

pub use codes::CodeError;
pub use legal::Legal;
pub use moves::Move;
pub use rules::Arx;
pub use state::State;
pub use symmetry::ArxSymmetry;
pub use types::{Kind, Pile, Square};
