//! How far a slider sees along its lines, by arithmetic alone: no table but the lines themselves.

use super::BitBoard;

/// The squares of one line through a square: those with smaller numbers, and those with larger ones.
#[derive(Clone, Copy)]
pub(super) struct Line {
    below: u64,
    above: u64,
}

/// The two lines of a bishop, then the two of a rook, from every square.
pub(super) static LINES: [[Line; 4]; 64] = {
    let ways = [(1, 1), (-1, 1), (0, 1), (1, 0)];
    let mut lines = [[Line { below: 0, above: 0 }; 4]; 64];
    let mut i = 0;
    while i < 64 * 4 {
        let (files, ranks) = ways[i % 4];
        lines[i / 4][i % 4] = Line { below: ray(i / 4, -files, -ranks), above: ray(i / 4, files, ranks) };
        i += 1;
    }
    lines
};

/// The squares from here to the edge.
const fn ray(from: usize, files: i32, ranks: i32) -> u64 {
    let (mut file, mut rank, mut set) = (from as i32 % 8 + files, from as i32 / 8 + ranks, 0);
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        set |= 1 << (8 * rank + file);
        file += files;
        rank += ranks;
    }
    set
}

impl Line {
    /// All its squares but the one it goes through.
    pub(super) const fn all(self) -> BitBoard {
        BitBoard(self.below | self.above)
    }

    /// Its squares up to the first blocker on either side, that one included.
    #[inline]
    pub(super) const fn seen(self, occupied: BitBoard) -> BitBoard {
        // All bits from the nearest blocker below to the nearest above are the difference of two powers of two.
        let nearest_below = 1 << 63 >> (occupied.0 & self.below | 1).leading_zeros();
        let above = occupied.0 & self.above;
        let nearest_above = above & above.wrapping_neg();
        BitBoard((nearest_above << 1).wrapping_sub(nearest_below) & self.all().0)
    }
}

/// What a bishop sees.
#[inline]
pub(super) const fn bishop(square: usize, occupied: BitBoard) -> BitBoard {
    let [a, b, ..] = LINES[square];
    BitBoard(a.seen(occupied).0 | b.seen(occupied).0)
}

/// What a rook sees.
#[inline]
pub(super) const fn rook(square: usize, occupied: BitBoard) -> BitBoard {
    let [.., c, d] = LINES[square];
    BitBoard(c.seen(occupied).0 | d.seen(occupied).0)
}
