//! Tabia turns a position of a board game into a compact, exact, stable code, and the code into answers: the
//! legal moves, the exact value where the game can be solved, the best move where it cannot, and what happened
//! every time somebody played that move.
//!
//! # Two ways in
//!
//! * **The facade** ([`Registry`], [`AnyGame`], [`AnyPosition`]): games by name, texts in, answers out. For
//!   programs that speak about any game: front ends, services, scripts.
//! * **The typed crates** ([`games`], [`rules`], [`search`], [`solve`], [`book`]): one game as a type, nothing
//!   dynamic, full speed. For engines, solvers and research on one game.
//!
//! ```
//! use tabia::prelude::*;
//!
//! // The facade: any game by its name.
//! let registry = Registry::standard();
//! let mut position = registry.find("draughts")?.start();
//! position.play("11-15")?;
//! assert_eq!(position.move_count(), 7);
//!
//! // The types: one game, nothing dynamic.
//! use tabia::games::draughts::Draughts;
//! let rules = Draughts::default();
//! let mut state = rules.start();
//! let mv = rules.parse_move(&state, "11-15").unwrap();
//! rules.play(&mut state, mv);
//! assert_eq!(rules.count_moves(&state), 7);
//! # Ok::<(), tabia::InputError>(())
//! ```
//!
//! # By area
//!
//! Each area has an example that runs: `cargo run -p tabia --example NAME`.
//!
//! | area | here | example |
//! |---|---|---|
//! | rules: moves, counts, symmetry | [`rules`] | `rules` |
//! | codes: exact bytes, keys, canonical forms | [`rules::Packed`], [`AnyPosition::encode`] | `codes` |
//! | search: the best move | [`search`], [`AnyPosition::as_search`] | `search` |
//! | solve: the exact value | [`solve`], [`AnyPosition::as_solve`] | `solve` |
//! | book: statistics of played games | [`book`], [`AnyGame::as_book`] | `book` |
//! | report: mistakes and accuracy of played games | [`report`], [`AnyGame::as_annotate`] | |
//! | files: PGN, PDN and the like | [`rules::ReadGames`], [`AnyGame::as_files`] | `files` |
//!
//! # A game of your own
//!
//! Implement [`rules::Game`], [`rules::Notation`] and [`rules::Present`], and a program of three lines has the
//! whole command line and the page for it (`examples/connect-four` in the repository is one):
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     tabia::cli::run(Registry::standard().with(Adapter::new(ConnectFour::default()).with_search()))
//! }
//! ```

pub use tabia_app::{
    Adapter, AnyGame, AnyPosition, ErrorKind, FilesGame, Found, GameRecord, GameText, InputError, Recognised,
    Registry, Settings, Watch, draw, recognise, views,
};
#[cfg(feature = "cli")]
#[doc(inline)]
pub use tabia_cli as cli;

/// What a game is: the traits to implement, and what follows from them for every game.
pub mod rules {
    pub use tabia_core::*;
}

/// The games that come with Tabia, as types.
pub mod games {
    pub use tabia_arx as arx;
    pub use tabia_chess as chess;
    pub use tabia_draughts as draughts;
    pub use tabia_five_visible as five_visible;
    pub use tabia_solitaire as solitaire;
}

/// Alpha-beta, Monte-Carlo and proof-number search for any game.
pub mod search {
    pub use tabia_app::search::*;
    pub use tabia_search::{AlphaBeta, Limits, Line, Mcts, MctsOptions, ProofNumber, Report, SearchOptions};
}

/// Exact solvers, and tables of exact values.
pub mod solve {
    pub use tabia_app::solve::*;
    pub use tabia_app::tablebase;
    pub use tabia_solve::{KeyedTable, SolveError, file, keyed, lines, slices, strong, verify};
}

/// Statistics of played games.
pub mod book {
    pub use tabia_app::book::*;
    pub use tabia_book::*;
}

/// Played games looked at again: the worth of every position, mistakes, accuracy.
pub mod report {
    pub use tabia_app::annotate::*;
    pub use tabia_app::profile;
    pub use tabia_report::{Annotation, Mark, Ply, Source, Verdict, Worth, annotate, judging};
}

/// What most programs need.
pub mod prelude {
    pub use crate::rules::{
        Evaluate, Features, Game, Key, Notation, Outcome, Packed, Position, Present, Record, Side, Symmetry,
        Value,
    };
    pub use crate::{Adapter, AnyGame, AnyPosition, InputError, Registry};
}

/// The programs of `docs/library.md`, compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
mod library {}
