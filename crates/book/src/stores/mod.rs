//! The stores.

mod guard;
pub mod open;
mod pg_copy;
mod pg_write;
pub mod postgres;
pub mod redb;
mod redb_block;
mod redb_file;
mod redb_merge;
mod redb_read;
mod redb_write;
pub mod runs;
