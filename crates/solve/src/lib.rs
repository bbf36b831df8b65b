//! Exact solvers and solution files, generic over any game.
//!
//! | module | answers |
//! |---|---|
//! | [`strong`] | the value of every position that can be reached, in memory |
//! | [`dfs`] | one path to a goal in a game for one player, or the proof that there is none |

pub mod code;
pub mod dfs;
mod error;
mod progress;
pub mod strong;

pub use error::{FileError, SolveError, bytes};
pub use progress::{Listener, Progress};
