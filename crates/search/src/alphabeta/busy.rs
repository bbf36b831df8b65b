//! Which positions other threads are searching right now.
//!
//! A thread that comes to a move whose position another is busy with, puts it off: when it comes back, the
//! answer is in the table. So threads that search the same tree share the work without talking. (The idea is
//! known as ABDADA, in the simple form of a small table without locks.) Two positions that share a slot, or
//! writes that cross, cost some time and nothing else.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tabia_core::Key;

/// Slots: many more than positions that can be busy at once.
const SLOTS: usize = 1 << 12;

#[derive(Debug)]
pub(crate) struct Busy {
    slots: Vec<AtomicU64>,
}

impl Busy {
    pub(crate) fn new() -> Self {
        Busy { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The mark of a position searched to a depth, and where it stands.
    #[inline]
    fn slot(&self, key: Key, depth: i32) -> (u64, &AtomicU64) {
        let mark = tabia_core::rng::mix(key.0 ^ depth as u64);
        (mark, &self.slots[mark as usize % SLOTS])
    }

    /// Whether some thread searches a position to a depth.
    #[inline]
    pub(crate) fn is_searched(&self, key: Key, depth: i32) -> bool {
        let (mark, slot) = self.slot(key, depth);
        slot.load(Relaxed) == mark
    }

    #[inline]
    pub(crate) fn begin(&self, key: Key, depth: i32) {
        let (mark, slot) = self.slot(key, depth);
        slot.store(mark, Relaxed);
    }

    #[inline]
    pub(crate) fn end(&self, key: Key, depth: i32) {
        let (mark, slot) = self.slot(key, depth);
        if slot.load(Relaxed) == mark {
            slot.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_searched_from_beginning_to_end_and_at_its_depth() {
        let busy = Busy::new();
        assert!(!busy.is_searched(Key(1), 7));
        busy.begin(Key(1), 7);
        assert!(busy.is_searched(Key(1), 7));
        assert!(!busy.is_searched(Key(1), 8) && !busy.is_searched(Key(2), 7));
        busy.end(Key(1), 7);
        assert!(!busy.is_searched(Key(1), 7));
    }
}
