//! Memory for blocks that were read and checked: the next look-up finds them there.
//!
//! All books of a process together keep as much as an eighth of the machine's memory (or of what its container may have); what comes later is read anew each
//! time. The system keeps the files' pages beside that.

use crate::Result;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tabia_table::{Card, Kept};

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
        let mut shelf = Shelf::default();
        if shelf.count(blocks.saturating_mul(tabia_table::Shelf::PLACE)) {
            shelf.blocks = tabia_table::Shelf::new(blocks);
        }
        shelf
    }

    /// Counts bytes that will be kept; `false` where they are too many.
    fn count(&self, bytes: usize) -> bool {
        if bytes > most() {
            return false;
        }
        if KEPT.fetch_add(bytes, Relaxed) + bytes > most() {
            KEPT.fetch_sub(bytes, Relaxed);
            return false;
        }
        self.kept.fetch_add(bytes, Relaxed);
        true
    }

    /// A block that is here.
    #[inline]
    #[cfg_attr(not(feature = "redb"), allow(dead_code))] // Runs have no cards.
    pub(crate) fn get(&self, at: usize) -> Option<Kept<'_>> {
        self.blocks.get(at)
    }

    /// Asks for what is known of a block before it is needed; a hint.
    #[inline]
    #[cfg_attr(not(feature = "redb"), allow(dead_code))] // Runs have no cards.
    pub(crate) fn prefetch(&self, at: usize) {
        self.blocks.prefetch(at);
    }

    /// Looks at a block, which is read where it is not here.
    #[inline]
    pub(crate) fn with<T>(
        &self,
        at: usize,
        read: impl FnOnce() -> Result<(Vec<u8>, Card)>,
        look: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<T> {
        if let Some(kept) = self.blocks.get(at) {
            return look(kept.bytes);
        }
        let (block, card) = read()?;
        // Threads that read a block at the same time all count it: seldom, and at worst a little less is kept.
        if !self.count(block.len()) {
            return look(&block);
        }
        look(self.blocks.keep(at, &block, &card).map_or(&block, |kept| kept.bytes))
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        KEPT.fetch_sub(*self.kept.get_mut(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_and_where_they_are_too_many_blocks_are_read_each_time() {
        let mut shelf = Shelf::new(100);
        assert_eq!(*shelf.kept.get_mut(), 3200);
        let read = || Ok((vec![5; 70], Card::default()));
        for _ in 0..2 {
            assert!(shelf.with(99, read, |block| Ok(block == [5; 70])).expect("a block"));
        }
        assert_eq!(*shelf.kept.get_mut(), 3270);
        assert!(shelf.get(99).is_some());
        let shelf = Shelf::new(usize::MAX / 2);
        assert!(shelf.with(7, read, |block| Ok(block == [5; 70])).expect("a block"));
        assert!(shelf.get(7).is_none());
        shelf.prefetch(7);
    }
}
