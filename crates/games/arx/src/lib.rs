//! Arx: rules and exact codes.

mod art;
mod bits;
pub mod codes;
mod eval;
mod game;
mod legality;
mod movegen;
mod moves;
mod notation;
#[cfg(test)]
mod oracle;
pub mod pack;
mod reach;
mod state;
mod symmetry;
mod types;
mod view;
mod zobrist;

pub use codes::CodeError;
pub use game::Arx;
pub use moves::Move;
pub use state::State;
pub use symmetry::ArxSymmetry;
pub use types::{Kind, Pile, Square};
