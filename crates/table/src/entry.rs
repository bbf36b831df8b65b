//! The bits of an entry and of a bucket.
//!
//! ```text
//! bucket    64 bytes = one cache line, aligned to it
//!           +---------+---------+---------+---------+--------+--------+--------+--------+
//!           | check 0 | check 1 | check 2 | check 3 | data 0 | data 1 | data 2 | data 3 |
//!           +---------+---------+---------+---------+--------+--------+--------+--------+
//! entry     16 bytes = check: key XOR data
//!                      data
//!
//! data      63        56 55         48 47                                      0
//!           +-----------+-------------+-----------------------------------------+
//!           | worth     | generation  | payload                                 |
//!           +-----------+-------------+-----------------------------------------+
//! ```
//!
//! | field | bits | meaning |
//! |---|---|---|
//! | payload | 0-47 | what the user stores |
//! | generation | 48-55 | 1 to 255: which search wrote it; 0 stands in empty entries only |
//! | worth | 56-63 | how much work the entry saves (a depth): the larger, the longer it is kept |
//!
//! Checks stand together and data do, so that all entries are compared by vectors ([`Bucket::find`]). Data 0 is an empty entry, because a written one has a generation.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tabia_core::Key;

/// How many bits of a payload are kept.
pub const PAYLOAD_BITS: u32 = 48;

const PAYLOAD_MASK: u64 = (1 << PAYLOAD_BITS) - 1;

/// Entries in a bucket.
pub(crate) const WAYS: usize = 4;

const _: () = assert!(size_of::<Bucket>() == 64 && align_of::<Bucket>() == 64);

/// What was found for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The bits stored, the lowest 48.
    pub payload: u64,
    /// How much the entry was said to be worth.
    pub worth: u8,
}

/// The data word of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Data(pub(crate) u64);

impl Data {
    pub(crate) const EMPTY: Data = Data(0);

    #[inline]
    pub(crate) const fn new(payload: u64, worth: u8, generation: u8) -> Self {
        Data(payload & PAYLOAD_MASK | (generation as u64) << 48 | (worth as u64) << 56)
    }

    #[inline]
    pub(crate) const fn entry(self) -> Entry {
        Entry { payload: self.0 & PAYLOAD_MASK, worth: self.worth() }
    }

    #[inline]
    pub(crate) const fn worth(self) -> u8 {
        (self.0 >> 56) as u8
    }

    #[inline]
    pub(crate) const fn generation(self) -> u8 {
        (self.0 >> 48) as u8
    }

    /// How much is lost by forgetting this, seen from generation `now`: a search ago counts as much
    /// as eight units of worth.
    #[inline]
    pub(crate) const fn keep(self, now: u8) -> i32 {
        if self.0 == 0 {
            return i32::MIN;
        }
        // Generations run from 1 to 255 and round again.
        let age = (now as i32 - self.generation() as i32).rem_euclid(255);
        self.worth() as i32 - 8 * age
    }
}

/// The entries a key may stand in: one cache line.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Bucket {
    checks: [AtomicU64; WAYS],
    data: [AtomicU64; WAYS],
}

impl Bucket {
    /// The data of an entry and the key they were written with (some other key, when the read was torn).
    #[inline]
    pub(crate) fn read(&self, way: usize) -> (Key, Data) {
        let data = self.data[way].load(Relaxed);
        (Key(self.checks[way].load(Relaxed) ^ data), Data(data))
    }

    #[inline]
    pub(crate) fn write(&self, way: usize, key: Key, data: Data) {
        self.checks[way].store(key.0 ^ data.0, Relaxed);
        self.data[way].store(data.0, Relaxed);
    }

    /// All entries, first to last.
    pub(crate) fn entries(&self) -> impl DoubleEndedIterator<Item = (Key, Data)> {
        (0..WAYS).map(|way| self.read(way))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        let data = Data::new(u64::MAX, 9, 255);
        assert_eq!(data.entry(), Entry { payload: PAYLOAD_MASK, worth: 9 });
        assert_eq!(data.generation(), 255);
        assert_ne!(Data::new(0, 0, 1), Data::EMPTY);
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let now = 3;
        assert!(Data::EMPTY.keep(now) < Data::new(0, 0, 4).keep(now));
        assert!(Data::new(0, 5, now).keep(now) < Data::new(0, 6, now).keep(now));
        assert!(Data::new(0, 9, now - 1).keep(now) < Data::new(0, 2, now).keep(now));
        // 255 is the generation before 1.
        assert_eq!(Data::new(0, 20, 255).keep(1), 12);
    }

    /// Every mixture of two writes is either one of them or is recognised as neither.
    #[test]
    fn a_torn_entry_is_not_recognised() {
        let (a, b) = ((Key(0x1111), Data::new(7, 1, 1)), (Key(0x2222), Data::new(9, 1, 1)));
        let torn = Bucket::default();
        torn.write(1, a.0, a.1);
        torn.data[1].store(b.1.0, Relaxed);
        let (key, _) = torn.read(1);
        assert!(key != a.0 && key != b.0);
    }
}
