//! The stores. Those that need a database are features of this crate.

#[cfg(feature = "redb")]
#[doc(hidden)]
pub mod blocks;
#[cfg(feature = "postgres")]
pub mod citus;
#[cfg(feature = "redb")]
mod guard;
pub mod kept;
mod kept_games;
pub mod memory;
pub mod open;
#[cfg(feature = "postgres")]
mod pg_copy;
#[cfg(feature = "postgres")]
mod pg_scan;
#[cfg(feature = "postgres")]
mod pg_write;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "redb")]
pub mod redb;
#[cfg(feature = "redb")]
mod redb_block;
#[cfg(feature = "redb")]
mod redb_file;
#[cfg(feature = "redb")]
mod redb_merge;
#[cfg(feature = "redb")]
mod redb_read;
#[cfg(feature = "redb")]
mod redb_write;
pub mod runs;
