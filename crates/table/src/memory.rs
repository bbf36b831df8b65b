//! Aligned memory for buckets.
//!
//! Three things need it: memory aligned to huge pages (so that the system can give some, which
//! saves most misses of the address cache), filling it with zeros from several threads when it is cleared, and asking
//! the processor to fetch a cache line before it is needed.
//!
//! New memory is not filled: the system hands out pages of zeros when they are first touched, so that a large table is there
//! at once, and a search that is stopped early never pays for it.

use crate::entry::Bucket;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use tabia_core::Key;

/// The size of a huge page on the common systems.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// An owned, zeroed array of buckets.
///
/// Invariant: `start` points to `count` initialised buckets, inside what was allocated at `base` with `layout`.
pub(crate) struct Memory {
    base: NonNull<u8>,
    start: NonNull<Bucket>,
    count: usize,
    layout: Layout,
    huge: bool,
}

// SAFETY: `Memory` owns its buckets as a `Box<[Bucket]>` would, and buckets are made of atomics,
// which may be moved to and shared with other threads.
unsafe impl Send for Memory {}
// SAFETY: as above; a shared `Memory` only gives out `&[Bucket]`.
unsafe impl Sync for Memory {}

impl Memory {
    /// `count` empty buckets; `None` when the system has not as much.
    pub(crate) fn new(count: usize) -> Option<Self> {
        let count = count.max(1);
        let bytes = count.checked_mul(size_of::<Bucket>())?;
        let align = if bytes >= HUGE_PAGE { HUGE_PAGE } else { align_of::<Bucket>() };
        // Aligned here and not by the allocator, which would write the zeros itself.
        let layout = Layout::from_size_align(bytes.checked_add(align)?, align_of::<u64>()).ok()?;
        // SAFETY: the layout is not of size zero, because `count` is at least one.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        // SAFETY: less than `align`, which was asked for in addition.
        let start = unsafe { base.add(base.as_ptr().align_offset(align)) }.cast::<Bucket>();
        let huge = bytes >= HUGE_PAGE && advise_huge(start, bytes);
        Some(Memory { base, start, count, layout, huge })
    }

    #[inline]
    pub(crate) fn buckets(&self) -> &[Bucket] {
        // SAFETY: by the invariant; the slice borrows `self`, which frees the memory only on drop.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.count) }
    }

    /// How many bytes before a place in a key's bucket: the high half of a product, so that any number of buckets is used
    /// evenly. Its multiple of 64 is where the bucket begins.
    #[inline]
    fn offset(&self, key: Key) -> usize {
        ((u128::from(key.0) * self.bytes() as u128) >> 64) as usize
    }

    /// The bucket of a key.
    #[inline]
    pub(crate) fn bucket(&self, key: Key) -> &Bucket {
        let start = self.offset(key) & !(size_of::<Bucket>() - 1);
        // SAFETY: the key is less than 2^64, so that the high half of its product with the bytes of all buckets is less than
        // they are; the rest is by the invariant, and the reference borrows `self` as in `buckets`.
        unsafe { self.start.byte_add(start).as_ref() }
    }

    /// Its size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.count * size_of::<Bucket>()
    }

    /// A place in it, by bytes from its start, for who keeps something else here than buckets.
    pub(crate) fn place(&self, offset: usize) -> NonNull<u8> {
        assert!(offset < self.bytes(), "inside");
        // SAFETY: inside what was allocated.
        unsafe { self.start.cast::<u8>().add(offset) }
    }

    /// Whether the system agreed to use huge pages (it may still not find any).
    pub(crate) fn huge(&self) -> bool {
        self.huge
    }

    /// Empties all buckets, sharing the work among threads.
    pub(crate) fn clear(&mut self, threads: usize) {
        zero(self.start, self.count, threads);
    }

    /// Asks for the cache line of a key's bucket; a hint without any other effect.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        ask_for(self.start.as_ptr().wrapping_byte_add(self.offset(key)).cast());
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this very layout, and freed nowhere else. Buckets have no
        // destructor.
        unsafe { dealloc(self.base.as_ptr(), self.layout) };
    }
}

/// Asks for a cache line; a hint without any other effect.
#[inline]
pub(crate) fn ask_for(line: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching reads nothing the program can see and faults at no address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = line;
}

/// A pointer that may be handed to another thread.
#[derive(Clone, Copy)]
struct Part(NonNull<Bucket>);

// SAFETY: `zero` gives each thread a part of the memory that no other thread touches meanwhile.
unsafe impl Send for Part {}

impl Part {
    /// Fills `count` buckets with zeros, which are empty buckets.
    ///
    /// # Safety
    /// The pointer is valid for writing `count` buckets, and nothing else reads or writes them now.
    unsafe fn zero(self, count: usize) {
        // SAFETY: the caller's promise; all-zero bytes are a valid `Bucket` (eight `AtomicU64`s).
        unsafe { self.0.as_ptr().write_bytes(0, count) };
    }
}

/// Writes zeros over `count` buckets at `start`, which the caller owns alone.
fn zero(start: NonNull<Bucket>, count: usize, threads: usize) {
    // Threads cost more than they save on less than this.
    const SMALL: usize = (4 << 20) / size_of::<Bucket>();
    let threads = if count < SMALL { 1 } else { threads.max(1) };
    let share = count.div_ceil(threads);
    std::thread::scope(|scope| {
        for first in (0..count).step_by(share) {
            let length = share.min(count - first);
            // SAFETY: `first < count`, so the sum stays inside the allocation.
            let part = Part(unsafe { start.add(first) });
            // SAFETY: `first + length <= count`: the part is inside the allocation, which nobody else
            // uses while this function runs; parts do not overlap, because they start `share` apart.
            let work = move || unsafe { part.zero(length) };
            if threads == 1 {
                work();
            } else {
                scope.spawn(work);
            }
        }
    });
}

/// Asks the system for huge pages; whether it will try.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge(start: NonNull<Bucket>, bytes: usize) -> bool {
    // SAFETY: the range was just allocated and starts at a page boundary; the advice changes how it
    // is backed, never what it holds.
    unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) == 0 }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge(_: NonNull<Bucket>, _: usize) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Data;

    #[test]
    fn memory_is_zeroed_and_cleared_to_the_last_bucket() {
        // Under Miri a small size says the same; the large one has several parts and a remainder.
        let sizes: &[usize] = if cfg!(miri) { &[1, 33] } else { &[1, 33, (8 << 20) / 64 + 17] };
        for &count in sizes {
            let mut memory = Memory::new(count).expect("memory");
            assert_eq!(memory.buckets().len(), count);
            let empty = |m: &Memory| {
                m.buckets().iter().flat_map(Bucket::entries).all(|(_, data)| data == Data::EMPTY)
            };
            assert!(empty(&memory));
            for bucket in [0, count / 2, count - 1] {
                memory.buckets()[bucket].write(3, Key(5), Data::new(6, 7, 8));
            }
            memory.clear(3);
            assert!(empty(&memory));
        }
    }

    #[test]
    fn every_key_has_a_bucket() {
        for count in [1, 2, 33] {
            let memory = Memory::new(count).expect("memory");
            for key in [0, 1, u64::MAX / 2, u64::MAX - 1, u64::MAX].map(Key) {
                memory.prefetch(key);
                let index = ((u128::from(key.0) * count as u128) >> 64) as usize;
                assert!(std::ptr::eq(memory.bucket(key), &raw const memory.buckets()[index]));
            }
        }
    }

    #[test]
    fn too_much_is_refused() {
        assert!(Memory::new(usize::MAX / 8).is_none());
    }
}
