//! The fewest moves, a move being any number of hops in a row by one peg.
//!
//! Breadth first by moves, through nothing but positions between start and goal: there are few of
//! them, each is met first with the fewest moves that lead to it, and the level at which the goal is
//! met is the proof that fewer do not suffice.

use crate::Jump;
use crate::solver::bitmap::Bitmap;
use crate::solver::solvable::{Between, Problem};
use tabia_core::puzzle::Work;

/// A search by moves.
pub(crate) struct Fewest<'a> {
    problem: &'a Problem<'a>,
    /// The jumps from each hole.
    from: Vec<Vec<(Jump, u32)>>,
    /// All positions between, by parity of the number of jumps.
    open: [Bitmap; 2],
}

/// A position on the way: pegs, and the parity of the number of jumps so far.
type Met = (u64, usize);

impl<'a> Fewest<'a> {
    /// Prepares the search among the positions between.
    pub(crate) fn new(problem: &'a Problem<'a>, between: &Between) -> Self {
        let layout = problem.layout;
        let mut open = [Bitmap::new(layout.bits()), Bitmap::new(layout.bits())];
        for jumps in 0..=between.jumps {
            for index in between.level(problem, jumps) {
                for image in problem.group.images(layout.pegs(&between.base, jumps, index)) {
                    open[jumps & 1].insert(layout.index(image));
                }
            }
        }
        let all = layout.jumps();
        let leaving = |hole| all.iter().filter(|(jump, _)| jump.from == hole).copied().collect();
        Fewest { problem, from: problem.board.holes().map(leaving).collect(), open }
    }

    /// Bytes of the bitmaps, those of the positions met included.
    pub(crate) fn bytes(&self) -> u64 {
        self.open.iter().map(Bitmap::bytes).sum::<u64>() * 2
    }

    /// The hops of a solution with the fewest moves, and how many positions were met; `None` when
    /// stopped or when there is no solution.
    pub(crate) fn search(&self, start: u64, work: &Work<'_>) -> Option<(Vec<Jump>, u64)> {
        let layout = self.problem.layout;
        let mut met = [Bitmap::new(layout.bits()), Bitmap::new(layout.bits())];
        let first = self.problem.group.canonical(start);
        let targets: Vec<u64> =
            self.problem.targets.iter().map(|&t| self.problem.group.canonical(t)).collect();
        let mut layers: Vec<Vec<Met>> = vec![vec![(first, 0)]];
        let mut positions = 1;
        let mut end = targets.contains(&first).then_some((first, 0));
        while end.is_none() {
            let mut next = Vec::new();
            for &(pegs, parity) in layers.last().filter(|layer| !layer.is_empty())? {
                self.for_each_move(pegs, parity, |reached, parity| {
                    let canonical = self.problem.group.canonical(reached);
                    if met[parity].insert(layout.index(canonical)) {
                        next.push((canonical, parity));
                    }
                    false
                });
            }
            if work.is_stopped() {
                return None;
            }
            end = next.iter().find(|(pegs, _)| targets.contains(pegs)).copied();
            positions += next.len() as u64;
            layers.push(next);
            work.report("moves", layers.len() as u64 - 1, None, positions);
        }
        let path = self.trace_back(&layers, end?)?;
        Some((self.replay(start, &path)?, positions))
    }

    /// Calls back with every position one move away, until the answer is yes; whether it was.
    fn for_each_move(&self, pegs: u64, parity: usize, mut visit: impl FnMut(u64, usize) -> bool) -> bool {
        let index = self.problem.layout.index(pegs);
        let from =
            crate::types::holes_of(pegs).flat_map(|hole| self.from.get(hole.index()).into_iter().flatten());
        let mut hops = Vec::new();
        for (jump, change) in from {
            if self.hop((pegs, parity), index, *jump, *change, &mut hops, &mut |met, _| visit(met.0, met.1)) {
                return true;
            }
        }
        false
    }

    /// Plays one hop and all that can follow it with the same peg.
    fn hop(
        &self,
        (pegs, parity): Met,
        index: u32,
        jump: Jump,
        change: u32,
        hops: &mut Vec<Jump>,
        visit: &mut impl FnMut(Met, &[Jump]) -> bool,
    ) -> bool {
        let (next, index) = ((pegs ^ jump.holes(), parity ^ 1), index ^ change);
        if !jump.is_possible(pegs) || !self.open[next.1].has(index) {
            return false;
        }
        hops.push(jump);
        let found = visit(next, hops)
            || self.from[jump.to.index()]
                .iter()
                .any(|&(jump, change)| self.hop(next, index, jump, change, hops, visit));
        if !found {
            hops.pop();
        }
        found
    }

    /// One representative per layer, the goal's last.
    fn trace_back(&self, layers: &[Vec<Met>], end: Met) -> Option<Vec<u64>> {
        let mut path = vec![end.0];
        for layer in layers.iter().rev().skip(1) {
            let wanted = *path.last()?;
            let fewer = |met: &&Met| met.0.count_ones() > wanted.count_ones();
            let leads = |&&(pegs, parity): &&Met| {
                self.for_each_move(pegs, parity, |reached, _| self.problem.group.canonical(reached) == wanted)
            };
            path.push(layer.iter().filter(fewer).find(leads)?.0);
        }
        path.reverse();
        Some(path)
    }

    /// The hops that lead from the start through the classes of the path.
    fn replay(&self, start: u64, path: &[u64]) -> Option<Vec<Jump>> {
        let (mut pegs, mut parity, mut line) = (start, 0, Vec::new());
        for &wanted in &path[1..] {
            let index = self.problem.layout.index(pegs);
            let (mut hops, mut reached) = (Vec::new(), None);
            let mut from = self.from.iter().flatten().filter(|(jump, _)| pegs & jump.from.bit() != 0);
            from.find(|(jump, change)| {
                self.hop((pegs, parity), index, *jump, *change, &mut hops, &mut |met, _| {
                    let right = self.problem.group.canonical(met.0) == wanted;
                    reached = right.then_some(met);
                    right
                })
            })?;
            (pegs, parity) = reached?;
            line.extend(hops);
        }
        Some(line)
    }
}
