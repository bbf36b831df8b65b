//! 5-Visible: two players, eight bricks each, nine positions with stacks of at most three.
//!
//! A turn places a brick from the stash, or (while three stacks stand) moves the top brick of a stack
//! that did not receive the last brick. Five of your bricks on top of stacks win, whoever moved.
//! `docs/rules/five-visible.md` has the rules, the codes and the errata of their source.
//!
//! ```
//! use tabia_core::{Game, Notation};
//! use tabia_five_visible::{FiveVisible, hashcode};
//!
//! let game = FiveVisible::default();
//! let position = game.parse("-/-/0/0/1/1/-/-/- 0 -")?;
//! assert_eq!(position.state, game.start());
//! assert_eq!(hashcode::board(&game, &position.state)?, 0x21212525);
//! assert_eq!(game.count_moves(&position.state), 21);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actions;
mod arrange;
mod eval;
mod features;
pub mod hashcode;
mod legal;
mod movegen;
mod notation;
mod observe;
mod pack;
mod rules;
mod state;
mod symmetry;
mod types;
mod validity;
mod view;
mod zobrist;

pub use legal::Legal;
pub use rules::{Counting, FiveVisible, Opening, RuleOptions};
pub use state::State;
pub use symmetry::Relocation;
pub use types::{Move, Place, Stack};
pub use validity::Violation;
pub use zobrist::all_keys;
