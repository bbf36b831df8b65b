//! One solution, fast: breadth first from the start, keeping the most promising positions of a level.
//!
//! The last jumps are searched backwards from the goal first, as far as that is cheap, so the search
//! has to find its way only to the edge of a known region. A level that did not have to be cut short
//! is complete: when no level was, running out of positions is a proof that there is no solution.

use crate::{Board, Jump, Solitaire};
use rustc_hash::FxHashSet;
use tabia_core::Work;

/// Positions of one level of the region known to lead to the goal.
const REGION: usize = 4000;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The jumps of a solution.
    Line(Vec<Jump>),
    /// There is none.
    Nothing,
    /// The levels had to be cut short (or the work was stopped).
    Unclear,
}

/// A search for one solution.
pub(crate) struct Beam<'a> {
    rules: &'a Solitaire,
    /// By number of pegs: canonical positions from which the goal can be reached; complete.
    region: Vec<FxHashSet<u64>>,
    /// The cost of a peg on each hole: the fewer jumps, the dearer.
    costs: Vec<i32>,
    pub(crate) positions: u64,
}

impl<'a> Beam<'a> {
    /// Prepares a search from positions with so many pegs.
    pub(crate) fn new(rules: &'a Solitaire, pegs: u32) -> Beam<'a> {
        let costs = costs(rules.board());
        let mut beam = Beam { rules, region: Vec::new(), costs, positions: 0 };
        beam.grow_region(pegs);
        beam
    }

    /// Plays backwards from the goal, level by level.
    fn grow_region(&mut self, most_pegs: u32) {
        let (board, group) = (self.rules.board(), self.rules.group());
        let goal = self.rules.goal();
        self.region = vec![FxHashSet::default(); goal.pegs() as usize];
        let mut level: FxHashSet<u64> = goal.targets(board).iter().map(|&t| group.canonical(t)).collect();
        while !level.is_empty() && level.len() <= REGION && self.region.len() <= most_pegs as usize {
            let mut earlier = FxHashSet::default();
            for &pegs in &level {
                let undone = board.jumps().iter().filter(|jump| jump.could_lead_to(pegs));
                earlier.extend(undone.map(|jump| group.canonical(pegs ^ jump.holes())));
            }
            self.positions += level.len() as u64;
            self.region.push(level);
            level = earlier;
        }
    }

    /// Searches with levels of at most `width` positions.
    pub(crate) fn search(&mut self, start: u64, width: usize, work: &Work<'_>) -> Found {
        let first = self.rules.group().canonical(start);
        let mut levels: Vec<Vec<(u64, u32)>> = vec![vec![(first, 0)]];
        let mut cut = false;
        loop {
            let Some(level) = levels.last() else { return Found::Unclear };
            if let Some(region) =
                level.first().and_then(|(pegs, _)| self.region.get(pegs.count_ones() as usize))
            {
                return match level.iter().position(|(pegs, _)| region.contains(pegs)) {
                    Some(at) => self.line(start, &levels, at),
                    None if cut => Found::Unclear,
                    None => Found::Nothing,
                };
            }
            if work.is_stopped() {
                return Found::Unclear;
            }
            let (next, was_cut) = self.next_level(level, width);
            cut |= was_cut;
            self.positions += next.len() as u64;
            work.report("beam", levels.len() as u64, None);
            if next.is_empty() {
                return if cut { Found::Unclear } else { Found::Nothing };
            }
            levels.push(next);
        }
    }

    /// The best `width` positions after one more jump, each with the number of its parent.
    fn next_level(&self, level: &[(u64, u32)], width: usize) -> (Vec<(u64, u32)>, bool) {
        let (board, group) = (self.rules.board(), self.rules.group());
        let mut seen = FxHashSet::with_capacity_and_hasher(level.len() * 4, rustc_hash::FxBuildHasher);
        let mut next = Vec::with_capacity(level.len() * 4);
        for (parent, (pegs, _)) in level.iter().enumerate() {
            for jump in board.possible(*pegs) {
                let child = group.canonical(pegs ^ jump.holes());
                if seen.insert(child) {
                    next.push((child, parent as u32));
                }
            }
        }
        let cut = next.len() > width;
        if cut {
            let mut scored: Vec<(i32, (u64, u32))> =
                next.iter().map(|&entry| (self.cost(entry.0), entry)).collect();
            scored.select_nth_unstable(width);
            scored.truncate(width);
            next = scored.into_iter().map(|(_, entry)| entry).collect();
        }
        (next, cut)
    }

    /// How unpromising a position looks.
    fn cost(&self, pegs: u64) -> i32 {
        let holes: i32 = crate::types::holes_of(pegs).map(|hole| self.costs[hole.index()]).sum();
        holes - 2 * self.rules.board().count_possible(pegs) as i32
    }

    /// The jumps along a path to the region, and on through it to the goal.
    fn line(&self, start: u64, levels: &[Vec<(u64, u32)>], at: usize) -> Found {
        let mut path = Vec::with_capacity(levels.len());
        let mut at = at;
        for level in levels.iter().rev() {
            let Some(&(pegs, parent)) = level.get(at) else { return Found::Unclear };
            path.push(pegs);
            at = parent as usize;
        }
        path.reverse();
        let (mut pegs, mut line) = (start, Vec::new());
        let group = self.rules.group();
        for step in 1.. {
            let pegs_left = pegs.count_ones() as usize;
            if step >= path.len() && self.rules.goal().is_met(pegs) {
                break;
            }
            let leads_on = |jump: &Jump| {
                let canonical = group.canonical(pegs ^ jump.holes());
                match path.get(step) {
                    Some(&wanted) => canonical == wanted,
                    None => self.region.get(pegs_left - 1).is_some_and(|level| level.contains(&canonical)),
                }
            };
            let Some(jump) = self.rules.board().possible(pegs).find(leads_on) else { return Found::Unclear };
            pegs ^= jump.holes();
            line.push(jump);
        }
        Found::Line(line)
    }
}

/// Holes that few jumps leave or cross are hard to clear.
fn costs(board: &Board) -> Vec<i32> {
    let ways = |hole: crate::Hole| {
        let clearing = board.jumps().iter().filter(|jump| jump.from == hole || jump.over == hole);
        clearing.count() as i32
    };
    let most = board.holes().map(ways).max().unwrap_or(0);
    board.holes().map(|hole| (most - ways(hole)) * 3).collect()
}
