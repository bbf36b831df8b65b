//! Peg solitaire: boards, codes, and the solver that is special to pegs.
//!
//! A peg jumps over a neighbouring peg into the empty hole behind it; the jumped peg is removed. A
//! *jump* is one hop and is what the rules call a move; hops in a row by one peg are one move to
//! people, and to the solver where it counts moves ([`chain`]). The game is over when no jump is
//! left, and won when the position on the board is then the [`Goal`].
//!
//! [`Solitaire`] is the rules: a board ([`Board`], up to 64 holes on a square grid or a triangle)
//! and a goal. A position ([`State`]) is one word.
//!
//! ```
//! use tabia_core::{Game, Notation};
//! use tabia_solitaire::Solitaire;
//!
//! let rules = Solitaire::english();
//! let mut state = rules.start();
//! let jump = rules.parse_move(&state, "d2-d4")?;
//! rules.play(&mut state, jump);
//! assert_eq!(rules.format(&state), "--ooo--/--o.o--/ooo.ooo/ooooooo/ooooooo/--ooo--/--ooo--");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actions;
mod arrange;
mod art;
mod board;
pub mod catalogue;
pub mod chain;
mod goal;
mod legal;
mod movegen;
mod notation;
mod observe;
pub mod pack;
mod rules;
pub mod solver;
mod state;
mod symmetry;
mod types;
mod validity;
mod view;

pub use board::{Board, BoardError, Lattice};
pub use goal::Goal;
pub use legal::Legal;
pub use notation::{goal_text, parse_goal};
pub use rules::Solitaire;
pub use state::State;
pub use symmetry::{BoardSymmetry, Group};
pub use types::{Hole, Jump, MOST_HOLES};
