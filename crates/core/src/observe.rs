//! A position as planes of bytes: what somebody who learns a game from numbers is shown.

use crate::Game;

/// The size of an observation: `channels` planes of `height` rows and `width` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planes {
    /// The number of planes.
    pub channels: usize,
    /// Rows of each plane.
    pub height: usize,
    /// Columns of each plane.
    pub width: usize,
}

impl Planes {
    /// The cells of one plane.
    #[inline]
    pub const fn cells(&self) -> usize {
        self.height * self.width
    }

    /// The bytes of all planes.
    #[inline]
    pub const fn bytes(&self) -> usize {
        self.channels * self.cells()
    }
}

/// Games that show a position as planes.
///
/// Everything is seen by the side to move: its own pieces come first, and the board is turned so that it
/// always plays in the same direction. A position and its image with the sides exchanged therefore look
/// the same. Planes that say different things of two positions may be the same only when the positions
/// are symmetric. The laws are functions of the `tabia-testkit` crate.
pub trait Observe: Game {
    /// The size, which depends on nothing but the rules.
    fn planes(&self) -> Planes;

    /// Writes every byte of `out`, which has [`Planes::bytes`]: plane after plane, row after row.
    ///
    /// `quiet` is the number of plies without progress, which most positions do not know; a game whose
    /// history matters shows it in a plane of its own, 255 for everything above.
    fn observe(&self, state: &Self::State, quiet: u32, out: &mut [u8]);

    /// Where a cell of every plane (`row * width + column`) goes when the position is seen through a symmetry.
    /// By default nowhere: right for groups that only exchange the sides.
    fn map_cell(&self, cell: usize, _symmetry: Self::Symmetry) -> usize {
        cell
    }
}

/// Writes bit `i` of a set as byte `i`, 0 or 1, as far as `out` goes (at most 64 bytes).
#[inline]
pub fn write_bits(set: u64, out: &mut [u8]) {
    let (words, rest) = out.as_chunks_mut::<8>();
    for (word, bits) in words.iter_mut().zip(set.to_le_bytes()) {
        *word = spread(bits).to_le_bytes();
    }
    if let Some(&bits) = set.to_le_bytes().get(words.len()) {
        rest.copy_from_slice(&spread(bits).to_le_bytes()[..rest.len()]);
    }
}

/// Writes sets of 64 squares as planes of 8 by 8, one after the other.
#[inline]
pub fn write_boards<const N: usize>(sets: [u64; N], out: &mut [u8]) {
    for (set, plane) in sets.into_iter().zip(out.as_chunks_mut::<64>().0) {
        for (word, bits) in plane.as_chunks_mut::<8>().0.iter_mut().zip(set.to_le_bytes()) {
            *word = spread(bits).to_le_bytes();
        }
    }
}

/// For each byte the word with one bit of it in each byte.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 8 * table.len() {
        let (bits, i) = (at / 8, at % 8);
        table[bits] |= (bits as u64 >> i & 1) << (8 * i);
        at += 1;
    }
    table
};

#[inline]
fn spread(bits: u8) -> u64 {
    SPREAD[usize::from(bits)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_become_bytes() {
        for set in [0, 1, 0x8000_0000_0000_0001, 0x0123_4567_89AB_CDEF, u64::MAX] {
            for len in [64, 33, 8, 3, 0] {
                let mut out = vec![7; len];
                write_bits(set, &mut out);
                let expected: Vec<u8> = (0..len).map(|i| (set >> i & 1) as u8).collect();
                assert_eq!(out, expected, "{set:#x}, {len} bytes");
            }
        }
    }
}
