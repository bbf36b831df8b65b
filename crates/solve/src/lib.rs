//! Exact solvers and solution files, generic over any game.
//!
//! | module | answers |
//! |---|---|
//! | [`strong`] | the value of every position that can be reached, in memory |
//! | [`dfs`] | one path to a goal in a game for one player, or the proof that there is none |
//! | [`mod@file`] | the tablebase file: compressed blocks, checksums, random access |
//! | [`keyed`] | tables of positions found by exact keys: any game |
//! | [`slices`] | tables of positions found by a perfect index: endings by material |
//! | [`verify`] | every value worked out again from its neighbours |
//! | [`stats`], [`plot`] | what is in a table, as numbers and as pictures |
//! | [`lines`] | moves with their values, and best play |

pub mod code;
pub mod dfs;
mod error;
pub mod file;
pub mod keyed;
pub mod lines;
pub mod plot;
pub mod slices;
mod stage;
pub mod stats;
pub mod strong;
pub mod verify;

pub use error::{FileError, SolveError, bytes};
pub use keyed::KeyedTable;
