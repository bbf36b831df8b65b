//! A perfect index of the positions of one class and one parity of the peg count.
//!
//! Such positions are a coset of the span of pairs of jumps ([`Span`]). Elimination picks as many
//! *free* holes as that space has dimensions (28 on the English board); the pegs on them determine
//! the rest. The index is the pegs on the free holes, so a level of positions is a bitmap without
//! gaps, collisions or keys:
//!
//! ```text
//! index bit  27 ............ 17 | 16 ............. 8 | 7    6 | 5 ........ 0
//!            number of a block  | group in the block | lane   | bit of a word
//! ```
//!
//! Both ways are linear maps, so each is one table row per byte, like the symmetries: no PEXT is
//! needed. Complementing a position complements its index. Which hole gets which bit is a matter of
//! speed alone: holes of few jumps become low bits, so that most jumps move whole groups. Best are free
//! holes that the symmetries of the board exchange among themselves ([`super::sectors`]); where there
//! are none, holes of few jumps are left to be determined, and the highest bits belong together, so
//! that most jumps stay in their block.

use crate::movegen::Patterns;
use crate::solver::kernel::{GROUP_BITS, LEAST_BITS};
use crate::solver::span::Span;
use crate::{Board, Hole, Jump};
use tabia_core::sort_many_by_key;

/// The most free holes that are indexed: a bitmap of 2^32 bits is half a gigabyte.
pub(crate) const MOST_BITS: u32 = 32;

/// The index of a board; the class comes with a [`Base`].
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    bits: u32,
    /// How many of the highest bits number the sectors.
    sector_bits: u32,
    /// For every index bit, the vector of the span with only this free hole.
    rows: Vec<u64>,
    to_index: Vec<[u32; 256]>,
    to_pegs: Vec<[u64; 256]>,
    /// Every jump with the index bits it changes.
    jumps: Vec<(Jump, u32)>,
    /// The same by the hole they leave.
    leaving: Vec<Vec<(Jump, u32)>>,
    forwards: Patterns,
    backwards: Patterns,
}

/// The class of a search: the positions with index 0 after an even and after an odd number of jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Base([u64; 2]);

impl Layout {
    /// The index of a board; `None` when it has too many free holes.
    pub(crate) fn new(board: &Board) -> Option<Layout> {
        let degree = |bit: u64| board.jumps().iter().filter(|jump| jump.holes() & bit != 0).count();
        let mut leading: Vec<u64> = board.holes().map(crate::Hole::bit).collect();
        sort_many_by_key(&mut leading, |&bit| std::cmp::Reverse(degree(bit)));
        let span = Span::of_jump_pairs(board, &leading);
        let bits = span.dimension() as u32;
        if bits > MOST_BITS {
            return None;
        }
        let (span, order, sector_bits) = symmetric_order(board, bits).unwrap_or_else(|| {
            let order = order_bits(board, span.rows().iter().map(|&(_, bit)| bit).collect());
            (span, order, 0)
        });
        let row =
            |bit: &u64| span.rows().iter().find(|(_, leading)| leading == bit).map_or(0, |&(row, _)| row);
        let rows: Vec<u64> = order.iter().map(row).collect();
        let index_of = |vector: u64| {
            let set = order.iter().enumerate().filter(|(_, bit)| vector & **bit != 0);
            set.fold(0u32, |index, (at, _)| index | 1 << at)
        };
        let to_index = tables(board.size(), |hole| index_of(1 << hole), |a, b| a | b);
        let to_pegs = tables(rows.len(), |bit| rows[bit], |a, b| a ^ b);
        let jumps: Vec<(Jump, u32)> =
            board.jumps().iter().map(|&jump| (jump, index_of(jump.holes()))).collect();
        let from = |hole| jumps.iter().filter(|(jump, _)| jump.from == hole).copied().collect();
        let leaving = board.holes().map(from).collect();
        let forwards = Patterns::new(board.jumps(), |jump| jump.before());
        let backwards = Patterns::new(board.jumps(), |jump| jump.to.bit());
        Some(Layout { bits, sector_bits, rows, to_index, to_pegs, jumps, leaving, forwards, backwards })
    }

    /// The number of index bits.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// How many of the highest bits number the sectors; 0 where no symmetry takes sectors to sectors.
    pub(crate) fn sector_bits(&self) -> u32 {
        self.sector_bits
    }

    /// The vector of the span that each index bit stands for.
    pub(crate) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Every jump with the index bits it changes.
    pub(crate) fn jumps(&self) -> &[(Jump, u32)] {
        &self.jumps
    }

    /// The jumps that leave a hole, with the index bits they change.
    pub(crate) fn jumps_from(&self, hole: Hole) -> &[(Jump, u32)] {
        self.leaving.get(hole.index()).map_or(&[], Vec::as_slice)
    }

    /// Calls back with every jump that is possible, and the index bits it changes.
    #[inline]
    pub(crate) fn for_each_jump(&self, pegs: u64, mut found: impl FnMut(Jump, u32)) {
        self.forwards.for_each(pegs, |number| {
            let (jump, change) = self.jumps[number];
            found(jump, change);
        });
    }

    /// Calls back with every jump that can have been the last, and the index bits it changes.
    #[inline]
    pub(crate) fn for_each_jump_back(&self, pegs: u64, mut found: impl FnMut(Jump, u32)) {
        self.backwards.for_each(pegs, |number| {
            let (jump, change) = self.jumps[number];
            found(jump, change);
        });
    }

    /// The class of a position, counting jumps from it.
    pub(crate) fn base(&self, start: u64) -> Base {
        let next = start ^ self.jumps.first().map_or(0, |(jump, _)| jump.holes());
        Base([start, next].map(|pegs| pegs ^ self.vector(self.index(pegs))))
    }

    /// The index of a position.
    #[inline]
    pub(crate) fn index(&self, pegs: u64) -> u32 {
        let bytes = self.to_index.iter().enumerate();
        bytes.fold(0, |index, (byte, table)| index | table[(pegs >> (8 * byte)) as usize & 255])
    }

    #[inline]
    fn vector(&self, index: u32) -> u64 {
        let bytes = self.to_pegs.iter().enumerate();
        bytes.fold(0, |pegs, (byte, table)| pegs ^ table[(index >> (8 * byte)) as usize & 255])
    }

    /// The position of an index after an even (0) or odd (1) number of jumps.
    #[inline]
    pub(crate) fn pegs(&self, base: &Base, parity: usize, index: u32) -> u64 {
        base.0[parity & 1] ^ self.vector(index)
    }
}

impl Base {
    /// A class given by its position with index 0, for work within one parity.
    pub(crate) fn of(zero: u64) -> Base {
        Base([zero; 2])
    }

    /// The position with index 0.
    pub(crate) fn zero(&self, parity: usize) -> u64 {
        self.0[parity & 1]
    }
}

/// The bits in an order that suits the symmetries of the board, and how many of them number the sectors: all free holes,
/// those that are low bits, and those that number the sectors are whole orbits. `None` where that cannot be.
fn symmetric_order(board: &Board, bits: u32) -> Option<(Span, Vec<u64>, u32)> {
    let mut orbits = orbits(board);
    if orbits.len() == board.size() || bits < LEAST_BITS {
        return None;
    }
    let touched = |set: u64| board.jumps().iter().filter(|jump| jump.holes() & set != 0).count();
    sort_many_by_key(&mut orbits, |&orbit| touched(orbit));
    let together = |orbits: &[u64]| orbits.iter().fold(0, |set, orbit| set | orbit);
    // Free is what comes first in the elimination, unless it is determined already.
    let spans = unions(&orbits, board.size() as u32 - bits).into_iter().map(|bound| {
        let (free, bound): (Vec<u64>, Vec<u64>) =
            board.holes().map(crate::Hole::bit).partition(|bit| bit & bound == 0);
        Span::of_jump_pairs(board, &[free, bound].concat())
    });
    let span = spans.into_iter().find(|span| {
        let free = span.rows().iter().fold(0, |set, (_, bit)| set | bit);
        orbits.iter().all(|orbit| free & orbit == 0 || orbit & !free == 0)
    })?;
    let free = span.rows().iter().fold(0, |set, (_, bit)| set | bit);
    orbits.retain(|orbit| orbit & free != 0);
    // Small orbits, because a symmetry exchanges fewer bits there.
    let largest =
        |set: u64| orbits.iter().filter(|&orbit| orbit & set != 0).map(|orbit| orbit.count_ones()).max();
    let low = unions(&orbits, GROUP_BITS).into_iter().min_by_key(|&set| (largest(set), touched(set)))?;
    orbits.retain(|orbit| orbit & low == 0);
    let fits = |orbit: &&u64| bits - orbit.count_ones() >= LEAST_BITS;
    // The largest orbit, of several the one that fewest jumps touch.
    let sectors = *orbits.iter().filter(fits).rev().max_by_key(|orbit| orbit.count_ones())?;
    orbits.retain(|&orbit| orbit != sectors);
    let holes = |set: u64| crate::types::holes_of(set).map(crate::Hole::bit).collect::<Vec<_>>();
    let mut order = cluster(board, 0, holes(low));
    order.extend(cluster(board, low, holes(together(&orbits))));
    order.extend(cluster(board, 0, holes(sectors)).iter().rev());
    Some((span, order, sectors.count_ones()))
}

/// The holes that symmetries exchange, orbit by orbit.
fn orbits(board: &Board) -> Vec<u64> {
    let images = |hole: Hole| board.group().images(hole.bit()).into_iter().fold(0, |set, image| set | image);
    let mut orbits: Vec<u64> = board.holes().map(images).collect();
    orbits.sort_unstable();
    orbits.dedup();
    orbits
}

/// Unions of so many holes of some sets of holes, the first sets first; some of them where there are very many.
fn unions(sets: &[u64], holes: u32) -> Vec<u64> {
    const MOST: usize = 1000;
    let Some((&first, rest)) = sets.split_first() else {
        return if holes == 0 { vec![0] } else { Vec::new() };
    };
    let mut found = Vec::new();
    if let Some(left) = holes.checked_sub(first.count_ones()) {
        found.extend(unions(rest, left).into_iter().map(|set| set | first));
    }
    if found.len() < MOST {
        found.extend(unions(rest, holes));
    }
    found.truncate(MOST);
    found
}

/// Low bits first: a cluster of holes that few jumps touch. The highest bits, which number the
/// blocks, are another such cluster; between them the first cluster goes on.
fn order_bits(board: &Board, free: Vec<u64>) -> Vec<u64> {
    let mut low = cluster(board, 0, free);
    let rest = low.split_off((GROUP_BITS as usize).min(low.len()));
    let inner = (LEAST_BITS - GROUP_BITS) as usize;
    let mut high = cluster(board, 0, rest);
    let middle = high.split_off(high.len().saturating_sub(inner));
    let set = low.iter().fold(0, |sum, bit| sum | bit);
    low.extend(cluster(board, set, middle));
    low.extend(high.iter().rev());
    low
}

/// The holes in an order in which the number of jumps touched so far, with `set`, grows slowly.
fn cluster(board: &Board, mut set: u64, mut holes: Vec<u64>) -> Vec<u64> {
    let touched = |set: u64| board.jumps().iter().filter(|jump| jump.holes() & set != 0).count();
    let mut ordered = Vec::with_capacity(holes.len());
    while let Some(at) = (0..holes.len()).min_by_key(|&i| touched(set | holes[i])) {
        let hole = holes.swap_remove(at);
        set |= hole;
        ordered.push(hole);
    }
    ordered
}

/// One table per byte of the argument of a linear map, given what it does to single bits.
fn tables<T: Copy + Default>(
    bits: usize,
    image: impl Fn(usize) -> T,
    add: impl Fn(T, T) -> T,
) -> Vec<[T; 256]> {
    let mut tables = vec![[T::default(); 256]; bits.div_ceil(8)];
    for (byte, table) in tables.iter_mut().enumerate() {
        for value in 1..256_usize {
            let bit = value.trailing_zeros() as usize;
            let rest = table[value & (value - 1)];
            table[value] = if byte * 8 + bit < bits { add(rest, image(byte * 8 + bit)) } else { rest };
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    #[test]
    fn index_and_position_are_inverse() {
        let mut rng = tabia_core::SplitMix64::new(11);
        for known in catalogue::all() {
            let board = &known.board;
            let Some(layout) = Layout::new(board) else { continue };
            let start = rng.next() & board.full();
            let base = layout.base(start);
            assert_eq!(layout.pegs(&base, 0, layout.index(start)), start, "{}", known.name);
            let mut pegs = start;
            for jumps in 1..200 {
                pegs ^= board.jumps()[rng.below(board.jumps().len() as u64) as usize].holes();
                let index = layout.index(pegs);
                assert_eq!(layout.pegs(&base, jumps, index), pegs, "{}", known.name);
                let mask = u32::MAX >> (32 - layout.bits());
                assert_eq!(layout.index(board.full() & !pegs), index ^ mask);
            }
        }
    }

    #[test]
    fn the_english_board_needs_28_bits() {
        let bits = |name| Layout::new(&catalogue::find(name).unwrap().board).map(|layout| layout.bits());
        assert_eq!(bits("english"), Some(28));
        assert_eq!(bits("6x6"), Some(31));
        assert_eq!(bits("european"), Some(32));
        assert_eq!(bits("triangle5"), Some(12));
        assert_eq!(bits("wiegleb"), None);
    }
}
