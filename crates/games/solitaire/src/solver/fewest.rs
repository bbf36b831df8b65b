//! The fewest moves, a move being any number of hops in a row by one peg.
//!
//! Breadth first by moves, through nothing but solvable positions ([`Oracle`]), and only those that a
//! lower bound ([`Regions`]) does not put beyond a limit. The limit begins at the bound of the start
//! and grows by one until the goal is met: that no smaller limit sufficed is the proof.

use crate::solver::layout::Layout;
use crate::solver::oracle::Oracle;
use crate::solver::regions::Regions;
use crate::symmetry::Group;
use crate::{Board, Hole, Jump};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use tabia_core::Work;

/// More moves than any game has jumps.
const MOST_MOVES: u8 = 64;

/// A search by moves.
pub(crate) struct Fewest<'a> {
    pub(crate) board: &'a Board,
    pub(crate) layout: &'a Layout,
    /// The symmetries that keep start and goal.
    pub(crate) group: &'a Group,
    pub(crate) oracle: &'a Oracle,
    pub(crate) regions: Regions,
    pub(crate) targets: &'a [u64],
}

/// The fewest moves to the representatives met so far.
type Met = FxHashMap<u64, u8>;

impl Fewest<'_> {
    /// The hops of a solution with the fewest moves, and how many positions were met; `None` when
    /// stopped or when there is no solution.
    pub(crate) fn search(&self, start: u64, work: &Work<'_>) -> Option<(Vec<Jump>, u64)> {
        let mut positions = 0;
        for limit in self.regions.moves_needed(start)..MOST_MOVES {
            let (met, end) = self.within(start, limit, &mut positions, work)?;
            if let Some(end) = end {
                return Some((self.line(start, &met, end)?, positions));
            }
        }
        None
    }

    /// All positions met within a limit, and a goal if one was; `None` when stopped.
    fn within(
        &self,
        start: u64,
        limit: u8,
        positions: &mut u64,
        work: &Work<'_>,
    ) -> Option<(Met, Option<u64>)> {
        let first = self.group.canonical(start);
        let mut met = Met::from_iter([(first, 0)]);
        let mut layer = vec![first];
        for moves in 1..=limit {
            let mut next = Vec::new();
            for &pegs in &layer {
                let index = self.layout.index(pegs);
                self.layout.for_each_jump(pegs, |jump, change| {
                    self.follow(
                        pegs ^ jump.holes(),
                        index ^ change,
                        jump.to,
                        limit - moves,
                        &mut |reached| {
                            let canonical = self.group.canonical(reached);
                            if let Entry::Vacant(entry) = met.entry(canonical) {
                                entry.insert(moves);
                                next.push(canonical);
                            }
                        },
                    );
                });
            }
            *positions += next.len() as u64;
            work.report("moves", u64::from(moves), Some(u64::from(limit)));
            if work.is_stopped() {
                return None;
            }
            let end = self.targets.iter().find(|&&target| met.contains_key(&self.group.canonical(target)));
            if end.is_some() || next.is_empty() {
                return Some((met, end.copied()));
            }
            layer = next;
        }
        Some((met, None))
    }

    /// Calls back with a position after a hop and with all that the same peg can go on to, as far as
    /// they can be solved, and within `left` more moves by the bound (more hops never lower it).
    fn follow(&self, pegs: u64, index: u32, peg: Hole, left: u8, visit: &mut impl FnMut(u64)) {
        if self.regions.moves_needed(pegs) > left || !self.oracle.is_solvable(pegs, index) {
            return;
        }
        visit(pegs);
        for &(jump, change) in self.layout.jumps_from(peg) {
            if jump.is_possible(pegs) {
                self.follow(pegs ^ jump.holes(), index ^ change, jump.to, left, visit);
            }
        }
    }

    /// The hops from the start to a goal that was met.
    fn line(&self, start: u64, met: &Met, end: u64) -> Option<Vec<Jump>> {
        let mut path = vec![end];
        for moves in (0..*met.get(&self.group.canonical(end))?).rev() {
            let pegs = *path.last()?;
            path.push(crate::types::holes_of(pegs).find_map(|peg| self.before(met, pegs, peg, moves))?);
        }
        path.reverse();
        self.replay(start, &path)
    }

    /// A position met after so many moves from which one move by the peg now on `peg` leads here.
    fn before(&self, met: &Met, pegs: u64, peg: Hole, moves: u8) -> Option<u64> {
        let mut arriving =
            self.board.jumps().iter().filter(|jump| jump.to == peg && jump.could_lead_to(pegs));
        arriving.find_map(|jump| {
            let earlier = pegs ^ jump.holes();
            let known = met.get(&self.group.canonical(earlier)) == Some(&moves);
            if known { Some(earlier) } else { self.before(met, earlier, jump.from, moves) }
        })
    }

    /// The hops that lead from the start through the classes of these positions.
    fn replay(&self, start: u64, path: &[u64]) -> Option<Vec<Jump>> {
        let (mut pegs, mut line) = (start, Vec::new());
        for &class in &path[1..] {
            let wanted = self.group.canonical(class);
            let mut hops = self.board.possible(pegs).find_map(|jump| self.hops(pegs, jump, wanted))?;
            hops.reverse();
            pegs = hops.iter().fold(pegs, |pegs, jump| pegs ^ jump.holes());
            line.extend(hops);
        }
        Some(line)
    }

    /// The hops of a move that begins with this jump and ends in a class, the last first.
    fn hops(&self, pegs: u64, jump: Jump, wanted: u64) -> Option<Vec<Jump>> {
        let reached = pegs ^ jump.holes();
        if self.group.canonical(reached) == wanted {
            return Some(vec![jump]);
        }
        let mut onwards =
            self.layout.jumps_from(jump.to).iter().filter(|(next, _)| next.is_possible(reached));
        let mut hops = onwards.find_map(|&(next, _)| self.hops(reached, next, wanted))?;
        hops.push(jump);
        Some(hops)
    }
}
