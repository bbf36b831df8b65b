//! Proof and refutation numbers: how many positions at least must still be settled.
//!
//! In the table (48 bits):
//!
//! ```text
//! payload  47                        24 23                         0
//!          +---------------------------+---------------------------+
//!          | to refute                 | to prove                  |
//!          +---------------------------+---------------------------+
//! ```
//!
//! A proven position keeps the plies to the win in place of the refutation number; one refuted on
//! this path only keeps the lowest ply it rests on in place of the proof number.

use crate::path::PATH_FREE;
use tabia_table::Entry;

/// More than any count.
pub(crate) const INFINITE: u32 = (1 << 24) - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) prove: u32,
    pub(crate) refute: u32,
    /// Of a proven position: plies to the win.
    pub(crate) plies: u16,
    /// Of a refuted position: the lowest ply the refutation rests on.
    pub(crate) path: u16,
}

impl Numbers {
    /// Nothing is known.
    pub(crate) const FRESH: Numbers = Numbers::open(1, 1);

    pub(crate) const fn open(prove: u32, refute: u32) -> Self {
        Numbers { prove, refute, plies: 0, path: PATH_FREE }
    }

    pub(crate) const fn proven(plies: u16) -> Self {
        Numbers { prove: 0, refute: INFINITE, plies, path: PATH_FREE }
    }

    pub(crate) const fn refuted(path: u16) -> Self {
        Numbers { prove: INFINITE, refute: 0, plies: 0, path }
    }

    pub(crate) const fn is_proven(&self) -> bool {
        self.prove == 0
    }

    pub(crate) const fn is_refuted(&self) -> bool {
        self.refute == 0
    }

    pub(crate) fn payload(&self) -> u64 {
        let (prove, refute) = match (self.prove, self.refute) {
            (0, _) => (0, u32::from(self.plies)),
            (_, 0) => (1 + u32::from(self.path), 0),
            numbers => numbers,
        };
        u64::from(prove) | u64::from(refute) << 24
    }

    pub(crate) fn read(entry: Entry) -> Self {
        let (prove, refute) = (entry.payload as u32 & INFINITE, (entry.payload >> 24) as u32 & INFINITE);
        match (prove, refute) {
            (0, plies) => Numbers::proven(plies as u16),
            (path, 0) => Numbers::refuted((path - 1) as u16),
            (prove, refute) => Numbers::open(prove, refute),
        }
    }

    /// The numbers of a position from those of its children: the attacker needs one of them, the
    /// defender one that holds.
    pub(crate) fn combine(children: impl Iterator<Item = Numbers>, attacking: bool) -> Numbers {
        let (mut least, mut sum) = (INFINITE, 0u32);
        let mut settled: Option<Numbers> = None;
        let mut all = Numbers { plies: 0, path: PATH_FREE, ..Numbers::FRESH };
        for child in children {
            let (wanted, unwanted) =
                if attacking { (child.prove, child.refute) } else { (child.refute, child.prove) };
            least = least.min(wanted);
            sum = sum.saturating_add(unwanted).min(INFINITE - 1);
            all.plies = all.plies.max(child.plies);
            all.path = all.path.min(child.path);
            // Of several ways to settle it: the quickest win, the refutation that rests on the least.
            let better =
                |old: Numbers| if attacking { child.plies < old.plies } else { child.path > old.path };
            if wanted == 0 && settled.is_none_or(better) {
                settled = Some(child);
            }
        }
        match (settled, attacking) {
            (Some(child), true) => Numbers::proven(child.plies + 1),
            (Some(child), false) => Numbers::refuted(child.path),
            (None, true) if least == INFINITE => Numbers::refuted(all.path),
            (None, false) if least == INFINITE => Numbers::proven(all.plies + 1),
            (None, true) => Numbers::open(least, sum.max(1)),
            (None, false) => Numbers::open(sum.max(1), least),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_travel_through_the_table() {
        let all = [
            Numbers::FRESH,
            Numbers::open(7, INFINITE - 1),
            Numbers::proven(9),
            Numbers::refuted(3),
            Numbers::refuted(PATH_FREE),
        ];
        for numbers in all {
            assert_eq!(Numbers::read(Entry { payload: numbers.payload(), worth: 0 }), numbers);
        }
    }

    #[test]
    fn the_attacker_needs_one_the_defender_all() {
        let children = [Numbers::open(2, 5), Numbers::open(3, 1)];
        assert_eq!(Numbers::combine(children.into_iter(), true), Numbers::open(2, 6));
        assert_eq!(Numbers::combine(children.into_iter(), false), Numbers::open(5, 1));
        let children = [Numbers::proven(4), Numbers::proven(2), Numbers::refuted(6)];
        assert_eq!(Numbers::combine(children.into_iter(), true), Numbers::proven(3));
        assert_eq!(Numbers::combine(children.into_iter(), false), Numbers::refuted(6));
        assert_eq!(Numbers::combine(children[..2].iter().copied(), false), Numbers::proven(5));
    }
}
