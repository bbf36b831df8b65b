//! The answering layer: a request goes in as plain data, an answer comes out as plain data.
//!
//! Everything about games comes from [`tabia_app`]; this crate turns requests into questions and answers
//! into JSON, and knows neither a rule nor a transport. One list of routes makes both the matching of
//! addresses and the description of the API, so that neither can drift from the other.
//!
//! Whoever carries requests (HTTP, a worker in a browser) lends threads and time through [`Host`], asks
//! [`Found::find`] which route is meant, and that for the answer. Routes that may take long say so
//! ([`Found::is_long`]); what goes on after its answer is heard through [`Events`].

mod analyses;
mod answer;
mod api;
mod book;
mod host;
mod jobs;
pub mod openapi;
mod problem;
mod request;
mod route;
mod routes;

pub use analyses::{Events, Next};
pub use answer::{Answer, Body, Event};
pub use api::{Api, Limits, Settings};
pub use book::Book;
pub use host::{Host, Place, TemporaryFile, Work};
pub use problem::Problem;
pub use request::Request;
pub use route::{Found, Route};
