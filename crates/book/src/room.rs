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
    blocks: Vec<OnceLock<Box<[u8]>>>,
    kept: AtomicUsize,
}

impl Shelf {
    /// Room for so many blocks.
    pub(crate) fn new(blocks: usize) -> Self {
        Shelf { blocks: std::iter::repeat_with(OnceLock::new).take(blocks).collect(), kept: 0.into() }
    }

    /// Looks at a block, which is read where it is not here.
    #[inline]
    pub(crate) fn with<T>(
        &self,
        at: usize,
        read: impl FnOnce() -> Result<Vec<u8>>,
        look: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<T> {
        let place = &self.blocks[at];
        if let Some(block) = place.get() {
            return look(block);
        }
        let block = read()?;
        let size = block.len() + size_of::<OnceLock<Box<[u8]>>>();
        if KEPT.fetch_add(size, Relaxed) + size > most() {
            KEPT.fetch_sub(size, Relaxed);
            return look(&block);
        }
        match place.set(block.into_boxed_slice()) {
            Ok(()) => self.kept.fetch_add(size, Relaxed),
            // Somebody else read it meanwhile.
            Err(_) => KEPT.fetch_sub(size, Relaxed),
        };
        look(place.get().map_or(&[][..], |block| block))
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        KEPT.fetch_sub(*self.kept.get_mut(), Relaxed);
    }
}
