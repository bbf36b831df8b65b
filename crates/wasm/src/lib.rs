//! Tabia in the browser: the answering layer behind the messages of a worker.
//!
//! [`Tabia`] answers the requests of the HTTP API with the same bytes, without a server: `web/js/local/worker.js`
//! and the npm package hand it what they are asked. A browser gives each worker one thread, so that long
//! work is done when JavaScript says so ([`Tabia::work`]), in a worker of its own; it tells how far it is
//! through functions that JavaScript has lent ([`Tabia::follow`], [`Tabia::watch`]), and is stopped by
//! ending its worker. Files live in memory (`tabia-disk`); JavaScript keeps them (`changed_files`).

mod files;
mod host;
mod tabia;

#[cfg(target_family = "wasm")]
pub use files::{changed_files, put_file, read_file};
pub use tabia::{Answered, Tabia};
