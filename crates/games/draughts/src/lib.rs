//! English draughts: rules, codes, FEN and PDN.

mod acf;
mod bits;
mod board;
mod capture;
mod check;
mod dump;
mod eval;
mod fen;
mod files;
mod game_state;
mod index;
mod movegen;
mod moves;
mod notation;
#[cfg(test)]
mod oracle;
mod pack;
mod pdn;
mod random;
mod rules;
mod state;
mod symmetry;
mod types;
mod validity;
mod view;
pub mod zobrist;

pub use board::{Board, PieceSet, Selector};
pub use game_state::GameState;
pub use moves::Move;
pub use pack::PackedState;
pub use pdn::ResultConvention;
pub use rules::{Counting, Draughts};
pub use state::State;
pub use symmetry::HalfTurn;
pub use types::{Color, Kind, Square};
pub use validity::{Rule, Violation};
