//! Our keys: four tables from one documented seed, updated with every move.
//!
//! The key of a position is the XOR of
//!
//! ```text
//! PIECES[square][piece]   for every piece: a1 = 0, b1 = 1 .. h8 = 63; P N B R Q K p n b r q k = 0 .. 11
//! CASTLING[colour][file]  for every castling right: the file of its rook
//! EN_PASSANT[file]        if the pawn on that file can be captured en passant by a legal move
//! BLACK_TO_MOVE           if Black is to move
//! ```
//!
//! It is a function of the position as the repetition rule sees it: clocks do not enter. The
//! numbers are part of the format of every table that is keyed by them; tests pin them.

use crate::types::{BitBoard, Color, File, Piece, Square};
use tabia_core::{Key, ZobristTable};

/// The seed of the tables: the bytes of `tabia ch`. Table number n uses the seed plus n.
pub const SEED: u64 = u64::from_be_bytes(*b"tabia ch");

type Pieces = ZobristTable<64, 12>;
/// The numbers of the pieces in rows of sixteen, which are found more quickly; the last four repeat those of the pieces that the codes 12 to
/// 15 of [`crate::pack`] stand for. A program for browsers is downloaded: it makes them when the first piece asks.
#[cfg(not(target_family = "wasm"))]
static ROWS: [[Key; 16]; 64] = rows();
#[cfg(target_family = "wasm")]
static ROWS: std::sync::LazyLock<[[Key; 16]; 64]> = std::sync::LazyLock::new(rows);

const fn rows() -> [[Key; 16]; 64] {
    let pieces = Pieces::from_seed(SEED);
    let mut rows = [[Key(0); 16]; 64];
    let mut i = 0;
    while i < 64 * 16 {
        rows[i / 16][i % 16] = pieces.key(i / 16, KINDS[i % 16] as usize);
        i += 1;
    }
    rows
}

/// The piece that a code stands for, as the table numbers them; a pawn that can be captured counts as White's.
pub(crate) const KINDS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 3, 9, 11];
static CASTLING: ZobristTable<2, 8> = ZobristTable::from_seed(SEED + 1);
static EN_PASSANT: ZobristTable<8, 1> = ZobristTable::from_seed(SEED + 2);
static BLACK_TO_MOVE: ZobristTable<1, 1> = ZobristTable::from_seed(SEED + 3);

/// The key of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, color: Color, square: Square) -> Key {
    coded(color as usize * 6 + piece as usize, square)
}

/// The key of a piece by its code.
#[inline]
pub(crate) fn coded(code: usize, square: Square) -> Key {
    ROWS[square as usize][code % 16]
}

/// The key of castling rights, by the squares of their rooks.
pub(crate) fn castling(rooks: BitBoard) -> Key {
    rooks.iter().fold(Key(0), |key, rook| key ^ CASTLING.key(rook as usize / 56, rook as usize % 8))
}

/// The key of an en-passant capture that is legal.
#[inline]
pub(crate) fn en_passant(file: Option<File>) -> Key {
    file.map_or(Key(0), |file| EN_PASSANT.key(file as usize, 0))
}

/// What changes whenever the turn does.
#[inline]
pub(crate) fn turn() -> Key {
    BLACK_TO_MOVE.key(0, 0)
}

/// The key of pieces alone, from their sets.
pub(crate) fn of_pieces(pieces: [BitBoard; Piece::NUM], colors: [BitBoard; Color::NUM]) -> Key {
    let mut key = Key(0);
    for color in Color::ALL {
        for kind in Piece::ALL {
            for square in colors[color as usize] & pieces[kind as usize] {
                key ^= piece(kind, color, square);
            }
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_span_all_64_bits_and_no_four_of_them_are_dependent() {
        let pieces = Pieces::from_seed(SEED);
        let keys = pieces.all().chain(CASTLING.all()).chain(EN_PASSANT.all()).chain(BLACK_TO_MOVE.all());
        tabia_testkit::laws::key_table(keys);
    }

    #[test]
    fn the_numbers_stay_what_they_are() {
        assert_eq!(SEED, 0x7461_6269_6120_6368);
        assert_eq!(
            piece(Piece::Pawn, Color::White, Square::A1),
            Key(tabia_core::SplitMix64::new(SEED).next())
        );
        let start = crate::State::start().key();
        assert_eq!(start.to_string(), "0xe45fd131b2f8227e");
    }
}
