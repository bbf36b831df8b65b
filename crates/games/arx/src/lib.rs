//! Arx: rules and exact codes.

mod bits;
pub mod codes;
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
mod zobrist;

pub use codes::CodeError;
pub use game::Arx;
pub use moves::Move;
pub use state::State;
pub use symmetry::ArxSymmetry;
pub use types::{Kind, Pile, Square};
