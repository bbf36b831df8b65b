//! The fewest moves, a move being any number of hops in a row by one peg.
//!
//! Breadth first by moves, through nothing but solvable positions ([`Oracle`]), and only those that a
//! lower bound ([`Regions`]) does not put beyond a limit. The limit begins at the bound of the start
//! and grows by one until the goal is met: that no smaller limit sufficed is the proof.
//!
//! A class of positions that is met is taken from the solvable ones, by its representative, and put
//! back when the limit grows: so each is met once, and no other table is needed. This happens after
//! all moves of a layer, because a move of many hops may pass through what another move has reached.
//! What was met in an earlier layer it need not pass: that has gone on from there by itself.

use crate::solver::layout::Layout;
use crate::solver::oracle::{Oracle, Places};
use crate::solver::regions::Regions;
use crate::symmetry::Group;
use crate::{Board, Hole, Jump};
use tabia_core::Work;

/// More moves than any game has jumps.
const MOST_MOVES: u8 = 64;

/// Positions expanded together, so that the processor can wait for many places of the bitmaps at once.
const BATCH: usize = 64;

/// A search by moves.
pub(crate) struct Fewest<'a> {
    pub(crate) board: &'a Board,
    pub(crate) layout: &'a Layout,
    /// The symmetries that keep start and goal.
    pub(crate) group: &'a Group,
    pub(crate) oracle: Oracle,
    pub(crate) regions: Regions,
    pub(crate) targets: &'a [u64],
}

/// A position in the middle of a move.
#[derive(Clone, Copy)]
struct Hop {
    pegs: u64,
    place: u32,
    /// Where the peg is that moves.
    peg: Hole,
}

impl Fewest<'_> {
    /// The hops of a solution with the fewest moves, and how many positions were met; `None` when
    /// stopped or when there is no solution.
    pub(crate) fn search(&mut self, start: u64, work: &Work<'_>) -> Option<(Vec<Jump>, u64)> {
        let mut positions = 0;
        for limit in self.regions.moves_needed(start)..MOST_MOVES {
            let (layers, end) = self.within(start, limit, &mut positions, work)?;
            if let Some(end) = end {
                return Some((self.line(start, layers, end)?, positions));
            }
            layers.iter().for_each(|layer| self.oracle.put_back(layer));
        }
        None
    }

    /// All positions met within a limit by number of moves, and a goal if one was; `None` when stopped.
    fn within(
        &mut self,
        start: u64,
        limit: u8,
        positions: &mut u64,
        work: &Work<'_>,
    ) -> Option<(Vec<Places>, Option<u64>)> {
        let mut first = Places::default();
        let (parity, place) = self.place(start);
        first[parity].push(place);
        let mut layers = vec![self.oracle.take(&first)];
        for moves in 1..=limit {
            let reached = self.after_a_move(layers.last()?, limit - moves);
            let next = self.oracle.take(&reached);
            let new: usize = next.iter().map(Vec::len).sum();
            layers.push(next);
            *positions += new as u64;
            work.report("moves", u64::from(moves), Some(u64::from(limit)));
            if work.is_stopped() {
                return None;
            }
            let end = self.targets.iter().find(|&&target| self.is_met(target));
            if end.is_some() || new == 0 {
                return Some((layers, end.copied()));
            }
        }
        Some((layers, None))
    }

    /// The places of representatives that one move leads to, some of them several times, within `left` more moves by
    /// the bound (more hops never lower it).
    fn after_a_move(&self, layer: &Places, left: u8) -> Places {
        let (mut reached, mut hops, mut next) = (Places::default(), Vec::new(), Vec::new());
        for (parity, places) in layer.iter().enumerate() {
            for batch in places.chunks(BATCH) {
                for &place in batch {
                    let pegs = self.oracle.pegs(self.board, self.layout, parity, place);
                    self.layout.for_each_jump(pegs, |jump, change| {
                        self.hop(pegs, place, jump, change, left, &mut hops);
                    });
                }
                let mut parity = parity;
                while !hops.is_empty() {
                    parity ^= 1;
                    let mut kept = 0;
                    for at in 0..hops.len() {
                        hops[kept] = hops[at];
                        kept += usize::from(self.oracle.has(parity, hops[at].place));
                    }
                    hops.truncate(kept);
                    for hop in hops.drain(..) {
                        reached[parity].push(self.place(hop.pegs).1);
                        for &(jump, change) in self.layout.jumps_from(hop.peg) {
                            if jump.is_possible(hop.pegs) {
                                self.hop(hop.pegs, hop.place, jump, change, left, &mut next);
                            }
                        }
                    }
                    std::mem::swap(&mut hops, &mut next);
                }
            }
        }
        reached
    }

    #[inline]
    fn hop(&self, pegs: u64, place: u32, jump: Jump, change: u32, left: u8, hops: &mut Vec<Hop>) {
        let pegs = pegs ^ jump.holes();
        if self.regions.moves_needed(pegs) <= left {
            hops.push(Hop { pegs, place: place ^ change, peg: jump.to });
        }
    }

    /// Where the representative of a position's class is in the oracle.
    #[inline]
    fn place(&self, pegs: u64) -> (usize, u32) {
        let canonical = self.group.canonical(pegs);
        self.oracle.place(canonical, self.layout.index(canonical))
    }

    /// Whether the class of a solvable position was met, and not put back.
    fn is_met(&self, pegs: u64) -> bool {
        let (parity, place) = self.place(pegs);
        !self.oracle.has(parity, place)
    }

    /// The hops from the start to a goal that was met.
    fn line(&mut self, start: u64, mut layers: Vec<Places>, end: u64) -> Option<Vec<Jump>> {
        let mut path = vec![end];
        while layers.len() > 1 {
            // What then still is met leads here by one move only if it was met one move earlier.
            layers.pop().iter().for_each(|layer| self.oracle.put_back(layer));
            let pegs = *path.last()?;
            let mut holes = crate::types::holes_of(pegs);
            path.push(holes.find_map(|peg| self.before(start, pegs, peg))?);
        }
        path.reverse();
        self.replay(start, &path)
    }

    /// A position met earlier from which one move by the peg now on `peg` leads here.
    fn before(&self, start: u64, pegs: u64, peg: Hole) -> Option<u64> {
        if pegs.count_ones() == start.count_ones() {
            return None;
        }
        let mut arriving =
            self.board.jumps().iter().filter(|jump| jump.to == peg && jump.could_lead_to(pegs));
        arriving.find_map(|jump| {
            let earlier = pegs ^ jump.holes();
            if self.is_met(earlier) { Some(earlier) } else { self.before(start, earlier, jump.from) }
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
