//! The numbers of the evaluation, and the table of pieces on squares that is made of them.
//!
//! The table is not listed but computed from a few rules of thumb: knights belong into the middle,
//! kings into the corner first and into the middle later, pawns forward. Ranks are counted from the
//! owner's side.

use crate::types::{Color, Piece, Square};
use std::ops::{Add, Mul, Sub};

/// A value for the middle game and one for the endgame, in one number, so that sums are half the work:
///
/// ```text
/// end * 65536 + middle      both within ±32,767, the sum of all terms too
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Score(i32);

impl Score {
    pub(super) const fn new(middle: i32, end: i32) -> Self {
        Score((end << 16) + middle)
    }

    pub(super) const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    pub(super) const fn end(self) -> i32 {
        // What a negative middle has borrowed is given back.
        (self.0 + 0x8000) >> 16
    }

    /// The mean of both, weighted by the pieces left (24 with all).
    #[inline]
    pub(super) fn tapered(self, phase: i32) -> i32 {
        let phase = phase.min(FULL_PHASE);
        (self.middle() * phase + self.end() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl Score {
    /// So many hundredths of it.
    pub(super) fn percent(self, percent: i32) -> Self {
        Score::new(self.middle() * percent / 100, self.end() * percent / 100)
    }
}

impl Add for Score {
    type Output = Score;
    #[inline]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;
    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    #[inline]
    fn mul(self, times: i32) -> Score {
        Score(self.0 * times)
    }
}

const FULL_PHASE: i32 = 24;

/// Material in the order of [`Piece::ALL`].
pub(super) const MATERIAL: [Score; Piece::NUM] = [
    Score::new(88, 112),
    Score::new(336, 308),
    Score::new(348, 326),
    Score::new(490, 536),
    Score::new(1010, 985),
    Score::new(0, 0),
];

/// What the evaluation knows about a kind of piece.
pub(super) struct Officer {
    pub(super) piece: Piece,
    /// Its share of the phase.
    pub(super) phase: i32,
    /// The squares it usually reaches, and the value of one more.
    pub(super) usual: i32,
    pub(super) mobility: Score,
    /// How much it threatens a king beside whom it attacks a square.
    pub(super) threat: i32,
}

const fn officer(piece: Piece, phase: i32, usual: i32, mobility: Score, threat: i32) -> Officer {
    Officer { piece, phase, usual, mobility, threat }
}

pub(super) const KNIGHT: Officer = officer(Piece::Knight, 1, 4, Score::new(4, 4), 4);
pub(super) const BISHOP: Officer = officer(Piece::Bishop, 1, 6, Score::new(5, 4), 4);
pub(super) const ROOK: Officer = officer(Piece::Rook, 2, 7, Score::new(2, 4), 5);
pub(super) const QUEEN: Officer = officer(Piece::Queen, 4, 13, Score::new(1, 3), 7);

/// Pawns by rank, and what a passed pawn has more.
const PAWN_RANK: [Score; 8] = [
    Score::new(0, 0),
    Score::new(0, 0),
    Score::new(3, 3),
    Score::new(9, 9),
    Score::new(17, 20),
    Score::new(26, 38),
    Score::new(40, 60),
    Score::new(0, 0),
];
pub(super) const PASSED: [Score; 8] = [
    Score::new(0, 0),
    Score::new(2, 8),
    Score::new(4, 14),
    Score::new(10, 30),
    Score::new(24, 56),
    Score::new(48, 98),
    Score::new(80, 150),
    Score::new(0, 0),
];
pub(super) const DOUBLED: Score = Score::new(-9, -20);
pub(super) const ISOLATED: Score = Score::new(-11, -13);

/// The king's files in the middle game, from the edge: the wings, but not the corner. Both wings are the same,
/// because the mirror is a symmetry of the game once nobody may castle.
const KING_FILE: [i32; 4] = [20, 31, -4, -10];

/// What a piece is worth in an exchange; the king more than all.
pub(super) const fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::King => 10_000,
        _ => MATERIAL[piece as usize].middle(),
    }
}

static PLACED: [[[Score; 64]; Piece::NUM]; Color::NUM] = all_placed();

/// The value of a piece on a square: material and place.
#[inline]
pub(super) fn placed(piece: Piece, color: Color, square: Square) -> Score {
    PLACED[color as usize][piece as usize][square as usize]
}

const fn all_placed() -> [[[Score; 64]; Piece::NUM]; Color::NUM] {
    let mut table = [[[Score::new(0, 0); 64]; Piece::NUM]; Color::NUM];
    let mut piece = 0;
    while piece < Piece::NUM {
        let mut square = 0;
        while square < 64 {
            let place = place(Piece::ALL[piece], square % 8, square / 8);
            let material = MATERIAL[piece];
            let score = Score::new(material.middle() + place.middle(), material.end() + place.end());
            table[0][piece][square] = score;
            table[1][piece][square ^ 0b111_000] = score;
            square += 1;
        }
        piece += 1;
    }
    table
}

/// What a place is worth to White's piece, material aside.
const fn place(piece: Piece, file: usize, rank: usize) -> Score {
    // 0 at the edge, 3 in the middle; 0 in the corner, 6 in the centre.
    let inward = if file < 4 { file } else { 7 - file } as i32;
    let upward = if rank < 4 { rank } else { 7 - rank } as i32;
    let centre = inward + upward;
    let seventh = (rank == 6) as i32;
    match piece {
        Piece::Pawn => {
            let forward = PAWN_RANK[rank];
            let middle = if inward == 3 && (rank == 3 || rank == 4) { 14 } else { 2 * inward };
            Score::new(forward.middle() + middle - 3, forward.end())
        }
        Piece::Knight => Score::new(9 * centre - 36, 7 * centre - 26),
        Piece::Bishop => Score::new(5 * centre - 16 - 8 * (rank == 0) as i32, 4 * centre - 13),
        Piece::Rook => Score::new(4 * inward - 7 + 16 * seventh, 12 * seventh - 3),
        Piece::Queen => Score::new(2 * centre - 6, 6 * centre - 20),
        Piece::King => {
            let walked = if rank < 4 { rank } else { 4 } as i32;
            Score::new(KING_FILE[inward as usize] - 24 * walked, 11 * centre - 38)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_of_a_score_come_back() {
        for (middle, end) in [(0, 0), (-1, 5), (5, -1), (-7, -9), (12_000, -12_000), (-12_000, 12_000)] {
            let score = Score::new(middle, end);
            assert_eq!((score.middle(), score.end()), (middle, end));
            let sum = score - Score::new(3, -4) * 2;
            assert_eq!((sum.middle(), sum.end()), (middle - 6, end + 8));
        }
    }
}
