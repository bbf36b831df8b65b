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

use crate::types::{BoardBuilder, Color, File, Piece, Rank, Square};
use crate::{State, Symmetry};
use tabia_core::PositionError;

/// The exact encoding of a position.
pub type Packed = [u8; 24];

const PASSING_PAWN: u8 = 12;
const CASTLING_ROOK: [u8; 2] = [13, 14];
const BLACK_KING_TO_MOVE: u8 = 15;

/// The encoding of a position seen through a symmetry.
pub(crate) fn pack(state: &State, symmetry: Symmetry) -> Packed {
    let board = state.board();
    let mut codes = [0u8; 64];
    let mut occupied = 0u64;
    for color in Color::ALL {
        let seen = symmetry.color(color);
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                let square = symmetry.square(square);
                occupied |= square.bitboard().0;
                codes[square as usize] = seen as u8 * 6 + piece as u8;
            }
        }
        let rights = board.castle_rights(color);
        for file in [rights.short, rights.long].into_iter().flatten() {
            let rook = symmetry.square(Square::new(file, Rank::First.relative_to(color)));
            codes[rook as usize] = CASTLING_ROOK[seen as usize];
        }
    }
    let side = board.side_to_move();
    if let Some(file) = state.en_passant() {
        let pawn = symmetry.square(Square::new(file, Rank::Fifth.relative_to(side)));
        codes[pawn as usize] = PASSING_PAWN;
    }
    if symmetry.color(side) == Color::Black {
        codes[symmetry.square(board.king(side)) as usize] = BLACK_KING_TO_MOVE;
    }
    nibbles(occupied, &codes)
}

fn nibbles(occupied: u64, codes: &[u8; 64]) -> Packed {
    let mut packed = [0; 24];
    packed[..8].copy_from_slice(&occupied.to_le_bytes());
    let (mut left, mut shift, mut bits) = (occupied, 0, 0u128);
    while left != 0 {
        bits |= u128::from(codes[left.trailing_zeros() as usize]) << shift;
        left &= left - 1;
        shift += 4;
    }
    packed[8..].copy_from_slice(&bits.to_le_bytes());
    packed
}

/// The least encoding among the images of a position: one for all of them.
pub(crate) fn pack_canonical(state: &State) -> (Packed, Symmetry) {
    let images = Symmetry::of(state).iter().map(|&symmetry| (pack(state, symmetry), symmetry));
    // The first of equals, like every canonical form.
    let least = images.min_by(|(a, _), (b, _)| a.cmp(b));
    least.unwrap_or_else(|| (pack(state, Symmetry::ALL[0]), Symmetry::ALL[0]))
}

/// The position that an encoding stands for.
pub(crate) fn unpack(packed: &Packed) -> Result<State, PositionError> {
    let (occupied, mut nibbles) = split(packed);
    if occupied.count_ones() > 32 {
        return Err(PositionError::rule(format!(
            "{} squares are occupied, more than 32",
            occupied.count_ones()
        )));
    }
    let mut setup = Marks { builder: BoardBuilder::empty(), white_rooks: 0, black_rooks: 0, passing: None };
    let mut left = occupied;
    while left != 0 {
        setup.put(Square::index(left.trailing_zeros() as usize), nibbles as u8 & 15)?;
        left &= left - 1;
        nibbles >>= 4;
    }
    if nibbles != 0 {
        return Err(PositionError::rule("there are codes for more pieces than occupied squares"));
    }
    setup.finish()
}

fn split(packed: &Packed) -> (u64, u128) {
    let (mut low, mut high) = ([0; 8], [0; 16]);
    low.copy_from_slice(&packed[..8]);
    high.copy_from_slice(&packed[8..]);
    (u64::from_le_bytes(low), u128::from_le_bytes(high))
}

/// A position on its way out of the bytes, with the marks whose meaning needs the whole board.
struct Marks {
    builder: BoardBuilder,
    white_rooks: u64,
    black_rooks: u64,
    passing: Option<File>,
}

const PIECES: [(Piece, Color); 16] = {
    use {Color::{Black, White}, Piece::{Bishop, King, Knight, Pawn, Queen, Rook}};
    [
        (Pawn, White),
        (Knight, White),
        (Bishop, White),
        (Rook, White),
        (Queen, White),
        (King, White),
        (Pawn, Black),
        (Knight, Black),
        (Bishop, Black),
        (Rook, Black),
        (Queen, Black),
        (King, Black),
        (Pawn, White),
        (Rook, White),
        (Rook, Black),
        (King, Black),
    ]
};

impl Marks {
    #[inline]
    fn put(&mut self, square: Square, code: u8) -> Result<(), PositionError> {
        let mut piece = PIECES[usize::from(code & 15)];
        if code >= PASSING_PAWN {
            match code {
                PASSING_PAWN => piece.1 = self.put_passing_pawn(square)?,
                BLACK_KING_TO_MOVE => self.builder.side_to_move = Color::Black,
                _ if piece.1 == Color::White => self.white_rooks |= square.bitboard().0,
                _ => self.black_rooks |= square.bitboard().0,
            }
        }
        *self.builder.square_mut(square) = Some(piece);
        Ok(())
    }

    fn put_passing_pawn(&mut self, square: Square) -> Result<Color, PositionError> {
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
        self.builder.en_passant = Some(Square::new(square.file(), behind));
        Ok(color)
    }

    fn finish(mut self) -> Result<State, PositionError> {
        for (color, rooks) in [(Color::White, self.white_rooks), (Color::Black, self.black_rooks)] {
            if rooks != 0 {
                self.set_rights(color, rooks)?;
            }
        }
        let state = match State::build(&self.builder) {
            Some(state) => state,
            None => State::from_builder(&self.builder)?,
        };
        if state.en_passant() != self.passing {
            return Err(PositionError::rule("no legal move captures the marked pawn en passant"));
        }
        Ok(state)
    }

    fn set_rights(&mut self, color: Color, rooks: u64) -> Result<(), PositionError> {
        let back = Rank::First.relative_to(color);
        let king = Square::ALL.into_iter().find(|&s| self.builder.square(s) == Some((Piece::King, color)));
        for square in cozy_chess::BitBoard(rooks) {
            if square.rank() != back {
                return Err(PositionError::rule(format!("nobody castles with a rook on {square}")));
            }
            let rights = self.builder.castle_rights_mut(color);
            let short = king.is_none_or(|king| square.file() > king.file());
            let right = if short { &mut rights.short } else { &mut rights.long };
            if right.replace(square.file()).is_some() {
                return Err(PositionError::rule("two castling rooks on the same side of the king"));
            }
        }
        Ok(())
    }
}
