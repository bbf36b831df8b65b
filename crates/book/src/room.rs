//! Memory for blocks that were read and checked: the next look-up finds them there.
//!
//! All books of a process together keep as much as an eighth of the machine's memory (or of what its container may have); what comes later is read anew each
//! time. The system keeps the files' pages beside that.

use crate::Result;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Where the system does not tell how much memory there is.
const UNKNOWN: usize = 256 << 20;

/// Bytes that are kept now.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// Bytes that may be kept.
fn most() -> usize {
    static MOST: OnceLock<usize> = OnceLock::new();
    let eighth = |bytes: u64| usize::try_from(bytes / 8).unwrap_or(usize::MAX);
    *MOST.get_or_init(|| tabia_core::memory::total().map_or(UNKNOWN, eighth))
}

/// The blocks of a book, by their places in it.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    blocks: tabia_table::Shelf,
    kept: AtomicUsize,
}

impl Shelf {
    /// Room for so many blocks.
    pub(crate) fn new(blocks: usize) -> Self {
        Shelf { blocks: tabia_table::Shelf::new(blocks), kept: 0.into() }
    }

    /// Looks at a block, which is read where it is not here.
    #[inline]
    pub(crate) fn with<T>(
        &self,
        at: usize,
        read: impl FnOnce() -> Result<Vec<u8>>,
        look: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<T> {
        if let Some(block) = self.blocks.get(at) {
            return look(block);
        }
        let block = read()?;
        if KEPT.fetch_add(block.len(), Relaxed) + block.len() > most() {
            KEPT.fetch_sub(block.len(), Relaxed);
            return look(&block);
        }
        // Threads that read a block at the same time all count it: seldom, and at worst a little less is kept.
        self.kept.fetch_add(block.len(), Relaxed);
        look(self.blocks.keep(at, &block).unwrap_or(&block))
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        KEPT.fetch_sub(*self.kept.get_mut(), Relaxed);
    }
}
