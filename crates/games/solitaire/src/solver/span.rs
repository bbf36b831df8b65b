//! Position classes: the Rule of Three for any board.
//!
//! A jump changes three holes in a row. Seen as vectors over the field of two elements, a position
//! plus a jump is the position after it (or before it, or neither: the sum does not care). So what
//! can be reached from a position lies in its coset of the *span* of all jumps, and a goal in another
//! coset cannot be reached, whatever is tried. On the English board the span has dimension 29 of 33:
//! 16 classes, the four parity bits of the Rule of Three (diagonals coloured in threes, twice). Found
//! by elimination, the same argument serves every board, triangles and boards in several parts too.

use crate::Board;

/// A linear space of sets of holes under symmetric difference, in reduced echelon form.
#[derive(Clone, Debug, Default)]
pub struct Span {
    /// Vectors, each with the bit of its leading hole; no other vector has that bit.
    rows: Vec<(u64, u64)>,
}

impl Span {
    /// The span of all jumps of a board.
    pub fn of_jumps(board: &Board) -> Span {
        let holes: Vec<u64> = board.holes().map(crate::Hole::bit).collect();
        Span::eliminate(board.jumps().iter().map(|jump| jump.holes()).collect(), &holes)
    }

    /// The span of even numbers of jumps: differences of positions with peg counts of one parity.
    pub(crate) fn of_jump_pairs(board: &Board, leading: &[u64]) -> Span {
        let jumps: Vec<u64> = board.jumps().iter().map(|jump| jump.holes()).collect();
        let first = jumps.first().copied().unwrap_or(0);
        Span::eliminate(jumps.iter().map(|jump| jump ^ first).collect(), leading)
    }

    /// Eliminates; leading holes are chosen as early as possible in `leading`.
    fn eliminate(mut vectors: Vec<u64>, leading: &[u64]) -> Span {
        let mut rows: Vec<(u64, u64)> = Vec::new();
        for &bit in leading {
            let Some(at) = vectors.iter().position(|vector| vector & bit != 0) else { continue };
            let pivot = vectors.swap_remove(at);
            let others = vectors.iter_mut().chain(rows.iter_mut().map(|(row, _)| row));
            others.filter(|vector| **vector & bit != 0).for_each(|vector| *vector ^= pivot);
            rows.push((pivot, bit));
        }
        Span { rows }
    }

    /// The vectors, each with its leading bit.
    pub(crate) fn rows(&self) -> &[(u64, u64)] {
        &self.rows
    }

    /// The dimension.
    pub fn dimension(&self) -> usize {
        self.rows.len()
    }

    /// What is left of a vector after elimination: equal for two positions exactly when they are of
    /// one class.
    pub fn class(&self, pegs: u64) -> u64 {
        self.rows.iter().fold(pegs, |rest, (row, bit)| if rest & bit == 0 { rest } else { rest ^ row })
    }

    /// Whether two positions are of one class.
    pub fn same_class(&self, a: u64, b: u64) -> bool {
        self.class(a ^ b) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hole, catalogue};

    fn named(name: &str) -> &'static Board {
        &catalogue::find(name).unwrap().board
    }

    #[test]
    fn the_english_board_has_sixteen_classes() {
        let board = named("english");
        assert_eq!(Span::of_jumps(board).dimension(), 29);
        // From the central vacancy, a last peg can only be in five holes: d4, d1, a4, g4, d7.
        let span = Span::of_jumps(board);
        let start = board.full() & !board.vacancy().bit();
        let ends = board.holes().filter(|hole| span.same_class(start, hole.bit()));
        let names: Vec<String> = ends.map(|hole| board.hole_name(hole)).collect();
        assert_eq!(names, ["d1", "a4", "d4", "g4", "d7"]);
    }

    #[test]
    fn the_class_is_that_of_the_diagonals() {
        // The Rule of Three as it is taught: colour the diagonals in threes; all six parities of
        // pegs per colour change with every jump.
        let board = named("european");
        let span = Span::of_jumps(board);
        let colours = |pegs: u64| {
            let holes = crate::types::holes_of(pegs).map(|hole| board.cell(hole));
            let mut parities = [false; 6];
            for (x, y) in holes {
                parities[(x + y) % 3] ^= true;
                parities[3 + (x + 7 - y) % 3] ^= true;
            }
            [0, 1, 3, 4].map(|i| parities[i] ^ parities[i + 1])
        };
        let mut rng = tabia_core::SplitMix64::new(3);
        for _ in 0..2000 {
            let (a, b) = (rng.next() & board.full(), rng.next() & board.full());
            let b = if rng.below(2) == 0 { b } else { a ^ board.jumps()[rng.below(70) as usize].holes() };
            assert_eq!(span.same_class(a, b), colours(a) == colours(b));
        }
    }

    #[test]
    fn the_european_centre_is_refused_by_class_alone() {
        let board = named("european");
        let span = Span::of_jumps(board);
        let solvable = |vacancy: Hole| {
            let start = board.full() & !vacancy.bit();
            board.holes().any(|hole| span.same_class(start, hole.bit()))
        };
        assert!(!solvable(board.hole("d4").unwrap()));
        let good =
            board.holes().filter(|&hole| solvable(hole)).map(|hole| board.group().canonical(hole.bit()));
        let mut classes: Vec<u64> = good.collect();
        classes.sort_unstable();
        classes.dedup();
        assert_eq!(classes.len(), 3);
    }
}
