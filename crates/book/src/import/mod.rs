//! Importing files of games: readers, workers and committers, each with threads of their own and bounded queues between them.
//!
//! ```text
//! files -> readers (parse) -> workers (frame, batch, sort) -> committers (as many as the store has room for)
//!                                                        \-> runs on disk, merged at the end
//! ```
//!
//! A commit is of several sorted batches: one thread merges them, another writes what comes of it. Runs are
//! synchronised by a thread that does nothing else.
//!
//! Every game counts once, and equal games of a file count each: an id is claimed within this import, looked up in the book when its batch
//! is closed, and written in the transaction that counts it. So an import can be killed at any moment
//! and started again with the same files.

mod ahead;
mod claims;
mod job;
mod pipeline;
mod spill;

pub use job::{BadGame, Event, ImportOptions, ImportReport, ReadFn};
pub use pipeline::{enter, import, record, record_all, record_keeping};
