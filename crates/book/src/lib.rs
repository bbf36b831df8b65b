//! Statistics of played games per position and move, for any game of the core's traits.
//!
//! ```
//! use tabia_book::import::record;
//! use tabia_book::stores::memory::MemoryStore;
//! use tabia_book::{Book, QueryOptions, Store, jsonl};
//! use tabia_core::Game;
//! use tabia_tic_tac_toe::TicTacToe;
//!
//! let store = MemoryStore::new();
//! let game = jsonl::parse_game(&TicTacToe, r#"{"moves": ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"]}"#)?;
//! assert!(record(&store, &game)?);
//! assert!(!record(&store, &game)?, "the same game never counts twice");
//!
//! let book = Book::new(&TicTacToe, store.as_reader())?;
//! let answer = book.query(&TicTacToe.start(), QueryOptions::default())?;
//! assert_eq!(answer.totals.draws, 1);
//! assert_eq!(answer.moves[0].played.total(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`Counts`], [`Row`] | counters, and the bytes of a position with its moves |
//! | [`Batch`] | games on their way in: framed, sorted, summed |
//! | [`Store`], [`Reader`] | what a store can do; [`stores`]: redb, PostgreSQL, run files, memory |
//! | [`runs`] | sorted immutable files, for imports larger than memory |
//! | [`import`], [`input`], [`jsonl`] | files of games into a store, each game exactly once |
//! | [`Book`] | a store as the book of one game: query, top, verify, export |
//!
//! The features `redb` and `postgres` (both on by default) are the stores that need a database; without them
//! books are kept in memory and in run files, also in a browser.
//!
//! The feature `parquet` (off by default) adds exports as Parquet files.
//!
//! The model, the formats and the arithmetic of large books are told in `docs/book.md`.

mod batch;
mod block;
mod coding;
mod counts;
mod error;
mod export;
mod fences;
mod fingerprint;
mod frame;
mod heap;
mod hex;
mod id;
pub mod import;
pub mod input;
pub mod jsonl;
#[cfg_attr(not(feature = "redb"), allow(dead_code))] // Only a file keeps them.
mod kept;
mod packed;
#[cfg(feature = "parquet")]
mod parquet;
mod polyglot;
mod query;
mod room;
mod row;
pub mod runs;
mod stoppable;
mod store;
pub mod stores;
mod top;
pub mod varint;
mod verify;

pub use batch::{Batch, BatchRows, Played};
pub use counts::{Counts, wilson};
pub use error::{Error, Result};
pub use export::{ExportRow, Exported};
pub use fingerprint::Fingerprint;
pub use id::GameId;
pub use import::enter;
pub use kept::{GameFilter, Keep, KeptGame, KeptGames, KeptMoves, SELFPLAY, Visit, VisitVisitor};
pub use polyglot::PolyglotEntry;
pub use query::{Book, MoveStats, PositionStats, QueryOptions, Sort};
pub use row::Row;
pub use stoppable::Stoppable;
pub use store::{
    Commit, FORMAT, FoundVisitor, Increments, Ledger, Reader, RowVisitor, Store, StoreInfo, Variant,
};
pub use top::{TopBy, TopOptions, TopPosition};
pub use verify::{Verified, verify_bytes};
