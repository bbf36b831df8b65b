//! Which jumps a position allows: one masked comparison per jump of the board.

use crate::{Board, Jump};

/// Three-hole patterns, one per jump, compared with a position all at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    holes: Vec<u64>,
    wanted: Vec<u64>,
}

impl Patterns {
    /// The patterns of some jumps, given what each needs on its three holes.
    pub(crate) fn new(jumps: &[Jump], wanted: impl Fn(&Jump) -> u64) -> Patterns {
        let mut patterns = Patterns {
            holes: jumps.iter().map(|jump| jump.holes()).collect(),
            wanted: jumps.iter().map(wanted).collect(),
        };
        // Filled up with patterns that nothing matches, for whole vector registers.
        let filled = jumps.len().next_multiple_of(16);
        patterns.holes.resize(filled, 0);
        patterns.wanted.resize(filled, 1);
        patterns
    }

    /// Calls back with the number of every jump whose pattern matches.
    #[inline]
    pub(crate) fn for_each(&self, pegs: u64, mut found: impl FnMut(usize)) {
        for (chunk, (holes, wanted)) in self.holes.chunks(64).zip(self.wanted.chunks(64)).enumerate() {
            let mut matching = 0u64;
            for (at, (holes, wanted)) in holes.iter().zip(wanted).enumerate() {
                matching |= u64::from(pegs & holes == *wanted) << at;
            }
            while matching != 0 {
                found(chunk * 64 + matching.trailing_zeros() as usize);
                matching &= matching - 1;
            }
        }
    }
}

impl Board {
    /// The jumps that can be played.
    #[inline]
    pub fn possible(&self, pegs: u64) -> impl Iterator<Item = Jump> {
        self.jumps().iter().copied().filter(move |jump| jump.is_possible(pegs))
    }

    /// How many jumps can be played.
    #[inline]
    pub fn count_possible(&self, pegs: u64) -> u64 {
        self.jumps().iter().map(|jump| u64::from(jump.is_possible(pegs))).sum()
    }

    /// Whether any jump can be played.
    #[inline]
    pub fn can_move(&self, pegs: u64) -> bool {
        self.jumps().iter().any(|jump| jump.is_possible(pegs))
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Lattice;
    use crate::{Board, Solitaire, catalogue};
    use tabia_core::{Game, SplitMix64};

    /// The rule as people say it, cell by cell: no bits, no list of jumps.
    fn oracle(board: &Board, pegs: u64) -> Vec<String> {
        let directions: &[(i32, i32)] = match board.lattice() {
            Lattice::Square => &[(1, 0), (-1, 0), (0, 1), (0, -1)],
            Lattice::Triangle => &[(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)],
        };
        let at = |x: i32, y: i32| {
            let hole = board.at(usize::try_from(x).ok()?, usize::try_from(y).ok()?)?;
            Some((board.hole_name(hole), pegs & hole.bit() != 0))
        };
        let mut found = Vec::new();
        for y in 0..board.height() as i32 {
            for x in 0..board.width() as i32 {
                for (dx, dy) in directions {
                    let line = [0, 1, 2].map(|step| at(x + step * dx, y + step * dy));
                    if let [Some((from, true)), Some((_, true)), Some((to, false))] = line {
                        found.push(format!("{from}-{to}"));
                    }
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn jumps_are_those_of_the_naive_rule() {
        let mut rng = SplitMix64::new(5);
        for known in catalogue::all() {
            let rules = Solitaire::new(known.board.clone());
            for _ in 0..200 {
                let pegs = rng.next() & known.board.full();
                let name = |jump: crate::Jump| {
                    format!("{}-{}", known.board.hole_name(jump.from), known.board.hole_name(jump.to))
                };
                let mut listed: Vec<String> = known.board.possible(pegs).map(name).collect();
                listed.sort();
                assert_eq!(listed, oracle(&known.board, pegs), "{}", known.board.draw(pegs));
                assert_eq!(rules.count_moves(&crate::State::new(pegs)), listed.len() as u64);
            }
        }
    }
}
