//! Bytes that are kept at places, for good: written once each, read from then on by any number of threads.
//!
//! They lie close together in memory of huge pages. A place that is looked up in a thousand million bytes is hardly ever in the cache, and with pages of 4 KiB
//! the processor would first have to go to memory for the address of the page, too.
//!
//! Whoever keeps bytes can write a few on a card that hangs at the place: enough to tell which of all the bytes will be looked at, so that they
//! can be asked for at once. All cards together are small enough for a cache.

use crate::entry::Bucket;
use crate::memory::{HUGE_PAGE, Memory, ask_for};
use std::cell::UnsafeCell;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// The least and the most that is asked of the system at a time.
const SMALL: usize = 64 << 10;
const LARGE: usize = 16 * HUGE_PAGE;
/// Everything begins at a cache line.
const LINE: usize = size_of::<Bucket>();

/// What hangs at a place.
pub type Card = [u8; 20];

/// A place: half a cache line.
///
/// Invariant: `start` is null; or `length` and `card` were written before it was, and nothing writes them any more.
#[repr(C, align(32))]
struct Place {
    start: AtomicPtr<u8>,
    length: UnsafeCell<u32>,
    card: UnsafeCell<Card>,
}

/// A fixed number of places, each empty or with bytes that never change.
///
/// Invariant: `places` has as many, zeros at first. The start of a place points into `room`, to `length` bytes that nothing writes any more.
#[derive(Default)]
pub struct Shelf {
    places: Option<Memory>,
    number: usize,
    room: Mutex<Room>,
}

// SAFETY: what is in cells is written by who holds the lock of `room`, before `start` is stored with Release; it is read only
// by who has loaded that with Acquire, and not written again.
unsafe impl Sync for Shelf {}

/// What is kept at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The card.
    pub card: &'a Card,
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
    /// Bytes that an empty place takes.
    pub const PLACE: usize = size_of::<Place>();

    /// So many empty places; none where there is no memory for them.
    pub fn new(number: usize) -> Self {
        let bytes = number.checked_mul(Self::PLACE).filter(|bytes| *bytes > 0);
        let places = bytes.and_then(|bytes| Memory::new(bytes.div_ceil(LINE)));
        Shelf { number: if places.is_some() { number } else { 0 }, places, room: Mutex::default() }
    }

    #[inline]
    fn place(&self, place: usize) -> Option<&Place> {
        let places = self.places.as_ref().filter(|_| place < self.number)?;
        // SAFETY: inside, since there are as many; aligned, since they begin at a multiple of a line; zeros are an empty place.
        Some(unsafe { places.place(place * Self::PLACE).cast::<Place>().as_ref() })
    }

    /// What is kept at a place; nothing where there is no such place.
    #[inline]
    pub fn get(&self, place: usize) -> Option<Kept<'_>> {
        let place = self.place(place)?;
        // Acquire: what was written before the start was.
        let start = NonNull::new(place.start.load(Ordering::Acquire))?;
        // SAFETY: by the invariants; a part is freed only with the shelf, which is borrowed.
        unsafe {
            let bytes = std::slice::from_raw_parts(start.as_ptr(), *place.length.get() as usize);
            Some(Kept { bytes, card: &*place.card.get() })
        }
    }

    /// Asks for a place before it is needed; a hint without any other effect.
    #[inline]
    pub fn prefetch(&self, place: usize) {
        if let Some(place) = self.place(place) {
            ask_for(std::ptr::from_ref(place).cast());
        }
    }

    /// Keeps bytes at a place that is empty, and tells what is there then; `None` where there is no memory for it, or no such place.
    pub fn keep(&self, place: usize, bytes: &[u8], card: &Card) -> Option<Kept<'_>> {
        let at = self.place(place)?;
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have been faster.
        if self.get(place).is_none() {
            let length = u32::try_from(bytes.len()).ok()?;
            let start = room.take(bytes.len().max(1))?;
            // SAFETY: `take` gave these bytes to nobody else. The place is empty, and who holds the lock is the only one who writes to
            // it; nobody looks at its cells, or at the bytes, before its start is stored.
            unsafe {
                start.copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len());
                *at.length.get() = length;
                *at.card.get() = *card;
            }
            at.start.store(start.as_ptr(), Ordering::Release);
        }
        drop(room);
        self.get(place)
    }
}

impl Kept<'_> {
    /// Asks for some of the bytes before they are needed; a hint without any other effect.
    #[inline]
    pub fn prefetch(&self, from: usize, to: usize) {
        let to = to.min(self.bytes.len());
        // The bytes begin at a line.
        for line in (from / LINE * LINE..to).step_by(LINE) {
            ask_for(self.bytes.as_ptr().wrapping_add(line));
        }
    }
}

impl Room {
    /// So many bytes that were never given to anybody.
    fn take(&mut self, bytes: usize) -> Option<NonNull<u8>> {
        let bytes = bytes.checked_next_multiple_of(LINE)?;
        // Not on more pages than it has to be.
        let (page, most) = (4096, self.parts.last().map_or(0, Memory::bytes));
        let on_page = self.taken % page;
        if on_page + bytes > page && bytes <= page {
            self.taken = (self.taken + page - on_page).min(most);
        }
        let left = most - self.taken;
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
        f.debug_struct("Shelf").field("places", &self.number).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(place: usize) -> Vec<u8> {
        vec![place as u8; place * 37 % 1000]
    }

    fn card_of(place: usize) -> Card {
        [place as u8 ^ 0x55; 20]
    }

    fn keep(shelf: &Shelf, place: usize) -> Option<Kept<'_>> {
        shelf.keep(place, &bytes_of(place), &card_of(place))
    }

    fn is_right(kept: Option<Kept<'_>>, place: usize) -> bool {
        kept == Some(Kept { bytes: &bytes_of(place), card: &card_of(place) })
    }

    #[test]
    fn what_is_kept_stays_where_it_is() {
        let places = if cfg!(miri) { 200 } else { 10_000 };
        let shelf = Shelf::new(places);
        assert_eq!(shelf.get(places - 1), None);
        for place in 0..places {
            shelf.prefetch(place);
            assert!(is_right(keep(&shelf, place), place));
            assert!(is_right(shelf.keep(place, b"too late", &[1; 20]), place));
        }
        assert!((0..places).all(|place| is_right(shelf.get(place), place)));
        // Larger than any part so far.
        let large = vec![7; 3 * SMALL];
        let shelf = Shelf::new(1);
        let kept = shelf.keep(0, &large, &[0; 20]).expect("memory");
        assert_eq!(kept.bytes, large);
        kept.prefetch(LINE - 1, usize::MAX);
        kept.prefetch(usize::MAX, 0);
    }

    #[test]
    fn where_there_is_no_place_nothing_is_kept() {
        for places in [0, 1, 3] {
            let shelf = Shelf::new(places);
            shelf.prefetch(places);
            assert_eq!(shelf.get(places), None);
            assert_eq!(keep(&shelf, places), None);
            assert!((0..places).all(|place| is_right(keep(&shelf, place), place)));
        }
        assert_eq!(keep(&Shelf::new(usize::MAX), 0), None);
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
                        let found = shelf.get(place).or_else(|| keep(shelf, place));
                        assert!(is_right(found, place));
                    }
                });
            }
        });
    }
}
