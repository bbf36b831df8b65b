//! The tablebase file: exact values on disk, compressed in blocks that are found at random.
//!
//! ```text
//! header            what it is, how many, where the block index stands; checksum
//! block 0           LZ4 of up to `block_len` entries
//! block 1
//! ...
//! block index       offset, lengths, checksum and (keyed files) the first key of every block; checksum
//! ```
//!
//! A *keyed* file has the exact keys of its positions, ascending by their bytes, with their values. An
//! *indexed* file has values alone: the position with number `i` of a slice is entry `i`.
//! `docs/formats-tablebase.md` has every byte.

mod block;
mod header;
mod reader;
mod writer;

pub use header::{Absent, Info, Layout, Precision};
pub use reader::TableFile;
pub(crate) use writer::{Pressed, write_pressed};
pub use writer::{Writer, write_outcomes};
