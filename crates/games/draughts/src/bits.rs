//! Whole-board steps on 32-bit boards: all pieces of a kind at once.
//!
//! Rows of four alternate, so that a step down is +4 for every square, and the other step down is +5
//! from even rows and +3 from odd ones:
//!
//! ```text
//!     even row   .  k  .            odd row   .  k  .
//!              k+4   k+5                    k+3   k+4
//! ```
//!
//! A straight line of two steps therefore always takes one step of each sort, whichever comes first:
//! a jump is `a` then `b`, or `b` then `a`.

use crate::types::{Direction, Square};

/// Squares of even rows that have a neighbour at +5 or -3: all but the rightmost.
const EVEN_INNER: u32 = 0x07070707;
/// Squares of odd rows that have a neighbour at +3 or -5: all but the leftmost.
const ODD_INNER: u32 = 0xE0E0E0E0;

/// Black's back row (1-4), where White crowns.
pub(crate) const TOP_ROW: u32 = 0x0000000F;
/// White's back row (29-32), where Black crowns.
pub(crate) const BOTTOM_ROW: u32 = 0xF0000000;

/// The steps by 4, down or up the page.
#[inline(always)]
pub(crate) const fn step_a(down: bool, set: u32) -> u32 {
    if down { set << 4 } else { set >> 4 }
}

/// The steps by 3 or 5, down or up the page.
#[inline(always)]
pub(crate) const fn step_b(down: bool, set: u32) -> u32 {
    if down {
        (set & EVEN_INNER) << 5 | (set & ODD_INNER) << 3
    } else {
        (set & EVEN_INNER) >> 3 | (set & ODD_INNER) >> 5
    }
}

/// The squares of a set, ascending.
pub(crate) fn squares(mut set: u32) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| Square::from_index(set.trailing_zeros()));
        set &= set.wrapping_sub(1);
        square
    })
}

/// One jump: the square jumped over and the square landed on, as boards (both empty when there is none).
#[derive(Clone, Copy)]
pub(crate) struct Jump {
    pub(crate) over: u32,
    pub(crate) land: u32,
}

/// The jumps from every square in every [`Direction`].
pub(crate) static JUMPS: [[Jump; 4]; 32] = jumps();

const fn jumps() -> [[Jump; 4]; 32] {
    let mut table = [[Jump { over: 0, land: 0 }; 4]; 32];
    let mut index = 0;
    while index < 32 {
        let mut d = 0;
        while d < 4 {
            let square = Square::from_index(index as u32);
            let direction = Direction::ALL[d];
            if let (Some(over), Some(land)) = (direction.walk(square, 1), direction.walk(square, 2)) {
                table[index][d] = Jump { over: over.bit(), land: land.bit() };
            }
            d += 1;
        }
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_board_steps_agree_with_single_steps() {
        for square in Square::all() {
            let target = |d: Direction| d.walk(square, 1).map_or(0, Square::bit);
            let down = target(Direction::DownLeft) | target(Direction::DownRight);
            let up = target(Direction::UpLeft) | target(Direction::UpRight);
            assert_eq!(step_a(true, square.bit()) | step_b(true, square.bit()), down, "{square}");
            assert_eq!(step_a(false, square.bit()) | step_b(false, square.bit()), up, "{square}");
        }
    }

    #[test]
    fn two_steps_of_different_sorts_make_a_jump() {
        for square in Square::all() {
            let land = |d: Direction| JUMPS[square.index()][d as usize].land;
            let (a, b) = (step_a(true, square.bit()), step_b(true, square.bit()));
            let down = land(Direction::DownLeft) | land(Direction::DownRight);
            assert_eq!(step_b(true, a) | step_a(true, b), down, "{square}");
        }
    }
}
