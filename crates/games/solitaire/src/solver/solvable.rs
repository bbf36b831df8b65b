//! All positions between a start and a goal: reachable, and from which the goal can be reached.
//!
//! Playing backwards from a position is playing forwards from its complement (pegs and empty holes
//! exchanged). So the positions from which a target can be reached in k jumps are the complements of
//! those reachable from the target's complement in k jumps, and a search of half the length from
//! either side meets in the middle:
//!
//! ```text
//! start --------- m jumps ---------> middle <--------- n jumps --------- complements of the targets
//!        (kept levels)            those in both                (kept levels)
//! ```
//!
//! From the middle, only positions that can be solved are followed outwards, through the kept levels.
//! Where start and goal are complements of each other, as in the central game, both sides are one.

use crate::solver::bitmap::Bitmap;
use crate::solver::layout::{Base, Layout};
use crate::solver::reach::Reach;
use crate::solver::sectors::Sectors;
use crate::symmetry::Group;
use crate::{Board, Jump};
use tabia_core::Work;

/// Positions expanded together.
const BATCH: usize = 64;

/// A question: from one of some positions to one of some others, by jumps on a board.
#[derive(Clone, Debug)]
pub(crate) struct Problem<'a> {
    pub(crate) board: &'a Board,
    pub(crate) layout: &'a Layout,
    /// Symmetries that keep the set of starts and the set of targets.
    pub(crate) group: &'a Group,
    /// Positions with equal numbers of pegs, all of one class.
    pub(crate) starts: Vec<u64>,
    /// Positions of the same class with equal numbers of pegs.
    pub(crate) targets: Vec<u64>,
}

/// The positions between start and goal: for each number of jumps, one of every class of symmetric
/// ones, by index.
#[derive(Clone, Debug)]
pub(crate) struct Between {
    pub(crate) base: Base,
    /// Levels from the start to the middle.
    near: Vec<Vec<u32>>,
    /// Levels of the complements, from the goal to the middle; `None` where they are the same.
    far: Option<Vec<Vec<u32>>>,
    far_base: Base,
    pub(crate) jumps: usize,
    pub(crate) bytes: u64,
}

impl Problem<'_> {
    /// Jumps from start to goal.
    pub(crate) fn jumps(&self) -> Option<usize> {
        let pegs = |list: &[u64]| list.first().map(|pegs| pegs.count_ones());
        Some(pegs(&self.starts)?.checked_sub(pegs(&self.targets)?)? as usize)
    }

    /// Bytes the bitmaps take.
    pub(crate) fn bytes(&self) -> u64 {
        4 * (1u64 << self.layout.bits()) / 8
    }

    fn complements(&self) -> Vec<u64> {
        self.targets.iter().map(|target| self.board.full() & !target).collect()
    }

    /// Finds all positions between; `None` when stopped, or when the goal has too many pegs.
    pub(crate) fn between(&self, work: &Work<'_>) -> Option<Between> {
        let jumps = self.jumps()?;
        let (mut starts, mut ends) = (self.starts.clone(), self.complements());
        starts.sort_unstable();
        ends.sort_unstable();
        if starts == ends { self.one_sided(jumps, work) } else { self.two_sided(jumps, &ends, work) }
    }

    fn one_sided(&self, jumps: usize, work: &Work<'_>) -> Option<Between> {
        let half = jumps / 2;
        let sectors = Sectors::new(self.layout, self.group);
        let mut reach = Reach::new(self.layout, self.group, &sectors, &self.starts, true);
        advance_to(&mut reach, jumps - half, work)?;
        let (base, bytes) = (*reach.base(), reach.bytes());
        let middle = self.middle(&reach, half, reach.map(jumps - half));
        let mut maps = reach.into_maps();
        let near = self.outwards(&base, &sectors, &mut maps, middle, half);
        Some(Between { base, near, far: None, far_base: base, jumps, bytes })
    }

    fn two_sided(&self, jumps: usize, ends: &[u64], work: &Work<'_>) -> Option<Between> {
        let half = jumps / 2;
        let sectors = Sectors::new(self.layout, self.group);
        let mut reach = Reach::new(self.layout, self.group, &sectors, &self.starts, true);
        let mut back = Reach::new(self.layout, self.group, &sectors, ends, true);
        advance_to(&mut reach, half, work)?;
        advance_to(&mut back, jumps - half, work)?;
        let (base, far_base) = (*reach.base(), *back.base());
        let bytes = reach.bytes() + back.bytes();
        let middle = self.middle(&reach, half, back.map(jumps - half));
        let far_middle = self.complement(&base, half, &far_base, jumps - half, &middle);
        let near = self.outwards(&base, &sectors, &mut reach.into_maps(), middle, half);
        let far = self.outwards(&far_base, &sectors, &mut back.into_maps(), far_middle, jumps - half);
        Some(Between { base, near, far: Some(far), far_base, jumps, bytes })
    }

    /// One of each class of the positions after `half` jumps whose complement is in `back`.
    fn middle(&self, reach: &Reach<'_>, half: usize, back: &Bitmap) -> Vec<u32> {
        let (mut middle, map) = (Vec::new(), reach.map(half));
        let Some(sectors) = reach.symmetric_sectors() else {
            map.for_each_complement(back, |index| {
                let pegs = self.layout.pegs(reach.base(), half, index);
                if self.group.canonical(pegs) == pegs {
                    middle.push(index);
                }
            });
            return middle;
        };
        // Symmetric sectors hold the same classes: one of them is enough.
        let (last, mut room) = (sectors.all() - 1, Vec::new());
        for (sector, _) in sectors.firsts() {
            let opposite = sectors.read(back.blocks(), last - sector, &mut room).as_flattened();
            map.for_each_opposite(sectors.groups(sector), opposite, |index| {
                let pegs = self.layout.pegs(reach.base(), half, index);
                middle.push(self.layout.index(self.group.canonical(pegs)));
            });
        }
        middle.sort_unstable();
        middle.dedup();
        middle
    }

    /// The representatives of the complements.
    fn complement(&self, base: &Base, jumps: usize, far: &Base, far_jumps: usize, list: &[u32]) -> Vec<u32> {
        let other = |&index: &u32| {
            let pegs = self.board.full() & !self.layout.pegs(base, jumps, index);
            let index = self.layout.index(self.group.canonical(pegs));
            debug_assert_eq!(self.layout.pegs(far, far_jumps, index), self.group.canonical(pegs));
            index
        };
        let mut list: Vec<u32> = list.iter().map(other).collect();
        list.sort_unstable();
        list
    }

    /// Levels 0 to `half`: predecessors of the middle among the kept positions, which are used up.
    fn outwards(
        &self,
        base: &Base,
        sectors: &Sectors,
        maps: &mut [Bitmap; 2],
        middle: Vec<u32>,
        half: usize,
    ) -> Vec<Vec<u32>> {
        let mut levels = vec![middle];
        for jumps in (0..half).rev() {
            let (mut found, map) = (Vec::new(), &mut maps[jumps & 1]);
            let mut parents: Vec<(u32, u64)> = Vec::new();
            let (mut names, mut places): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
            // In batches, so that the processor can wait for many places of the bitmap at once.
            for batch in levels.last().map_or(&[][..], |level| level).chunks(BATCH) {
                parents.clear();
                for &index in batch {
                    let pegs = self.layout.pegs(base, jumps + 1, index);
                    self.layout.for_each_jump_back(pegs, |jump, change| {
                        parents.push((index ^ change, pegs ^ jump.holes()));
                    });
                }
                let mut kept = 0;
                for at in 0..parents.len() {
                    parents[kept] = parents[at];
                    kept += usize::from(map.has(sectors.place(parents[at].0)));
                }
                let canonical = |&(_, pegs): &(u32, u64)| self.layout.index(self.group.canonical(pegs));
                names.clear();
                names.extend(parents[..kept].iter().map(canonical));
                places.clear();
                places.extend(names.iter().map(|&name| sectors.place(name)));
                // Taken out when found, so that each is found once.
                map.remove_all(&places, &names, &mut found);
            }
            found.sort_unstable();
            found.shrink_to_fit();
            levels.push(found);
        }
        levels.reverse();
        levels
    }
}

impl Between {
    /// Representatives of the positions after so many jumps.
    pub(crate) fn level(&self, problem: &Problem<'_>, jumps: usize) -> Vec<u32> {
        if let Some(level) = self.near.get(jumps) {
            return level.clone();
        }
        let from_end = self.jumps - jumps;
        let far = self.far.as_ref().unwrap_or(&self.near);
        let list = far.get(from_end).map_or(&[][..], |level| level);
        problem.complement(&self.far_base, from_end, &self.base, jumps, list)
    }

    /// The jumps of one solution.
    pub(crate) fn line(&self, problem: &Problem<'_>, start: u64) -> Option<Vec<Jump>> {
        let (mut pegs, mut line) = (start, Vec::new());
        for jumps in 1..=self.jumps {
            let level = self.level(problem, jumps);
            let leads_on = |jump: &Jump| {
                let child = problem.group.canonical(pegs ^ jump.holes());
                level.binary_search(&problem.layout.index(child)).is_ok()
            };
            let jump = problem.board.possible(pegs).find(leads_on)?;
            pegs ^= jump.holes();
            line.push(jump);
        }
        Some(line)
    }

    /// How many representatives each level has.
    pub(crate) fn sizes(&self) -> Vec<u64> {
        let far = self.far.as_ref().unwrap_or(&self.near);
        let size = |jumps: usize| {
            let level = self.near.get(jumps).or_else(|| far.get(self.jumps - jumps));
            level.map_or(0, |level| level.len() as u64)
        };
        (0..=self.jumps).map(size).collect()
    }

    /// All representatives.
    pub(crate) fn total(&self) -> u64 {
        self.sizes().iter().sum()
    }
}

fn advance_to(reach: &mut Reach<'_>, jumps: usize, work: &Work<'_>) -> Option<()> {
    while reach.jumps() < jumps {
        if work.is_stopped() {
            return None;
        }
        reach.advance(work);
        work.report("levels", reach.jumps() as u64, Some(jumps as u64));
    }
    Some(())
}
