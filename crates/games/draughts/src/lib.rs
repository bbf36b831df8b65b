//! English draughts: rules, codes, FEN and PDN.
//!
//! Two sides on the 32 dark squares of an 8x8 board. Black moves first. Men step and capture diagonally
//! forward, kings one step in all four directions. A capture jumps over an opponent's piece to the empty
//! square behind it, is compulsory, and goes on as long as it can; which capture to make is free. Jumped
//! pieces are removed when the move ends. A man that reaches the last row becomes a king and its turn
//! ends. Who cannot move has lost. A third repetition, or 40 moves by each side without a capture or a
//! man's move, is a draw.
//!
//! ```
//! use tabia_core::{Game, Notation};
//! use tabia_draughts::Draughts;
//!
//! let rules = Draughts::default();
//! let mut state = rules.parse("W:W18,K32:B8,14,15,23")?.state;
//! let mut moves = Vec::new();
//! rules.moves(&state, &mut moves);
//! let texts: Vec<String> = moves.iter().map(|&mv| rules.format_move(&state, mv)).collect();
//! assert_eq!(texts, ["18x9", "18x4"]);
//!
//! let whole_path = rules.parse_move(&state, "18x4")?;
//! assert_eq!(whole_path.to_string(), "18x11x4");
//! rules.play(&mut state, whole_path);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Draughts`]: the rules, for everything generic in `tabia-core`; [`State`] and [`Move`] are its data.
//! - [`Setup`]: a board and a turn as plain data over 64-bit boards, valid or not.
//! - [`ResultConvention`]: who won when a file says `1-0`.

#![allow(
    clippy::inline_always,
    reason = "steps of whole boards pay only when nothing is called for them; measured"
)]

mod acf;
mod actions;
mod arrange;
mod bits;
mod board;
mod capture;
mod dump;
mod eval;
mod features;
mod fen;
mod files;
mod index;
mod legal;
mod legality;
mod movegen;
mod moves;
mod notation;
mod observe;
#[cfg(test)]
mod oracle;
mod pack;
mod pdn;
mod random;
mod rules;
mod setup;
mod state;
mod symmetry;
mod types;
mod validity;
mod view;
pub mod zobrist;

pub use board::{Board, PieceSet, Selector};
pub use legal::Legal;
pub use moves::Move;
pub use pack::PackedState;
pub use pdn::{Claim, ResultConvention};
pub use rules::{Counting, Draughts};
pub use setup::Setup;
pub use state::State;
pub use symmetry::HalfTurn;
pub use types::{Color, Kind, Square};
pub use validity::{Rule, Violation};
