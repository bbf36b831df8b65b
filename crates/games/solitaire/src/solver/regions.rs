//! A lower bound on moves: Merson regions, for any board.
//!
//! A *region* is a set of holes in which every hole that can be jumped over has one end of each such
//! jump inside the set. While it is full of pegs nothing inside can be jumped (the jump would start
//! inside, or land on a peg) and nothing can arrive: the first change is a move that starts inside.
//! So disjoint full regions that the goal does not leave full need one move each. On the English
//! board every corner is a region of one hole, and with the four like {b3, c3, c2} there are 12.

use crate::{Board, Goal, Jump};
use tabia_core::sort_many_by_key;

/// Regions larger than this are not looked for.
const LARGEST: u32 = 5;

/// Disjoint regions of a board.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    /// Single holes that no goal leaves full.
    holes: u64,
    /// Larger regions that no goal leaves full.
    larger: Vec<u64>,
    /// Single holes, any one of which may be where the last peg stays.
    perhaps: u64,
}

impl Regions {
    /// Finds disjoint regions, many small ones rather than few large ones.
    pub(crate) fn new(board: &Board, goal: Goal) -> Regions {
        let mut found = Vec::new();
        for hole in board.holes() {
            grow(board.jumps(), hole.bit(), &mut found);
        }
        sort_many_by_key(&mut found, |region| region.count_ones());
        found.dedup();
        let mut chosen: Vec<u64> = Vec::new();
        for region in found {
            if chosen.iter().all(|other| other & region == 0) {
                chosen.push(region);
            }
        }
        let targets = goal.targets(board);
        let (perhaps, sure): (Vec<u64>, Vec<u64>) =
            chosen.into_iter().partition(|region| targets.iter().any(|target| region & !target == 0));
        let (single, larger): (Vec<u64>, Vec<u64>) =
            sure.into_iter().partition(|region| region.is_power_of_two());
        let together = |regions: Vec<u64>| regions.into_iter().fold(0, |all, region| all | region);
        // With a single target, what it leaves full says nothing; with several, only one peg is left.
        let perhaps = if targets.len() > 1 { together(perhaps) } else { 0 };
        Regions { holes: together(single), larger, perhaps }
    }

    /// Moves that are needed at least.
    #[inline]
    pub(crate) fn moves_needed(&self, pegs: u64) -> u8 {
        let larger = self.larger.iter().map(|region| u32::from(region & !pegs == 0)).sum::<u32>();
        let holes = (pegs & self.holes).count_ones() + (pegs & self.perhaps).count_ones().saturating_sub(1);
        (larger + holes) as u8
    }
}

/// Completes a set to regions, in every way that does not grow too large.
fn grow(jumps: &[Jump], set: u64, found: &mut Vec<u64>) {
    if set.count_ones() > LARGEST {
        return;
    }
    let open = |jump: &&Jump| set & jump.over.bit() != 0 && set & (jump.from.bit() | jump.to.bit()) == 0;
    match jumps.iter().find(open) {
        None => found.push(set),
        Some(jump) => {
            grow(jumps, set | jump.from.bit(), found);
            grow(jumps, set | jump.to.bit(), found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    #[test]
    fn the_english_board_has_twelve_regions() {
        let board = &catalogue::find("english").unwrap().board;
        let start = board.full() & !board.vacancy().bit();
        assert_eq!(Regions::new(board, Goal::Hole(board.vacancy())).moves_needed(start), 12);
        assert_eq!(Regions::new(board, Goal::OnePeg).moves_needed(start), 11);
    }
}
