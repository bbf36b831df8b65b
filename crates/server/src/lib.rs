//! The HTTP API and the page that speaks it.
//!
//! Everything about games comes from [`tabia_app`]; this crate turns requests into questions and
//! answers into JSON, and knows no rule. One list of routes (`api`) makes both the router and the
//! description of the API, so that neither can drift from the other.
//!
//! Short questions are answered where they arrive; long ones run on threads of their own, in bounded
//! number, so that the threads that speak to clients are never busy with a game.

mod analyses;
mod api;
mod assets;
mod book;
mod config;
mod connections;
mod error;
mod extract;
mod games;
mod jobs;
mod metrics;
mod observe;
pub mod openapi;
mod route;
mod serve;
mod state;
mod work;

pub use config::{Config, Limits};
pub use error::{Problem, ServeError};
pub use serve::{router, run, serve};
pub use state::{Server, Shared};
