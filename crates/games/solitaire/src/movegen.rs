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

    /// The jumps whose patterns match, 64 to a word: bit `n % 64` of word `n / 64` for jump `n`.
    #[inline]
    pub(crate) fn matching(&self, pegs: u64) -> impl Iterator<Item = u64> {
        self.holes.chunks(64).zip(self.wanted.chunks(64)).map(move |(holes, wanted)| {
            let jumps = holes.iter().zip(wanted).enumerate();
            jumps.fold(0, |word, (at, (holes, wanted))| word | u64::from(pegs & holes == *wanted) << at)
        })
    }

    /// Calls back with the number of every jump whose pattern matches.
    #[inline]
    pub(crate) fn for_each(&self, pegs: u64, mut found: impl FnMut(usize)) {
        for (chunk, mut matching) in self.matching(pegs).enumerate() {
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

    /// The numbers of the jumps that can be played, as bits: jump `n` is bit `n % 64` of word `n / 64`.
    #[inline]
    pub(crate) fn possible_bits(&self, pegs: u64) -> impl Iterator<Item = u64> {
        self.patterns().matching(pegs)
    }

    /// The jump number `n` of those that can be played.
    #[inline]
    pub(crate) fn nth_possible(&self, pegs: u64, n: u64) -> Option<Jump> {
        let mut left = n as u32;
        for (chunk, mut word) in self.possible_bits(pegs).enumerate() {
            if left < word.count_ones() {
                for _ in 0..left {
                    word &= word - 1;
                }
                return self.jumps().get(chunk * 64 + word.trailing_zeros() as usize).copied();
            }
            left -= word.count_ones();
        }
        None
    }

    /// How many jumps can be played.
    #[inline]
    pub fn count_possible(&self, pegs: u64) -> u64 {
        self.possible_bits(pegs).map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether any jump can be played.
    #[inline]
    pub fn can_move(&self, pegs: u64) -> bool {
        self.possible_bits(pegs).any(|word| word != 0)
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
