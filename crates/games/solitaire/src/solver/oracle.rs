//! Whether a position can be solved, at a glance, for all positions of a class at once.
//!
//! The positions from which a target can be reached are the complements of those that can be reached
//! from the target's complement, and a bitmap of these answers by looking at one bit.

use crate::Board;
use crate::solver::bitmap::Bitmap;
use crate::solver::layout::{Base, Layout};
use crate::solver::reach::Reach;
use tabia_core::Work;

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
    /// Works backwards from targets of one class with equal numbers of pegs, so many jumps far.
    /// `None` when stopped.
    pub(crate) fn new(
        board: &Board,
        layout: &Layout,
        targets: &[u64],
        jumps: usize,
        work: &Work<'_>,
    ) -> Option<Self> {
        let complements: Vec<u64> = targets.iter().map(|target| board.full() & !target).collect();
        let mut reach = Reach::new(layout, &complements, true);
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
        Some(Oracle { maps: reach.into_maps(), base, complement, goal_pegs, positions })
    }

    /// Calls back with every solvable position of the class.
    pub(crate) fn for_each(&self, board: &Board, layout: &Layout, mut found: impl FnMut(u64)) {
        for (parity, map) in self.maps.iter().enumerate() {
            map.for_each(|index| found(board.full() & !layout.pegs(&self.base, parity, index)));
        }
    }

    /// Bytes of the bitmaps.
    pub(crate) fn bytes(&self) -> u64 {
        self.maps.iter().map(Bitmap::bytes).sum()
    }

    /// Whether a position of the class can be solved; one with fewer pegs than the goal cannot.
    #[inline]
    pub(crate) fn is_solvable(&self, pegs: u64, index: u32) -> bool {
        let Some(jumps) = pegs.count_ones().checked_sub(self.goal_pegs) else { return false };
        self.maps[jumps as usize & 1].has(index ^ self.complement)
    }
}
