//! Where pieces go from each square: tables of steps, rays and lines, and what sliders see.

mod lines;
mod magics;
mod sliders;

use crate::types::{BitBoard, Color, Square};

/// Where a knight goes.
#[inline]
pub(crate) fn knight(from: Square) -> BitBoard {
    KNIGHT[from as usize]
}

/// Where a king goes, castling aside.
#[inline]
pub(crate) fn king(from: Square) -> BitBoard {
    KING[from as usize]
}

/// Where a pawn takes.
#[inline]
pub(crate) fn pawn(from: Square, color: Color) -> BitBoard {
    PAWN[color as usize][from as usize]
}

/// Where a bishop goes, up to the first piece in each direction and that one included.
#[inline]
pub(crate) fn bishop(from: Square, occupied: BitBoard) -> BitBoard {
    sliders::bishop(from as usize, occupied)
}

/// Where a rook goes, up to the first piece in each direction and that one included.
#[inline]
pub(crate) fn rook(from: Square, occupied: BitBoard) -> BitBoard {
    sliders::rook(from as usize, occupied)
}

/// Where a queen goes, up to the first piece in each direction and that one included.
#[inline]
pub(crate) fn queen(from: Square, occupied: BitBoard) -> BitBoard {
    bishop(from, occupied) | rook(from, occupied)
}

/// Where a bishop goes on an empty board.
#[inline]
pub(crate) fn diagonals(from: Square) -> BitBoard {
    RAYS[from as usize][0]
}

/// Where a rook goes on an empty board.
#[inline]
pub(crate) fn straights(from: Square) -> BitBoard {
    RAYS[from as usize][1]
}

/// The squares between two that are on one line; none otherwise.
#[inline]
pub(crate) fn between(a: Square, b: Square) -> BitBoard {
    BETWEEN[a as usize][b as usize]
}

/// The other squares of the line through two squares; none when they are on no line.
#[inline]
pub(crate) fn line(a: Square, b: Square) -> BitBoard {
    let through = lines::LINES[a as usize].iter().find(|line| line.all().has(b));
    through.map_or(BitBoard::EMPTY, |line| line.all())
}

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

static KNIGHT: [BitBoard; 64] = steps(&KNIGHT_STEPS);
static KING: [BitBoard; 64] = steps(&KING_STEPS);
static PAWN: [[BitBoard; 64]; 2] = [steps(&[(-1, 1), (1, 1)]), steps(&[(-1, -1), (1, -1)])];

const fn steps(ways: &[(i8, i8)]) -> [BitBoard; 64] {
    let mut table = [BitBoard::EMPTY; 64];
    let mut i = 0;
    while i < 64 * ways.len() {
        let (files, ranks) = ways[i / 64];
        if let Some(to) = Square::ALL[i % 64].try_offset(files, ranks) {
            table[i % 64].0 |= to.bitboard().0;
        }
        i += 1;
    }
    table
}

static RAYS: [[BitBoard; 2]; 64] = {
    let mut table = [[BitBoard::EMPTY; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let none = BitBoard::EMPTY;
        table[square] = [lines::bishop(square, none), lines::rook(square, none)];
        square += 1;
    }
    table
};

static BETWEEN: [[BitBoard; 64]; 64] = {
    let mut table = [[BitBoard::EMPTY; 64]; 64];
    let mut i = 0;
    while i < 64 * 64 {
        let (a, b) = (i / 64, i % 64);
        let ends = [BitBoard(1 << a), BitBoard(1 << b)];
        let mut line = 0;
        while line < 4 {
            let through = lines::LINES[a][line];
            if through.all().0 & ends[1].0 != 0 {
                let back = lines::LINES[b][line];
                table[a][b].0 = through.seen(ends[1]).0 & back.seen(ends[0]).0;
            }
            line += 1;
        }
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_numbers_of_ways() {
        let ways = |reach: fn(Square) -> BitBoard| Square::ALL.iter().map(|&s| reach(s).len()).sum::<u32>();
        // On an empty board: knight 336, king 420, bishop 560, rook 896.
        assert_eq!([ways(knight), ways(king), ways(diagonals), ways(straights)], [336, 420, 560, 896]);
        assert_eq!(queen(Square::D4, BitBoard::EMPTY).len(), 27);
    }

    #[test]
    fn lines_and_what_lies_between() {
        let set = |names: &str| names.split(' ').map(|name| name.parse().unwrap()).collect::<BitBoard>();
        assert_eq!(between(Square::A1, Square::D4), set("b2 c3"));
        assert_eq!(between(Square::H8, Square::H5), set("h6 h7"));
        assert_eq!(between(Square::A1, Square::B3), BitBoard::EMPTY);
        assert_eq!(line(Square::C3, Square::D4), set("a1 b2 d4 e5 f6 g7 h8"));
        assert_eq!(line(Square::A1, Square::B3), BitBoard::EMPTY);
        for (a, b) in Square::ALL.into_iter().flat_map(|a| Square::ALL.map(|b| (a, b))) {
            assert_eq!(between(a, b), between(b, a));
            assert!(between(a, b).is_subset(line(a, b)));
        }
    }
}
