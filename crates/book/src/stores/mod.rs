//! The stores.

pub mod open;
mod pg_copy;
pub mod postgres;
pub mod redb;
pub mod runs;
