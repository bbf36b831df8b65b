//! The symmetries of boards: D4 on the square grid, D3 on the triangle, found from the holes.
//!
//! A group is stored as images of bytes: for every byte of a position and every value it can have,
//! one row of eight words, the contribution of those pegs to the image under each element. All
//! images of a position are then the OR of one row per byte:
//!
//! ```text
//! position  [byte 4][byte 3][byte 2][byte 1][byte 0]
//!                                             | row 256*0 + value
//! images    [  g7  |  g6  |  g5  |  ...  | identity]
//! ```

use crate::board::Lattice;
use tabia_core::{Dihedral, Symmetry};

/// A symmetry of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoardSymmetry {
    /// An element of D4, acting about the centre of the board. Its identity serves both lattices.
    Square(Dihedral),
    /// A rotation (1, 2) or reflection (3, 4, 5) of the triangle; see `TRIANGLE`.
    Triangle(u8),
}

/// The permutations of the three barycentric coordinates, the identity first.
pub(crate) const TRIANGLE: [[usize; 3]; 6] =
    [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

impl BoardSymmetry {
    /// The whole group of a lattice, the identity first.
    pub(crate) fn all(lattice: Lattice) -> Vec<BoardSymmetry> {
        match lattice {
            Lattice::Square => Dihedral::ALL.into_iter().map(BoardSymmetry::Square).collect(),
            Lattice::Triangle => (0..6).map(BoardSymmetry::triangle).collect(),
        }
    }

    fn triangle(number: u8) -> BoardSymmetry {
        if number == 0 { Self::IDENTITY } else { BoardSymmetry::Triangle(number) }
    }

    /// Where the cell (x, y) of a board goes; `None` when it leaves the bounding box.
    pub(crate) fn apply(self, (x, y): (usize, usize), width: usize, height: usize) -> Option<(usize, usize)> {
        match self {
            BoardSymmetry::Square(dihedral) if dihedral.index() & 4 == 0 || width == height => {
                // Without an exchange of x and y each mirror sees its own side only.
                let (right, _) = dihedral.apply((x, 0), width);
                let (_, down) = dihedral.apply((0, y), height);
                Some(if dihedral.index() & 4 == 0 { (right, down) } else { dihedral.apply((x, y), width) })
            }
            BoardSymmetry::Square(_) => None,
            BoardSymmetry::Triangle(number) => {
                let old = [x, y - x, height - 1 - y];
                let new = TRIANGLE[usize::from(number)].map(|i| old[i]);
                Some((new[0], new[0] + new[1]))
            }
        }
    }
}

impl Symmetry for BoardSymmetry {
    const IDENTITY: Self = BoardSymmetry::Square(Dihedral::IDENTITY);

    fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::IDENTITY, other) | (other, Self::IDENTITY) => other,
            (BoardSymmetry::Square(a), BoardSymmetry::Square(b)) => BoardSymmetry::Square(a.then(b)),
            (BoardSymmetry::Triangle(a), BoardSymmetry::Triangle(b)) => {
                let (a, b) = (TRIANGLE[usize::from(a)], TRIANGLE[usize::from(b)]);
                let both = b.map(|i| a[i]);
                Self::triangle(TRIANGLE.iter().position(|&p| p == both).unwrap_or(0) as u8)
            }
            // No board has both kinds; the first is kept.
            _ => self,
        }
    }

    fn inverse(self) -> Self {
        match self {
            BoardSymmetry::Square(dihedral) => BoardSymmetry::Square(dihedral.inverse()),
            BoardSymmetry::Triangle(number @ 1..=2) => BoardSymmetry::Triangle(3 - number),
            reflection @ BoardSymmetry::Triangle(_) => reflection,
        }
    }

    fn name(self) -> String {
        match self {
            BoardSymmetry::Square(dihedral) => dihedral.name(),
            BoardSymmetry::Triangle(number) => {
                ["identity", "rotate-120", "rotate-240", "mirror-a", "mirror-b", "mirror-c"]
                    [usize::from(number)]
                .to_owned()
            }
        }
    }
}

impl std::fmt::Debug for BoardSymmetry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name())
    }
}

/// Words in a row: the largest group has eight elements.
const ROW: usize = 8;

/// A group of symmetries with its action on the positions of one board.
#[derive(Clone, Debug)]
pub struct Group {
    elements: Vec<BoardSymmetry>,
    /// For each element, where each hole goes.
    permutations: Vec<Vec<u8>>,
    rows: Vec<[u64; ROW]>,
}

impl Group {
    /// The group of these elements, the identity first, given where each sends the holes.
    pub(crate) fn new(elements: Vec<BoardSymmetry>, permutations: Vec<Vec<u8>>) -> Group {
        let holes = permutations.first().map_or(0, Vec::len);
        let mut rows = vec![[0; ROW]; holes.div_ceil(8) * 256];
        for (at, row) in rows.iter_mut().enumerate() {
            let (first, value) = (at / 256 * 8, at % 256);
            for (column, word) in row.iter_mut().enumerate() {
                // Small groups repeat themselves: the least image stays the same.
                let permutation = &permutations[column % permutations.len()];
                let moved = permutation.iter().skip(first).take(8).enumerate();
                *word = moved.filter(|(bit, _)| value >> bit & 1 != 0).fold(0, |sum, (_, &to)| sum | 1 << to);
            }
        }
        Group { elements, permutations, rows }
    }

    /// The subgroup of the elements that `keep` accepts (it must accept a subgroup).
    pub(crate) fn restricted(&self, keep: impl Fn(&Group, usize) -> bool) -> Group {
        let kept: Vec<usize> = (0..self.elements.len()).filter(|&i| keep(self, i)).collect();
        let elements = kept.iter().map(|&i| self.elements[i]).collect();
        Group::new(elements, kept.iter().map(|&i| self.permutations[i].clone()).collect())
    }

    /// The elements, the identity first.
    pub fn elements(&self) -> &[BoardSymmetry] {
        &self.elements
    }

    /// The number of elements.
    pub fn order(&self) -> usize {
        self.elements.len()
    }

    /// Where element number `element` sends each hole.
    pub(crate) fn permutation(&self, element: usize) -> &[u8] {
        &self.permutations[element]
    }

    /// The number of an element in [`Group::elements`]; 0, the identity, for a stranger.
    pub(crate) fn number(&self, symmetry: BoardSymmetry) -> usize {
        self.elements.iter().position(|&element| element == symmetry).unwrap_or(0)
    }

    /// All images of a set of pegs; those of a small group repeat themselves.
    #[inline]
    pub fn images(&self, pegs: u64) -> [u64; ROW] {
        let mut images = [0; ROW];
        for (byte, rows) in self.rows.chunks_exact(256).enumerate() {
            let row = &rows[(pegs >> (8 * byte)) as usize & 255];
            for (image, part) in images.iter_mut().zip(row) {
                *image |= part;
            }
        }
        images
    }

    /// The image under one element.
    #[inline]
    pub fn image(&self, pegs: u64, element: usize) -> u64 {
        let chunks = self.rows.chunks_exact(256).enumerate();
        chunks.fold(0, |image, (byte, rows)| image | rows[(pegs >> (8 * byte)) as usize & 255][element % ROW])
    }

    /// The least image: one number for a whole class of positions.
    #[inline]
    pub fn canonical(&self, pegs: u64) -> u64 {
        let [a, b, c, d, e, f, g, h] = self.images(pegs);
        a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h)))
    }
}
