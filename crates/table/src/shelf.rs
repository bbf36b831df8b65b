//! Bytes that are kept at places, for good: written once each, read from then on by any number of threads.
//!
//! They lie close together in memory of huge pages. A place that is looked up in a thousand million bytes is hardly ever in the cache, and with pages of 4 KiB
//! the processor would first have to go to memory for the address of the page, too.

use crate::entry::Bucket;
use crate::memory::{HUGE_PAGE, Memory};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// The least and the most that is asked of the system at a time.
const SMALL: usize = 64 << 10;
const LARGE: usize = 16 * HUGE_PAGE;
/// Everything begins at a cache line, with its length.
const LINE: usize = size_of::<Bucket>();
const LENGTH: usize = size_of::<u32>();

/// A fixed number of places, each empty or with bytes that never change.
///
/// Invariant: a place is null, or points into `room`, to a length and to as many bytes after it, which nothing writes any more.
#[derive(Default)]
pub struct Shelf {
    places: Vec<AtomicPtr<u8>>,
    room: Mutex<Room>,
}

/// Where the next bytes go.
#[derive(Default)]
struct Room {
    parts: Vec<Memory>,
    /// Bytes of the last part that are taken.
    taken: usize,
    /// Bytes of all parts.
    total: usize,
}

impl Shelf {
    /// So many empty places.
    pub fn new(places: usize) -> Self {
        let empty = || AtomicPtr::new(std::ptr::null_mut());
        Shelf { places: std::iter::repeat_with(empty).take(places).collect(), room: Mutex::default() }
    }

    /// What is kept at a place.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline]
    pub fn get(&self, place: usize) -> Option<&[u8]> {
        // Acquire: what was written before the place was.
        let start = NonNull::new(self.places[place].load(Ordering::Acquire))?;
        // SAFETY: by the invariant; a part is freed only with the shelf, which is borrowed, and begins at a multiple of a line.
        unsafe {
            let length = start.cast::<u32>().read() as usize;
            Some(std::slice::from_raw_parts(start.add(LENGTH).as_ptr(), length))
        }
    }

    /// Keeps bytes at a place that is empty, and tells what is there then; `None` where there is no memory for it.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn keep(&self, place: usize, bytes: &[u8]) -> Option<&[u8]> {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have been faster.
        if self.get(place).is_none() {
            let length = u32::try_from(bytes.len()).ok()?;
            let start = room.take(bytes.len() + LENGTH)?;
            // SAFETY: `take` gave these bytes to nobody else, and nobody can look at them before the place is written.
            unsafe {
                start.cast::<u32>().write(length);
                start.add(LENGTH).copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len());
            }
            self.places[place].store(start.as_ptr(), Ordering::Release);
        }
        drop(room);
        self.get(place)
    }
}

impl Room {
    /// So many bytes that were never given to anybody.
    fn take(&mut self, bytes: usize) -> Option<NonNull<u8>> {
        let bytes = bytes.checked_next_multiple_of(LINE)?;
        let left = self.parts.last().map_or(0, |part| part.bytes() - self.taken);
        if left < bytes {
            // As much again as there is: neither many small parts nor much that is not used.
            let size = self.total.clamp(SMALL, LARGE).max(bytes);
            let part = Memory::new(size.div_ceil(LINE))?;
            self.total += part.bytes();
            self.parts.push(part);
            self.taken = 0;
        }
        let start = self.parts.last()?.place(self.taken);
        self.taken += bytes;
        Some(start)
    }
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shelf").field("places", &self.places.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(place: usize) -> Vec<u8> {
        vec![place as u8; place * 37 % 1000]
    }

    #[test]
    fn what_is_kept_stays_where_it_is() {
        let places = if cfg!(miri) { 200 } else { 10_000 };
        let shelf = Shelf::new(places);
        assert_eq!(shelf.get(places - 1), None);
        for place in 0..places {
            assert_eq!(shelf.keep(place, &bytes_of(place)), Some(&bytes_of(place)[..]));
            assert_eq!(shelf.keep(place, b"too late"), Some(&bytes_of(place)[..]));
        }
        assert!((0..places).all(|place| shelf.get(place) == Some(&bytes_of(place)[..])));
        // Larger than any part so far.
        let large = vec![7; 3 * SMALL];
        let shelf = Shelf::new(1);
        assert_eq!(shelf.keep(0, &large), Some(&large[..]));
    }

    #[test]
    fn threads_see_all_of_it_or_nothing() {
        let (places, rounds) = (if cfg!(miri) { 20 } else { 2000 }, 3);
        let shelf = Shelf::new(places);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let shelf = &shelf;
                scope.spawn(move || {
                    for place in (0..places * rounds).map(|n| n * (thread + 1) % places) {
                        let found = shelf.get(place).or_else(|| shelf.keep(place, &bytes_of(place)));
                        assert_eq!(found, Some(&bytes_of(place)[..]));
                    }
                });
            }
        });
    }
}
