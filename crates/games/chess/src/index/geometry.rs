//! Where pieces move, and how the squares of the board are turned and numbered: tables made once.
//!
//! Squares are numbers here: a1 is 0, b1 is 1, h8 is 63. A turn of the board is a number from 0 to 7: bit 0 mirrors
//! the files, bit 1 the ranks, and after that bit 2 exchanges files and ranks.

use std::sync::LazyLock;

/// The pairs of kings that no turn of the board maps to each other, without pawns.
pub(super) const FREE_PAIRS: usize = 462;
/// The same with pawns, which leave only the mirror of the files.
pub(super) const PAWN_PAIRS: usize = 1806;
/// The turn that mirrors the board at the diagonal from a1 to h8.
pub(super) const DIAGONAL: usize = 4;
/// The squares of that diagonal.
pub(super) const ON_DIAGONAL: u64 = 0x8040_2010_0804_0201;

const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// Everything that is looked up.
pub(super) struct Tables {
    pub(super) king: [u64; 64],
    pub(super) knight: [u64; 64],
    /// Where a pawn of the side to move (which plays up) captures.
    pub(super) pawn: [u64; 64],
    /// The lines of a bishop and of a rook on an empty board.
    pub(super) diagonals: [u64; 64],
    pub(super) straights: [u64; 64],
    /// The squares between two that are on one line.
    pub(super) between: Vec<[u64; 64]>,
    /// Where each turn of the board takes a square.
    pub(super) turn: [[u8; 64]; 8],
    free: KingPairs,
    pawns: KingPairs,
}

/// The pairs of kings that stand for all others under some turns of the board.
struct KingPairs {
    /// The turn that leads to the representative, and its number.
    number: Vec<[Option<(u8, u16)>; 64]>,
    pairs: Vec<[u8; 2]>,
}

/// The tables.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Self {
        let king = squares(|at| {
            let row = at | (at << 1) & NOT_A | (at >> 1) & NOT_H;
            (row | row << 8 | row >> 8) & !at
        });
        let turn: [[u8; 64]; 8] =
            std::array::from_fn(|turn| std::array::from_fn(|at| turned(turn, at as u8)));
        let rays = |directions: [(i8, i8); 4]| -> [u64; 64] {
            std::array::from_fn(|at| directions.iter().map(|&way| ray(at as u8, way)).fold(0, |a, b| a | b))
        };
        let (diagonals, straights) = (rays(DIAGONAL_WAYS), rays(STRAIGHT_WAYS));
        let free = KingPairs::new(&turn, &king, &[0, 1, 2, 3, 4, 5, 6, 7]);
        let pawns = KingPairs::new(&turn, &king, &[0, 1]);
        Tables {
            knight: squares(knight),
            pawn: squares(|at| (at << 9) & NOT_A | (at << 7) & NOT_H),
            between: between(),
            king,
            diagonals,
            straights,
            turn,
            free,
            pawns,
        }
    }

    fn kings(&self, pawns: bool) -> &KingPairs {
        if pawns { &self.pawns } else { &self.free }
    }

    /// The turn that leads two kings to their representative, and its number; `None` where they touch.
    pub(super) fn king_pair(&self, kings: [u8; 2], pawns: bool) -> Option<(usize, u64)> {
        let [own, other] = kings.map(usize::from);
        let (turn, number) = self.kings(pawns).number[own % 64][other % 64]?;
        Some((usize::from(turn), u64::from(number)))
    }

    /// The kings with a number.
    pub(super) fn kings_of(&self, number: u64, pawns: bool) -> Option<[u8; 2]> {
        self.kings(pawns).pairs.get(usize::try_from(number).ok()?).copied()
    }
}

impl KingPairs {
    /// The representative of a pair is the first of its images.
    fn new(turn: &[[u8; 64]; 8], king: &[u64; 64], turns: &[usize]) -> Self {
        let mut number = vec![[None; 64]; 64];
        let mut pairs = Vec::new();
        for (own, other) in (0..64u8).flat_map(|own| (0..64u8).map(move |other| (own, other))) {
            let (a, b) = (usize::from(own), usize::from(other));
            if own == other || king[a] >> other & 1 != 0 {
                continue;
            }
            let image = |t: &usize| [turn[*t][a], turn[*t][b]];
            let Some(best) = turns.iter().copied().min_by_key(image) else { continue };
            let first = image(&best);
            if first == [own, other] {
                number[a][b] = Some((0, pairs.len() as u16));
                pairs.push(first);
            } else if let Some((_, known)) = number[usize::from(first[0])][usize::from(first[1])] {
                // The representative is the least image, so it came before.
                number[a][b] = Some((best as u8, known));
            }
        }
        KingPairs { number, pairs }
    }
}

const DIAGONAL_WAYS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const STRAIGHT_WAYS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

fn squares(of: impl Fn(u64) -> u64) -> [u64; 64] {
    std::array::from_fn(|at| of(1 << at))
}

fn turned(turn: usize, at: u8) -> u8 {
    let (mut file, mut rank) = (at % 8, at / 8);
    if turn & 1 != 0 {
        file = 7 - file;
    }
    if turn & 2 != 0 {
        rank = 7 - rank;
    }
    if turn & 4 != 0 { file * 8 + rank } else { rank * 8 + file }
}

fn knight(at: u64) -> u64 {
    let one = (at << 1) & NOT_A | (at >> 1) & NOT_H;
    let two = (at << 2) & NOT_A & (NOT_A << 1) | (at >> 2) & NOT_H & (NOT_H >> 1);
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// The square one step away, if it is on the board.
fn step(at: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let (file, rank) = ((at % 8) as i8 + files, (at / 8) as i8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
}

fn ray(from: u8, way: (i8, i8)) -> u64 {
    std::iter::successors(step(from, way), |at| step(*at, way)).fold(0, |ray, at| ray | 1 << at)
}

fn between() -> Vec<[u64; 64]> {
    let mut table = vec![[0; 64]; 64];
    for from in 0..64u8 {
        for way in DIAGONAL_WAYS.into_iter().chain(STRAIGHT_WAYS) {
            let (mut passed, mut at) = (0u64, from);
            while let Some(next) = step(at, way) {
                table[usize::from(from)][usize::from(next)] = passed;
                passed |= 1 << next;
                at = next;
            }
        }
    }
    table
}

/// The squares of a set, from a1 on.
pub(super) fn each_of(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let at = set.trailing_zeros() as u8;
            set &= set - 1;
            at
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_pairs_of_kings_as_is_known() {
        assert_eq!((TABLES.free.pairs.len(), TABLES.pawns.pairs.len()), (FREE_PAIRS, PAWN_PAIRS));
    }

    #[test]
    fn knights_and_kings_have_the_known_number_of_moves() {
        let sum = |table: &[u64; 64]| table.iter().map(|set| set.count_ones()).sum::<u32>();
        assert_eq!((sum(&TABLES.knight), sum(&TABLES.king)), (336, 420));
        assert_eq!((sum(&TABLES.straights), sum(&TABLES.diagonals)), (896, 560));
    }
}
