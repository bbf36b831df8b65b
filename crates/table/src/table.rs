//! The table: buckets, and who is pushed out of them.

use crate::entry::{Bucket, Data, Entry};
use crate::memory::Memory;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use tabia_core::Key;
use thiserror::Error;

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The system has not as much memory.
    #[error("no memory for a table of {bytes} bytes")]
    NoMemory {
        /// How much was asked for.
        bytes: usize,
    },
}

/// A shared transposition table of a fixed size.
///
/// All methods but [`Table::clear`] and [`Table::resize`] take `&self` and may be called from any
/// number of threads. An entry may vanish at any time; one that is found is whole.
pub struct Table {
    memory: Memory,
    generation: AtomicU8,
}

impl Table {
    /// A table of at most `bytes` (at least one bucket of 64).
    pub fn new(bytes: usize) -> Result<Self, TableError> {
        let memory = Memory::new(bytes / size_of::<Bucket>()).ok_or(TableError::NoMemory { bytes })?;
        Ok(Table { memory, generation: AtomicU8::new(1) })
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.memory.buckets())
    }

    /// How many entries it can hold.
    pub fn capacity(&self) -> usize {
        self.memory.buckets().len() * crate::entry::WAYS
    }

    /// Whether the system agreed to back the table with huge pages.
    pub fn huge_pages(&self) -> bool {
        self.memory.huge()
    }

    /// Asks the processor to fetch what [`Table::probe`] will read.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        self.memory.prefetch(key);
    }

    /// What is known for a key.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<Entry> {
        self.memory.bucket(key).find(key).map(Data::entry)
    }

    /// The same, if the present generation has stored it.
    #[inline]
    pub fn probe_fresh(&self, key: Key) -> Option<Entry> {
        let now = self.generation.load(Relaxed);
        self.memory.bucket(key).find(key).filter(|data| data.generation() == now).map(Data::entry)
    }

    /// Remembers the lowest 48 bits of `payload` for a key, in place of what was known for it.
    ///
    /// Where the bucket is full, the entry least worth keeping makes room: the shallowest, where a
    /// search ago counts as much as eight units of `worth`.
    #[inline]
    pub fn store(&self, key: Key, worth: u8, payload: u64) {
        let now = self.generation.load(Relaxed);
        let bucket = self.memory.bucket(key);
        let mut target = 0;
        let mut least = i32::MAX;
        for (way, (found, data)) in bucket.entries().enumerate() {
            if found == key && data != Data::EMPTY {
                target = way;
                break;
            }
            let keep = data.keep(now);
            if keep < least {
                (target, least) = (way, keep);
            }
        }
        bucket.write(target, key, Data::new(payload, worth, now));
    }

    /// Begins a new search: what earlier ones stored is still found, but makes room first.
    pub fn new_generation(&self) {
        let now = self.generation.load(Relaxed);
        self.generation.store(if now == u8::MAX { 1 } else { now + 1 }, Relaxed);
    }

    /// The share of entries that the present generation wrote, from a sample of the table.
    pub fn fill_rate(&self) -> f64 {
        let now = self.generation.load(Relaxed);
        let buckets = self.memory.buckets();
        let sample = &buckets[..buckets.len().min(1000)];
        let entries = sample.iter().flat_map(Bucket::entries);
        let full = entries.filter(|(_, data)| data.generation() == now).count();
        full as f64 / (sample.len() * crate::entry::WAYS) as f64
    }

    /// Forgets everything.
    pub fn clear(&mut self, threads: usize) {
        self.memory.clear(threads);
        *self.generation.get_mut() = 1;
    }

    /// Changes the size and forgets everything; on an error the old table stays as it was.
    pub fn resize(&mut self, bytes: usize) -> Result<(), TableError> {
        *self = Self::new(bytes)?;
        Ok(())
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("bytes", &self.bytes()).field("huge_pages", &self.huge_pages()).finish()
    }
}
