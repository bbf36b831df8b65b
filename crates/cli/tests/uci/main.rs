//! `tabia uci`, spoken to as a chess GUI does: through the pipes of the real program.

mod clock;
mod conversation;
mod engine;
mod options;
mod questions;
