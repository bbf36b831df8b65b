//! The facade: a game id and text go in, serialisable views come out.
//!
//! Command line, HTTP and programs that use the library speak to all games alike through [`AnyGame`] and
//! [`AnyPosition`]. The games that come with Tabia are named in [`Registry::standard`], and [`Registry::with`] adds
//! others; beside it only [`protocol`] knows single games, because the protocols do. Field names of the views are
//! the same in `--json` and over HTTP, and stay as they are.
//!
//! ```
//! let registry = tabia_app::Registry::standard();
//! let game = registry.find("five")?;
//! let mut position = game.parse("empty")?;
//! position.play("s5")?;
//! assert_eq!(position.view().position, "-/-/-/-/0/-/-/-/- 1 5");
//! # Ok::<(), tabia_app::InputError>(())
//! ```

mod adapter;
pub mod annotate;
mod any;
mod arrange;
mod batches;
pub mod bench;
pub mod book;
mod capabilities;
#[cfg(feature = "cluster")]
pub mod cluster;
mod count;
mod counting;
pub mod device;
pub mod draw;
mod enumerate;
mod error;
mod files;
mod film;
#[cfg(not(target_family = "wasm"))]
pub mod find;
mod history;
mod listed;
pub mod measure;
mod nets;
mod openings;
pub mod profile;
pub mod protocol;
pub mod puzzles;
mod recognise;
mod registry;
pub mod search;
mod settings;
pub mod solve;
pub mod tablebase;
mod typed;
pub mod views;
mod watch;
mod whole;

pub use adapter::Adapter;
pub use any::{AnyGame, AnyPosition};
pub use arrange::{ArrangePosition, ArrangedView, PaletteView, StampView};
pub use batches::{BatchGame, BatchRequest, MOST_ROWS};
pub use counting::{CountPosition, EnumerateRequest, PerftRequest, PlayoutRequest};
pub use enumerate::LevelListener;
pub use error::{ErrorKind, InputError};
pub use files::{FilesGame, GameRecord, RecordSink};
pub use film::Frame;
pub use history::History;
pub use listed::ListedMoves;
pub use recognise::{Found, FoundGame, FoundPosition, MOST_FOUND, Recognised, recognise};
pub use registry::Registry;
pub use settings::Settings;
pub use tabia_core::clock::Instant;
pub use tabia_core::{Arrangement, Outcome, Progress, Stop};
pub use typed::{Typed, typed};
pub use watch::Watch;
pub use whole::{GameText, LineText, MoveText, ReadGames, Skipped, WholeGames};
