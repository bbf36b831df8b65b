//! What bishops and rooks see, looked up: 841 KB of answers, worked out by the compiler. A program for browsers counts
//! every byte; it fills the table when the first slider asks.
//!
//! The pieces on a slider's lines, multiplied by a number made for its square, give in the highest bits the row of its
//! answer. (An extraction of bits would do without the numbers, but no safe function for it exists.)

use super::{BitBoard, lines, magics};

/// How the blockers of one square lead to its answers.
#[derive(Clone, Copy)]
struct Rows {
    /// The squares whose pieces matter.
    mask: u64,
    factor: u64,
    shift: u32,
    first: u32,
}

const BISHOP_ANSWERS: usize = 5_248;
const ANSWERS: usize = BISHOP_ANSWERS + 102_400;
type Answers = [BitBoard; ANSWERS];

struct Sliders {
    bishops: [Rows; 64],
    rooks: [Rows; 64],
}

static SLIDERS: Sliders =
    Sliders { bishops: rows(&magics::BISHOP, 0, 0), rooks: rows(&magics::ROOK, 2, BISHOP_ANSWERS as u32) };
#[cfg(not(target_arch = "wasm32"))]
#[allow(long_running_const_eval)]
static TABLE: Answers = {
    // The array is in no program's stack: the compiler fills it.
    #[allow(clippy::large_stack_arrays)]
    let mut table = [BitBoard::EMPTY; ANSWERS];
    fill(&mut table);
    table
};
#[cfg(target_arch = "wasm32")]
static TABLE: std::sync::LazyLock<Box<Answers>> = std::sync::LazyLock::new(|| {
    let table = vec![BitBoard::EMPTY; ANSWERS].into_boxed_slice();
    let mut table: Box<Answers> = table.try_into().expect("so many were made");
    fill(&mut table);
    table
});

/// What a bishop sees.
#[inline]
pub(super) fn bishop(square: usize, occupied: BitBoard) -> BitBoard {
    TABLE[SLIDERS.bishops[square].row(occupied)]
}

/// What a rook sees.
#[inline]
pub(super) fn rook(square: usize, occupied: BitBoard) -> BitBoard {
    TABLE[SLIDERS.rooks[square].row(occupied)]
}

impl Rows {
    #[inline]
    const fn row(self, occupied: BitBoard) -> usize {
        self.first as usize + ((occupied.0 & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
    }
}

/// The rows of all squares, one after the other.
const fn rows(factors: &[u64; 64], line: usize, mut first: u32) -> [Rows; 64] {
    let mut rows = [Rows { mask: 0, factor: 0, shift: 0, first: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = inner(square, line) | inner(square, line + 1);
        rows[square] = Rows { mask, factor: factors[square], shift: 64 - mask.count_ones(), first };
        first += 1 << mask.count_ones();
        square += 1;
    }
    rows
}

/// A line without its last squares: what stands there hides nothing.
const fn inner(square: usize, line: usize) -> u64 {
    let all = lines::LINES[square][line].all().0;
    let (file, rank) = (square % 8, square / 8);
    let mut edges = 0;
    edges |= if file > 0 { 0x0101_0101_0101_0101 } else { 0 };
    edges |= if file < 7 { 0x8080_8080_8080_8080 } else { 0 };
    edges |= if rank > 0 { 0xFF } else { 0 };
    edges |= if rank < 7 { 0xFF << 56 } else { 0 };
    all & !edges
}

/// Works out all answers.
const fn fill(table: &mut Answers) {
    let mut square = 0;
    while square < 64 {
        let (bishop, rook) = (SLIDERS.bishops[square], SLIDERS.rooks[square]);
        let mut blockers = BitBoard::EMPTY;
        loop {
            table[bishop.row(blockers)] = lines::bishop(square, blockers);
            // The next subset of the mask; after the last comes the empty one.
            blockers.0 = blockers.0.wrapping_sub(bishop.mask) & bishop.mask;
            if blockers.is_empty() {
                break;
            }
        }
        loop {
            table[rook.row(blockers)] = lines::rook(square, blockers);
            blockers.0 = blockers.0.wrapping_sub(rook.mask) & rook.mask;
            if blockers.is_empty() {
                break;
            }
        }
        square += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_say_what_arithmetic_says() {
        let last = SLIDERS.rooks[63];
        assert_eq!(last.first as usize + (1 << last.mask.count_ones()), ANSWERS);
        for square in 0..64 {
            for (rows, look, work) in [
                (SLIDERS.bishops[square], bishop as fn(_, _) -> _, lines::bishop as fn(_, _) -> _),
                (SLIDERS.rooks[square], rook, lines::rook),
            ] {
                let mut blockers = BitBoard::EMPTY;
                loop {
                    // What stands off the lines, or at their ends, does not matter.
                    for occupied in [blockers, BitBoard(blockers.0 | !rows.mask & 1 << square)] {
                        assert_eq!(look(square, occupied), work(square, occupied), "{square}: {blockers:?}");
                    }
                    blockers.0 = blockers.0.wrapping_sub(rows.mask) & rows.mask;
                    if blockers.is_empty() {
                        break;
                    }
                }
            }
        }
    }
}
