//! The HTTP API and the page that speaks it.
//!
//! The answers come from [`tabia_api`]; this crate is HTTP around it: connections and their limits, who may
//! ask, compression, and the files of the page.
//!
//! Short questions are answered where they arrive; long ones run on threads of their own, in bounded
//! number, so that the threads that speak to clients are never busy with a game.

mod answer;
mod assets;
mod book;
mod config;
mod connections;
mod error;
mod guard;
mod host;
mod metrics;
mod observe;
mod passage;
mod serve;
mod state;
mod work;

pub use config::{Config, Limits};
pub use error::ServeError;
pub use guard::Token;
pub use observe::handle;
pub use serve::{run, run_until, serve};
pub use state::{Server, Shared};
