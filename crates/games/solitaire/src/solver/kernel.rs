//! Jumps applied to whole bitmaps of positions, 256 positions at a time.
//!
//! A bitmap of positions ([`super::layout`]) is a list of groups of four words. For one jump, all
//! positions of a group of the next level come from one group of this level: the three holes of the
//! jump that are high index bits choose the groups, those that are low bits are masked and shifted,
//! and holes that are not free (their pegs are parities of the index) choose one of a few masks.
//!
//! ```text
//! next[g] |= permute_lanes(shift(now[g ^ holes] & mask))     for all g in which the jump has ended
//! ```
//!
//! The next level is gathered block by block (16 KiB), so that a block is written once, by one
//! thread, while it is in the nearest cache.

use crate::solver::layout::{Base, Layout};
use crate::{Hole, Jump};

/// 256 positions: the low 8 bits of the index.
pub(crate) type Group = [u64; 4];

/// Bits of the index within a group.
pub(crate) const GROUP_BITS: u32 = 8;
/// Bits of the number of a group within its block.
const BLOCK_BITS: u32 = 9;
/// Groups in a block.
pub(crate) const BLOCK: usize = 1 << BLOCK_BITS;
/// The least number of index bits for which there is a block.
pub(crate) const LEAST_BITS: u32 = GROUP_BITS + BLOCK_BITS;

/// The most groups that are handled as one run: fixed lengths are unrolled.
const LONGEST_RUN: usize = 8;

/// Bits of an index, split as the bitmap is.
#[derive(Clone, Copy, Debug, Default)]
struct Split {
    block: usize,
    group: usize,
    lane: usize,
}

impl Split {
    fn new(index: u32) -> Split {
        Split {
            block: (index >> LEAST_BITS) as usize,
            group: (index >> GROUP_BITS) as usize & (BLOCK - 1),
            lane: (index >> 6) as usize & 3,
        }
    }
}

/// One jump, prepared for bitmaps of one parity.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// All index bits the jump changes.
    change: Split,
    /// Those that are set after the jump.
    after: Split,
    /// Shifts of the words: left or right.
    shift: [u32; 2],
    /// For each hole of the jump that is not free: the index bits whose parity decides.
    parities: Vec<Split>,
    /// Positions of a group in which the jump is possible, by the parities of the group.
    masks: Vec<Group>,
    /// The runs of groups in a block in which the jump has ended, numbered in units of a run.
    runs: Vec<u16>,
    /// Groups in a run.
    run: usize,
    /// For all groups of all runs, the parities within the block of the groups they come from.
    variants: Vec<u8>,
}

impl Kernel {
    /// Prepares all jumps for the step from positions after `parity` jumps.
    pub(crate) fn all(layout: &Layout, base: &Base, parity: usize) -> Vec<Kernel> {
        layout
            .jumps()
            .iter()
            .map(|&(jump, change)| Kernel::new(layout, base.zero(parity), jump, change))
            .collect()
    }

    fn new(layout: &Layout, zero: u64, jump: Jump, change: u32) -> Kernel {
        let after = layout.index(jump.to.bit());
        let gained = after & 63;
        let lost = change & 63 & !gained;
        let shift = if gained >= lost { [gained - lost, 0] } else { [0, lost - gained] };
        let holes = [jump.from, jump.over, jump.to];
        let bound: Vec<Hole> = holes.into_iter().filter(|hole| layout.index(hole.bit()) == 0).collect();
        let depends = |hole: &Hole| {
            let set = layout.rows().iter().enumerate().filter(|(_, row)| **row & hole.bit() != 0);
            set.fold(0u32, |bits, (at, _)| bits | 1 << at)
        };
        let parities: Vec<Split> = bound.iter().map(|hole| Split::new(depends(hole))).collect();
        let mask = |variant: usize| {
            std::array::from_fn(|lane| {
                let possible = |bit: &u32| {
                    let low = (lane as u32) << 6 | bit;
                    let mut pegs = layout.pegs(&Base::of(zero), 0, low);
                    for (i, hole) in bound.iter().enumerate() {
                        pegs ^= if variant >> i & 1 == 0 { 0 } else { hole.bit() };
                    }
                    // High free holes are dealt with by the choice of groups.
                    let high = holes.iter().filter(|hole| layout.index(hole.bit()) > 255);
                    let seen = jump.holes() & !high.fold(0, |sum, hole| sum | hole.bit());
                    pegs & seen == jump.before() & seen
                };
                (0..64).filter(possible).fold(0u64, |word, bit| word | 1 << bit)
            })
        };
        let masks = (0..1 << bound.len()).map(mask).collect();
        let (change, after) = (Split::new(change), Split::new(after));
        let run = (1usize << change.group.trailing_zeros().min(BLOCK_BITS)).min(LONGEST_RUN);
        let ended = |g: &usize| g & change.group == after.group;
        let runs = (0..BLOCK).step_by(run).filter(ended).map(|g| (g / run) as u16).collect();
        let variants = (0..BLOCK)
            .filter(ended)
            .map(|g| variant(&parities, |bits| (g ^ change.group) & bits.group) as u8);
        let variants = if bound.is_empty() { Vec::new() } else { variants.collect() };
        Kernel { change, after, shift, parities, masks, runs, run, variants }
    }

    /// Adds to `block`, number `number` of the next level, what this jump brings from `now`.
    pub(crate) fn gather(&self, number: usize, block: &mut [Group; BLOCK], now: &[[Group; BLOCK]]) {
        if number & self.change.block != self.after.block {
            return;
        }
        let from = number ^ self.change.block;
        let Some(source) = now.get(from) else { return };
        match self.run {
            1 => self.gather_lanes::<1>(from, block, source),
            2 => self.gather_lanes::<2>(from, block, source),
            4 => self.gather_lanes::<4>(from, block, source),
            _ => self.gather_lanes::<LONGEST_RUN>(from, block, source),
        }
    }

    fn gather_lanes<const RUN: usize>(
        &self,
        from: usize,
        block: &mut [Group; BLOCK],
        source: &[Group; BLOCK],
    ) {
        match (self.change.lane, self.shift) {
            (0, [0, 0]) => self.gather_runs::<RUN>(from, block, source, |group| group),
            (0, _) => self.gather_runs::<RUN>(from, block, source, |group| self.shifted(group)),
            (1, _) => {
                self.gather_runs::<RUN>(from, block, source, |group| exchange::<1>(self.shifted(group)));
            }
            (2, _) => {
                self.gather_runs::<RUN>(from, block, source, |group| exchange::<2>(self.shifted(group)));
            }
            _ => self.gather_runs::<RUN>(from, block, source, |group| exchange::<3>(self.shifted(group))),
        }
    }

    #[inline]
    fn gather_runs<const RUN: usize>(
        &self,
        from: usize,
        block: &mut [Group; BLOCK],
        source: &[Group; BLOCK],
        moved: impl Fn(Group) -> Group,
    ) {
        let (to, source) = (block.as_chunks_mut::<RUN>().0, source.as_chunks::<RUN>().0);
        let change = self.change.group / RUN;
        // Masking tells the compiler what is true anyway: a run is inside its block.
        let inside = BLOCK / RUN - 1;
        if self.variants.is_empty() {
            let mask = self.masks.first().copied().unwrap_or_default();
            for &run in &self.runs {
                let at = usize::from(run);
                let (to, source) = (&mut to[at & inside], &source[(at ^ change) & inside]);
                for (to, group) in to.iter_mut().zip(source) {
                    add(to, moved(masked(group, &mask)));
                }
            }
            return;
        }
        let masks = self.masks_of_block(from);
        for (&run, variants) in self.runs.iter().zip(self.variants.as_chunks::<RUN>().0) {
            let at = usize::from(run);
            let (to, source) = (&mut to[at & inside], &source[(at ^ change) & inside]);
            for ((to, group), variant) in to.iter_mut().zip(source).zip(variants) {
                add(to, moved(masked(group, &masks[usize::from(variant & 7)])));
            }
        }
    }

    #[inline]
    fn shifted(&self, group: Group) -> Group {
        let [left, right] = self.shift;
        group.map(|word| (word << left) >> right)
    }

    /// The masks in the order of the parities within a block, given those of the block's number.
    fn masks_of_block(&self, block: usize) -> [Group; 8] {
        let flip = variant(&self.parities, |bits| block & bits.block);
        std::array::from_fn(|variant| self.masks.get(variant ^ flip).copied().unwrap_or_default())
    }

    /// Clears in `block`, number `number` of a level, all positions in which this jump is possible.
    pub(crate) fn strike(&self, number: usize, block: &mut [Group; BLOCK]) {
        let before = self.change.block & !self.after.block;
        if number & self.change.block != before {
            return;
        }
        let change = self.change.group & (BLOCK - 1);
        let before = change & !self.after.group;
        let masks = self.masks_of_block(number);
        for (g, group) in block.iter_mut().enumerate().filter(|(g, _)| g & change == before) {
            let mask = &masks[variant(&self.parities, |bits| g & bits.group)];
            group.iter_mut().zip(mask).for_each(|(word, mask)| *word &= !mask);
        }
    }
}

/// The parities of the chosen bits, as a number.
fn variant(parities: &[Split], chosen: impl Fn(&Split) -> usize) -> usize {
    let parities = parities.iter().enumerate();
    parities.fold(0, |sum, (i, bits)| sum | ((chosen(bits).count_ones() & 1) as usize) << i) & 7
}

#[inline]
fn masked(group: &Group, mask: &Group) -> Group {
    std::array::from_fn(|lane| group[lane] & mask[lane])
}

#[inline]
fn exchange<const LANE: usize>(group: Group) -> Group {
    std::array::from_fn(|lane| group[lane ^ LANE])
}

#[inline]
fn add(to: &mut Group, group: Group) {
    to.iter_mut().zip(group).for_each(|(word, more)| *word |= more);
}
