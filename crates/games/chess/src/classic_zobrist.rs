//! The classic worked example of Zobrist hashing, bit for bit.
//!
//! Its table is `[8][8][12]`, filled row by row, column by column, piece by piece in the order
//! `PNBRQKpnbrqk`, with 64-bit numbers from an mt19937 seeded with octal 01234567: the first 32-bit
//! output is the high half of a number, the second the low half. A board is written row 0 first, so
//! that the text of a row is a rank of FEN, the first one on top. Turn, castling and en passant do not
//! enter: any pieces on any squares have a hash.
//!
//! ```
//! use tabia_chess::{classic_zobrist, fen};
//! use tabia_core::Key;
//!
//! let board = fen::parse_placement("3K4/1R4Q1/8/1P4p1/5p2/8/p3b2q/4n2k")?;
//! let hash = classic_zobrist::hash(&board);
//! assert_eq!(hash, Key(14226429382419125366));
//!
//! // Move the white king from row 0, column 3 to column 2: two XORs, and two more to undo it.
//! let king = 5;
//! let table = classic_zobrist::table();
//! let moved = hash ^ table.key(3, king) ^ table.key(2, king);
//! assert_eq!(moved, Key(15124945578233295113));
//! assert_eq!(moved ^ table.key(2, king) ^ table.key(3, king), hash);
//!
//! // The same from the board after the move.
//! let board = fen::parse_placement("2K5/1R4Q1/8/1P4p1/5p2/8/p3b2q/4n2k")?;
//! assert_eq!(classic_zobrist::hash(&board), moved);
//! # Ok::<(), tabia_core::TextError>(())
//! ```

use crate::State;
use crate::types::{Color, Piece, Square};
use std::sync::LazyLock;
use tabia_core::{Key, ZobristTable};

/// The seed of the generator.
pub const MT_SEED: u32 = 0o1234567;

static TABLE: LazyLock<ZobristTable<64, 12>> = LazyLock::new(|| {
    let mut mt = rand_mt::Mt::new(MT_SEED);
    ZobristTable::from_generator(|| {
        let high = u64::from(mt.next_u32());
        high << 32 | u64::from(mt.next_u32())
    })
});

/// The table: cell `8 * row + column` with row 0 on top, pieces in the order `PNBRQKpnbrqk`.
pub fn table() -> &'static ZobristTable<64, 12> {
    &TABLE
}

/// The hash of pieces on squares (indexed a1 = 0, b1 = 1 .. h8 = 63).
pub fn hash(squares: &[Option<(Piece, Color)>; 64]) -> Key {
    let cell = |square: usize| square ^ 0b111_000;
    let occupied = squares.iter().enumerate().filter_map(|(square, piece)| Some((cell(square), (*piece)?)));
    TABLE.hash(occupied.map(|(cell, (piece, color))| (cell, color as usize * 6 + piece as usize)))
}

/// The hash of the pieces of a position.
pub fn hash_state(state: &State) -> u64 {
    let mut squares = [None; 64];
    for square in Square::ALL {
        squares[square as usize] = state.piece_on(square);
    }
    hash(&squares).0
}
