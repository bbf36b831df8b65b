//! Which jumps a position allows: one row of a table for each byte of the position.

use crate::{Board, Jump};
use tabia_core::bits::ones;

/// 128 jumps as bits: jump `n` is bit `n % 64` of word `n / 64`. Few boards have more.
pub(crate) type Pair = [u64; 2];

/// Three-hole patterns, one per jump, compared with a position all at once.
///
/// ```text
/// position  [byte 4][byte 3][byte 2][byte 1][byte 0]
///                                             | row: the jumps that these pegs do not rule out
/// jumps     what is in the rows of all bytes
/// ```
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    /// For every 128 jumps a table for each byte.
    tables: Vec<Vec<[Pair; 256]>>,
}

impl Patterns {
    /// The patterns of some jumps, given what each needs on its three holes.
    pub(crate) fn new(jumps: &[Jump], wanted: impl Fn(&Jump) -> u64) -> Patterns {
        let holes = jumps.iter().fold(0, |holes, jump| holes | jump.holes());
        let bytes = (u64::BITS - holes.leading_zeros()).div_ceil(8);
        // The jumps that four holes with this value do not rule out.
        let nibble = |jumps: &[Jump], first: u32, value: u64| {
            let mut left = [0; 2];
            for (n, jump) in jumps.iter().enumerate() {
                let agree = (value << first ^ wanted(jump)) & jump.holes() & 0xF << first == 0;
                left[n / 64] |= u64::from(agree) << (n % 64);
            }
            left
        };
        let table = |jumps: &[Jump], byte: u32| {
            let [low, high]: [[Pair; 16]; 2] = [8 * byte, 8 * byte + 4]
                .map(|at| std::array::from_fn(|value| nibble(jumps, at, value as u64)));
            std::array::from_fn(|value| {
                let (a, b) = (low[value % 16], high[value / 16]);
                [a[0] & b[0], a[1] & b[1]]
            })
        };
        let tables =
            jumps.chunks(128).map(|jumps| (0..bytes).map(|byte| table(jumps, byte)).collect()).collect();
        Patterns { tables }
    }

    /// The jumps whose patterns match, 128 at a time.
    #[inline]
    pub(crate) fn matching(&self, pegs: u64) -> impl Iterator<Item = Pair> {
        self.tables.iter().map(move |tables| {
            tables.iter().enumerate().fold([u64::MAX; 2], |[low, high], (byte, table)| {
                let row = &table[(pegs >> (8 * byte)) as usize & 255];
                [low & row[0], high & row[1]]
            })
        })
    }

    /// Calls back with the number of every jump whose pattern matches.
    #[inline]
    pub(crate) fn for_each(&self, pegs: u64, mut found: impl FnMut(usize)) {
        for (word, matching) in self.matching(pegs).flatten().enumerate() {
            ones(matching).for_each(|bit| found(64 * word + bit));
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
        let words = self.patterns().matching(pegs).flatten();
        words.map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether any jump can be played.
    #[inline]
    pub fn can_move(&self, pegs: u64) -> bool {
        self.patterns().matching(pegs).any(|[low, high]| low | high != 0)
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
                let mut moves = Vec::new();
                rules.moves(&crate::State::new(pegs), &mut moves);
                assert!(moves.iter().copied().eq(known.board.possible(pegs)), "{}", known.board.draw(pegs));
                let mut listed: Vec<String> = moves.into_iter().map(name).collect();
                listed.sort();
                assert_eq!(listed, oracle(&known.board, pegs), "{}", known.board.draw(pegs));
                assert_eq!(rules.count_moves(&crate::State::new(pegs)), listed.len() as u64);
            }
        }
    }
}
