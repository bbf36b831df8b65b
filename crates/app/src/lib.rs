//! The facade: a game id and text go in, serialisable views come out.
//!
//! Command line, HTTP and Python speak to all games alike through [`AnyGame`] and [`AnyPosition`];
//! only [`registry`] names the games. Field names of the views are a contract: the same in `--json`
//! and over HTTP.
//!
//! ```
//! let game = tabia_app::registry().find("five")?;
//! let mut position = game.parse("empty")?;
//! position.play("s5")?;
//! assert_eq!(position.view().position, "-/-/-/-/0/-/-/-/- 1 5");
//! # Ok::<(), tabia_app::InputError>(())
//! ```

mod adapter;
mod any;
pub mod bench;
pub mod book;
mod capabilities;
pub mod draw;
mod enumerate;
mod error;
mod film;
pub mod measure;
pub mod protocol;
mod registry;
pub mod search;
pub mod solve;
pub mod tablebase;
pub mod views;

pub use adapter::Adapter;
pub use any::{AnyGame, AnyPosition, EnumerateRequest, PerftRequest, PlayoutRequest};
pub use enumerate::LevelWatcher;
pub use error::{ErrorKind, InputError};
pub use film::Frame;
pub use registry::{Registry, registry};
