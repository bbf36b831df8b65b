//! The exact encoding: 24 bytes, whatever the position.
//!
//! ```text
//! byte  0..8    occupancy, little-endian: bit 0 = a1, bit 1 = b1 .. bit 63 = h8
//! byte  8..24   one nibble for each occupied square in that order, low nibble first; 0 when none is left
//!
//! nibble  0  1  2  3  4  5    white P N B R Q K
//!         6  7  8  9 10 11    black p n b r q k
//!        12   a pawn that can be captured en passant by a legal move (on rank 4 White's, on rank 5 Black's)
//!        13   a white rook that White may castle with
//!        14   a black rook that Black may castle with
//!        15   the black king, Black to move (11: White to move)
//! ```
//!
//! That is all the repetition rule sees: pieces, turn, castling rights with their rooks (so that
//! Chess960 is exact too) and en passant. Clocks are not part of it; unpacking sets them to `0 1`.

use crate::types::{BitBoard, BoardBuilder, Color, File, Piece, Rank, Square};
use crate::{Action, State, Symmetry, zobrist};
use tabia_core::{Key, PositionError};

/// The exact encoding of a position.
pub type Packed = [u8; 24];

const PASSING_PAWN: u8 = 12;
const WHITE_CASTLING_ROOK: u8 = 13;
const BLACK_CASTLING_ROOK: u8 = 14;
const BLACK_KING_TO_MOVE: u8 = 15;

/// The piece that a code stands for; of code 12 only the rank tells the colour.
const PIECES: [(Piece, Color); 16] = {
    let mut pieces = [(Piece::Pawn, Color::White); 16];
    let mut code = 0;
    while code < 12 {
        pieces[code] = (Piece::ALL[code % 6], Color::ALL[code / 6]);
        code += 1;
    }
    pieces[WHITE_CASTLING_ROOK as usize] = (Piece::Rook, Color::White);
    pieces[BLACK_CASTLING_ROOK as usize] = (Piece::Rook, Color::Black);
    pieces[BLACK_KING_TO_MOVE as usize] = (Piece::King, Color::Black);
    pieces
};

/// The encoding of a position seen through a symmetry.
pub(crate) fn pack(state: &State, symmetry: Symmetry) -> Packed {
    let board = state.board();
    let side = board.side_to_move();
    let mut planes = Planes::of_pieces(state, symmetry);
    for color in Color::ALL {
        let rook = match symmetry.color(color) {
            Color::White => WHITE_CASTLING_ROOK,
            Color::Black => BLACK_CASTLING_ROOK,
        };
        let rights = board.castle_rights(color);
        for file in [rights.short, rights.long].into_iter().flatten() {
            planes.mark(symmetry.square(Square::new(file, Rank::First.relative_to(color))), rook);
        }
    }
    if let Some(file) = state.en_passant() {
        planes.mark(symmetry.square(Square::new(file, Rank::Fifth.relative_to(side))), PASSING_PAWN);
    }
    if symmetry.color(side) == Color::Black {
        planes.mark(symmetry.square(board.king(side)), BLACK_KING_TO_MOVE);
    }
    planes.pack()
}

/// The codes of all squares, bit by bit: bit n of a square's code is the square's bit in plane n.
/// Built from whole bitboards, they need no branch for any piece.
struct Planes {
    occupied: u64,
    bits: [u64; 4],
}

impl Planes {
    fn of_pieces(state: &State, symmetry: Symmetry) -> Self {
        let board = state.board();
        let colors = Color::ALL.map(|color| symmetry.set(board.colors(symmetry.color(color))).0);
        let pieces = Piece::ALL.map(|piece| symmetry.set(board.pieces(piece)).0);
        let mut planes = Planes { occupied: colors[0] | colors[1], bits: [0; 4] };
        for code in 0..12 {
            let set = pieces[code % 6] & colors[code / 6];
            for (n, plane) in planes.bits.iter_mut().enumerate() {
                *plane |= if code >> n & 1 == 1 { set } else { 0 };
            }
        }
        planes
    }

    /// Gives an occupied square another code.
    fn mark(&mut self, square: Square, code: u8) {
        for (n, plane) in self.bits.iter_mut().enumerate() {
            let bit = u64::from(code >> n & 1) << square as u32;
            *plane = *plane & !square.bitboard().0 | bit;
        }
    }

    fn pack(&self) -> Packed {
        let mut packed = [0; 24];
        let (occupied, nibbles) = packed.split_at_mut(8);
        occupied.copy_from_slice(&self.occupied.to_le_bytes());
        let mut left = self.occupied;
        let mut next = || {
            let square = left.trailing_zeros() & 63;
            let code = self.bits.iter().rev().fold(0, |code, plane| code << 1 | (plane >> square & 1) as u8);
            let code = if left == 0 { 0 } else { code };
            left &= left.wrapping_sub(1);
            code
        };
        let pairs = self.occupied.count_ones().div_ceil(2) as usize;
        for byte in nibbles.iter_mut().take(pairs) {
            *byte = next();
            *byte |= next() << 4;
        }
        packed
    }
}

/// The least encoding among the images of a position, the same for all of them, and the first
/// symmetry that leads to it.
pub(crate) fn pack_canonical(state: &State) -> (Packed, Symmetry) {
    let images = Symmetry::of(state).iter().map(|&symmetry| (pack(state, symmetry), symmetry));
    let least = images.min_by(|(a, _), (b, _)| a.cmp(b));
    least.unwrap_or_else(|| (pack(state, Symmetry::ALL[0]), Symmetry::ALL[0]))
}

/// The position that an encoding stands for.
pub(crate) fn unpack(packed: &Packed) -> Result<State, PositionError> {
    let mut decoded = Decoded { builder: BoardBuilder::empty(), pieces: Key(0), passing: None };
    decoded.read(packed)?;
    let Some(state) = State::build_with_key(&decoded.builder, decoded.pieces) else {
        return State::from_builder(&decoded.builder);
    };
    if state.en_passant() != decoded.passing {
        return Err(PositionError::rule("no legal move captures the marked pawn en passant"));
    }
    Ok(state)
}

/// What the bytes say, before the rules of chess have been asked.
struct Decoded {
    builder: BoardBuilder,
    /// The key of the pieces alone.
    pieces: Key,
    /// The file of the pawn marked to be captured en passant.
    passing: Option<File>,
}

/// Occupancy and nibbles.
fn split(packed: &Packed) -> (u64, u128) {
    let (mut low, mut high) = ([0; 8], [0; 16]);
    low.copy_from_slice(&packed[..8]);
    high.copy_from_slice(&packed[8..]);
    (u64::from_le_bytes(low), u128::from_le_bytes(high))
}

impl Decoded {
    /// Reads the bytes, in place: a position is large enough that moving it costs.
    fn read(&mut self, packed: &Packed) -> Result<(), PositionError> {
        let (occupied, mut nibbles) = split(packed);
        let count = occupied.count_ones();
        if count > 32 || nibbles.unbounded_shr(4 * count) != 0 {
            return Err(PositionError::rule(format!(
                "{count} squares are occupied, but the codes are not as many"
            )));
        }
        let (mut left, mut marked) = (occupied, 0u64);
        while left != 0 {
            let square = left.trailing_zeros() as usize & 63;
            let code = nibbles as usize & 15;
            let (piece, color) = PIECES[code];
            self.builder.board[square] = Some((piece, color));
            self.pieces ^= zobrist::piece(piece, color, Square::ALL[square]);
            marked |= u64::from(code >= usize::from(PASSING_PAWN)) << square;
            left &= left - 1;
            nibbles >>= 4;
        }
        for square in BitBoard(marked) {
            let before = (occupied & (square.bitboard().0 - 1)).count_ones();
            self.mark(square, (split(packed).1 >> (4 * before)) as u8 & 15)?;
        }
        Ok(())
    }

    /// Applies one of the codes that say more than a piece.
    fn mark(&mut self, square: Square, code: u8) -> Result<(), PositionError> {
        match code {
            PASSING_PAWN => self.mark_passing_pawn(square),
            WHITE_CASTLING_ROOK => self.mark_castling_rook(square, Color::White),
            BLACK_CASTLING_ROOK => self.mark_castling_rook(square, Color::Black),
            _ => {
                self.builder.side_to_move = Color::Black;
                Ok(())
            }
        }
    }

    fn mark_passing_pawn(&mut self, square: Square) -> Result<(), PositionError> {
        let (color, behind) = match square.rank() {
            Rank::Fourth => (Color::White, Rank::Third),
            Rank::Fifth => (Color::Black, Rank::Sixth),
            _ => {
                return Err(PositionError::rule(format!("a pawn on {square} cannot be captured en passant")));
            }
        };
        if self.passing.replace(square.file()).is_some() {
            return Err(PositionError::rule("two pawns that can be captured en passant"));
        }
        *self.builder.square_mut(square) = Some((Piece::Pawn, color));
        // It was counted as White's.
        let pawn = |color| zobrist::piece(Piece::Pawn, color, square);
        self.pieces ^= pawn(Color::White) ^ pawn(color);
        self.builder.en_passant = Some(Square::new(square.file(), behind));
        Ok(())
    }

    fn mark_castling_rook(&mut self, rook: Square, color: Color) -> Result<(), PositionError> {
        let back = Rank::First.relative_to(color);
        let is_king =
            |file: &File| self.builder.square(Square::new(*file, back)) == Some((Piece::King, color));
        let king = File::ALL.into_iter().find(is_king).filter(|_| rook.rank() == back);
        let Some(king) = king else {
            return Err(PositionError::rule(format!("nobody castles with the rook on {rook}")));
        };
        let rights = self.builder.castle_rights_mut(color);
        let right = if rook.file() > king { &mut rights.short } else { &mut rights.long };
        if right.replace(rook.file()).is_some() {
            return Err(PositionError::rule("two castling rooks on the same side of the king"));
        }
        Ok(())
    }
}
