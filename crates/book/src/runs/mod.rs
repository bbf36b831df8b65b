//! Sorted immutable runs: how imports larger than memory are gathered, and a book that is served from
//! plain files.
//!
//! ```text
//! head    "TABIARUN"  format u32  lengths u16, u16  variant  fingerprint  crc32 u32
//! blocks  length u32  crc32 u32  rows                  rows of ascending keys, up to 16 KiB
//! ids     length u32  crc32 u32  16 bytes each         ascending, about 32 KiB
//! foot    length u32  crc32 u32  index, see `Foot`
//! tail    offset of foot u64  crc32 of that u32  "TABIAEND"
//! ```
//!
//! Rows stand in blocks as `packed.rs` says; in runs of format 1 as `block.rs` does, 32 KiB of them. All numbers little-endian. Keys are packed positions without the variant's number, which differs
//! from store to store. A run is written under a temporary name, synchronised and renamed: what has
//! the right name is whole.

mod foot;
mod merge;
mod read;
mod write;

pub use merge::{Merge, merge};
pub use read::{Run, RunRows};
pub use write::{RunWriter, write_run};
pub(crate) use write::{Unkept, write_unkept};

pub(crate) const MAGIC: &[u8; 8] = b"TABIARUN";
pub(crate) const END: &[u8; 8] = b"TABIAEND";
/// Length of the tail.
pub(crate) const TAIL: u64 = 20;
/// The format of runs that are written, and the newest that is read.
pub(crate) const FORMAT: u32 = 2;
/// The format whose blocks are plain.
pub(crate) const PLAIN: u32 = 1;
/// A block of rows has up to so many bytes.
pub(crate) const BLOCK: usize = 16 << 10;
/// Ids of a block.
pub(crate) const IDS: usize = 2 << 10;
/// No block is larger than this: a longer one is damage.
pub(crate) const LARGEST: usize = 64 << 20;
/// The ending of the name of a run.
pub const EXTENSION: &str = "run";
