//! Whether a position can be solved, at a glance, for all positions of a class at once.
//!
//! The positions from which a target can be reached are the complements of those that can be reached
//! from the target's complement, and a bitmap of these answers by looking at one bit.

use crate::Board;
use crate::solver::bitmap::Bitmap;
use crate::solver::layout::{Base, Layout};
use crate::solver::reach::Reach;
use crate::solver::sectors::Sectors;
use crate::symmetry::Group;
use tabia_core::Work;

/// Places of positions in the bitmaps of an [`Oracle`], by the parity of the jumps to the goal.
pub(crate) type Places = [Vec<u32>; 2];

/// All positions of a class that can be solved within some number of jumps.
pub(crate) struct Oracle {
    maps: [Bitmap; 2],
    /// The class of the complements.
    base: Base,
    complement: u32,
    goal_pegs: u32,
    pub(crate) positions: u64,
}

impl Oracle {
    /// Works backwards from targets of one class with equal numbers of pegs, a set that the group keeps, so many
    /// jumps far. `None` when stopped.
    pub(crate) fn new(
        board: &Board,
        layout: &Layout,
        group: &Group,
        targets: &[u64],
        jumps: usize,
        work: &Work<'_>,
    ) -> Option<Self> {
        let complements: Vec<u64> = targets.iter().map(|target| board.full() & !target).collect();
        let sectors = Sectors::new(layout, group);
        let mut reach = Reach::new(layout, group, &sectors, &complements, true);
        let mut positions = 0;
        while reach.jumps() < jumps && reach.positions() > 0 {
            if work.is_stopped() {
                return None;
            }
            reach.advance(work);
            positions += reach.positions();
            work.report("solvable positions", reach.jumps() as u64, Some(jumps as u64));
        }
        let goal_pegs = targets.first().map_or(0, |target| target.count_ones());
        let complement = u32::MAX >> (32 - layout.bits());
        let base = *reach.base();
        let mut maps = reach.into_maps();
        maps.iter_mut().for_each(|map| sectors.complete(map.blocks_mut()));
        Some(Oracle { maps, base, complement, goal_pegs, positions })
    }

    /// Calls back with every solvable position of the class.
    pub(crate) fn for_each(&self, board: &Board, layout: &Layout, mut found: impl FnMut(u64)) {
        for (parity, map) in self.maps.iter().enumerate() {
            map.for_each(map.all(), |place| found(self.pegs(board, layout, parity, place)));
        }
    }

    /// Bytes of the bitmaps.
    pub(crate) fn bytes(&self) -> u64 {
        self.maps.iter().map(Bitmap::bytes).sum()
    }

    /// Where a position with at least as many pegs as the goal is found, given its index.
    #[inline]
    pub(crate) fn place(&self, pegs: u64, index: u32) -> (usize, u32) {
        ((pegs.count_ones() - self.goal_pegs) as usize & 1, index ^ self.complement)
    }

    /// The position at a place.
    #[inline]
    pub(crate) fn pegs(&self, board: &Board, layout: &Layout, parity: usize, place: u32) -> u64 {
        board.full() & !layout.pegs(&self.base, parity, place)
    }

    /// Whether the position at a place can be solved, and was not taken out.
    #[inline]
    pub(crate) fn has(&self, parity: usize, place: u32) -> bool {
        self.maps[parity].has(place)
    }

    /// Takes out what is there at these places; where something was, each place once.
    pub(crate) fn take(&mut self, places: &Places) -> Places {
        let mut taken = Places::default();
        for ((map, places), taken) in self.maps.iter_mut().zip(places).zip(&mut taken) {
            map.remove_all(places, places, taken);
        }
        taken
    }

    /// Puts back what was taken out.
    pub(crate) fn put_back(&mut self, places: &Places) {
        for (map, places) in self.maps.iter_mut().zip(places) {
            places.iter().for_each(|&place| {
                map.insert(place);
            });
        }
    }

    /// Whether a position of the class can be solved; one with fewer pegs than the goal cannot.
    #[inline]
    pub(crate) fn is_solvable(&self, pegs: u64, index: u32) -> bool {
        if pegs.count_ones() < self.goal_pegs {
            return false;
        }
        let (parity, place) = self.place(pegs, index);
        self.has(parity, place)
    }
}
