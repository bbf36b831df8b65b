//! Holes and jumps: the alphabet of every board.

/// The most holes a board may have: a position is one machine word.
pub const MOST_HOLES: usize = 64;

/// A hole of a board: its number in reading order (left to right, top to bottom).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hole(u8);

impl Hole {
    /// The hole with this number; `None` from [`MOST_HOLES`] on.
    pub const fn new(index: usize) -> Option<Hole> {
        if index < MOST_HOLES { Some(Hole(index as u8)) } else { None }
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// A word with only its bit set.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// One hop: the peg on `from` jumps over `over` to the empty hole `to`; the jumped peg is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Jump {
    /// Where the peg comes from.
    pub from: Hole,
    /// The peg that is removed.
    pub over: Hole,
    /// Where the peg lands.
    pub to: Hole,
}

impl Jump {
    /// The three holes: exactly the ones that change.
    #[inline]
    pub const fn holes(self) -> u64 {
        self.from.bit() | self.over.bit() | self.to.bit()
    }

    /// The pegs among the three before the jump.
    #[inline]
    pub const fn before(self) -> u64 {
        self.from.bit() | self.over.bit()
    }

    /// Whether it can be played.
    #[inline]
    pub const fn is_possible(self, pegs: u64) -> bool {
        pegs & self.holes() == self.before()
    }

    /// Whether it can have been the last jump played.
    #[inline]
    pub const fn could_lead_to(self, pegs: u64) -> bool {
        pegs & self.holes() == self.to.bit()
    }
}

/// The holes of a word, in order.
pub(crate) fn holes_of(mut bits: u64) -> impl Iterator<Item = Hole> {
    std::iter::from_fn(move || {
        let hole = Hole::new(bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(hole)
    })
}
