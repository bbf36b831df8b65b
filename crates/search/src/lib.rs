//! Search for any game: three engines with one vocabulary.
//!
//! | engine | needs | answers |
//! |---|---|---|
//! | [`AlphaBeta`] | [`Evaluate`](tabia_core::Evaluate) | the best move; wins and losses with their distance |
//! | [`Mcts`] | only [`Game`](tabia_core::Game) | the best move by playouts, proven results where it meets them |
//! | [`ProofNumber`] | only [`Game`](tabia_core::Game) | whether a side can force a win, with the line |
//!
//! A search starts from a [`Record`](tabia_core::Record), because draws by repetition and by counting
//! depend on what was played. It is given [`Limits`] and a [`Stop`] switch, and answers with a
//! [`Report`]. With one thread every answer but the time is the same on every run.
//!
//! Exactness comes first: a [`Score::Win`], [`Score::Loss`] or [`Score::Draw`] is a proof, never a
//! guess. How that is kept true through transposition tables, repetitions and pruning is told in
//! the module that does it ([`alphabeta`]).

pub mod alphabeta;
mod limits;
pub mod mcts;
mod path;
pub mod proof;
mod report;
mod score;

pub use alphabeta::{AlphaBeta, Question, SearchOptions};
pub use limits::Limits;
pub use mcts::{Mcts, MctsOptions};
pub use proof::{Proof, ProofNumber, Verdict};
pub use report::{Line, Report, TableStats};
pub use score::Score;
pub use tabia_core::Stop;
