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
use crate::{Action, State, Symmetry, validity, zobrist};
use tabia_core::bits::Gather;
use tabia_core::{Key, PositionError};

/// The exact encoding of a position.
pub type Packed = [u8; 24];

const PASSING_PAWN: usize = 12;
const WHITE_CASTLING_ROOK: usize = 13;
const BLACK_CASTLING_ROOK: usize = 14;
const BLACK_KING_TO_MOVE: usize = 15;
const CODES: usize = 16;

/// The codes of all squares, bit by bit: bit n of a square's code is the square's bit in plane n.
#[derive(Clone, Copy)]
struct Planes([u64; 4]);

impl Planes {
    /// The planes of a position whose colours are these, from whole bitboards:
    ///
    /// ```text
    ///       P    N    B    R    Q    K   castling   en passant   to move
    /// white 0000 0001 0010 0011 0100 0101 R 1101    P 1100
    /// black 0110 0111 1000 1001 1010 1011 R 1110    P 1100       K 1111
    /// ```
    #[inline]
    fn of(state: &State, [white, black]: [BitBoard; 2], white_to_move: bool) -> Self {
        let board = state.board();
        let [pawns, knights, bishops, rooks, queens, kings] = Piece::ALL.map(|piece| board.pieces(piece));
        let (castling_white, castling_black) = (board.castling & white, board.castling & black);
        let passing = state.en_passant().map_or(BitBoard::EMPTY, |file| {
            Square::new(file, Rank::Fifth.relative_to(board.side_to_move())).bitboard()
        });
        let to_move = if white_to_move { BitBoard::EMPTY } else { kings & black };
        let marked = board.castling | passing | to_move;
        let twos = (bishops | rooks) & white | (pawns | knights | queens | kings) & black;
        Planes([
            ((knights | rooks | kings) & !castling_black).0,
            (twos & !(castling_white | passing) | castling_black).0,
            ((queens | kings) & white | (pawns | knights) & black | marked).0,
            (black & !(pawns | knights) | marked).0,
        ])
    }

    /// The nibbles of the lowest 32 bits of the planes.
    #[inline]
    fn nibbles(self) -> [u64; 2] {
        self.spread().map(|[a, b, c, d]| a | b << 1 | c << 2 | d << 3)
    }

    /// The lowest 16 bits of each plane, then the next, each as the lowest bit of a nibble.
    // A call of its own, so that the planes are worked on side by side in one register.
    #[inline(never)]
    fn spread(self) -> [[u64; 4]; 2] {
        [0, 16].map(|first| {
            let words = self.0.map(|plane| plane >> first & 0xFFFF);
            let words = words.map(|word| (word | word << 24) & 0x0000_00FF_0000_00FF);
            let words = words.map(|word| (word | word << 12) & 0x000F_000F_000F_000F);
            let words = words.map(|word| (word | word << 6) & 0x0303_0303_0303_0303);
            words.map(|word| (word | word << 3) & 0x1111_1111_1111_1111)
        })
    }
}

/// The encoding of a position seen through a symmetry.
#[inline]
pub(crate) fn pack(state: &State, symmetry: Symmetry) -> Packed {
    let board = state.board();
    let colors = Color::ALL.map(|color| board.colors(symmetry.color(color)));
    let white_to_move = symmetry.color(board.side_to_move()) == Color::White;
    let planes = Planes::of(state, colors, white_to_move).0.map(|plane| symmetry.set(BitBoard(plane)).0);
    let occupied = symmetry.set(board.occupied()).0;
    let [low, high] = Planes(Gather::new(occupied).gather(planes)).nibbles();
    join([occupied, low, high])
}

/// The least encoding among the images of a position, the same for all of them, and the first
/// symmetry that leads to it.
pub(crate) fn pack_canonical(state: &State) -> (Packed, Symmetry) {
    let images = Symmetry::of(state).iter().map(|&symmetry| (pack(state, symmetry), symmetry));
    let least = images.min_by(|(a, _), (b, _)| a.cmp(b));
    least.unwrap_or_else(|| (pack(state, Symmetry::ALL[0]), Symmetry::ALL[0]))
}

/// The position that an encoding stands for.
#[inline]
pub(crate) fn unpack(packed: &Packed) -> Result<State, PositionError> {
    let [occupied, low, high] = split(packed);
    let count = occupied.count_ones();
    let nibbles = u128::from(high) << 64 | u128::from(low);
    if count > 32 || nibbles.unbounded_shr(4 * count) != 0 {
        return Err(PositionError::rule(format!(
            "{count} squares are occupied, but the codes are not as many"
        )));
    }
    let (sets, key) = sets(occupied, [low, high]);
    let mut decoded = Decoded::of(&sets, occupied, key);
    decoded.mark(&sets)?;
    let state = State::unchecked(&decoded.builder);
    // Rooks were marked only where castling rights make sense.
    if !validity::is_valid_castling_aside(&decoded.builder, state.board()) {
        return Err(validity::error(&decoded.builder));
    }
    if state.en_passant() != decoded.passing {
        return Err(PositionError::rule("no legal move captures the marked pawn en passant"));
    }
    Ok(state)
}

/// Three words as bytes.
fn join(words: [u64; 3]) -> Packed {
    let mut packed = [0; 24];
    for (bytes, word) in packed.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    packed
}

/// Occupancy and nibbles.
fn split(packed: &Packed) -> [u64; 3] {
    let (words, _) = packed.as_chunks::<8>();
    [0, 1, 2].map(|n| words.get(n).map_or(0, |&bytes| u64::from_le_bytes(bytes)))
}

/// The squares with each code, and the key of the pieces alone.
#[inline]
fn sets(occupied: u64, nibbles: [u64; 2]) -> ([BitBoard; CODES], Key) {
    let (mut sets, mut key, mut left) = ([BitBoard::EMPTY; CODES], Key(0), BitBoard(occupied));
    for mut codes in nibbles {
        for _ in 0..left.len().min(16) {
            let (square, code) = (left.first(), codes as usize % CODES);
            sets[code] |= square.bitboard();
            key ^= zobrist::coded(code, square);
            left.0 &= left.0.wrapping_sub(1);
            codes >>= 4;
        }
    }
    (sets, key)
}

/// What the bytes say, before the rules of chess have been asked.
struct Decoded {
    builder: BoardBuilder,
    /// The file of the pawn marked to be captured en passant.
    passing: Option<File>,
}

impl Decoded {
    /// The pieces; a pawn marked to be captured is White's for now.
    #[inline]
    fn of(sets: &[BitBoard; CODES], occupied: u64, key: Key) -> Self {
        let mut pieces = Piece::ALL.map(|piece| sets[piece as usize] | sets[Piece::NUM + piece as usize]);
        pieces[Piece::Pawn as usize] |= sets[PASSING_PAWN];
        pieces[Piece::Rook as usize] |= sets[WHITE_CASTLING_ROOK] | sets[BLACK_CASTLING_ROOK];
        pieces[Piece::King as usize] |= sets[BLACK_KING_TO_MOVE];
        let plain = Piece::ALL.iter().fold(BitBoard::EMPTY, |all, &piece| all | sets[piece as usize]);
        let white = plain | sets[PASSING_PAWN] | sets[WHITE_CASTLING_ROOK];
        Decoded {
            builder: BoardBuilder::of_sets(pieces, [white, BitBoard(occupied) & !white], key),
            passing: None,
        }
    }

    /// Applies the codes that say more than a piece.
    #[inline]
    fn mark(&mut self, sets: &[BitBoard; CODES]) -> Result<(), PositionError> {
        for (color, code) in [(Color::White, WHITE_CASTLING_ROOK), (Color::Black, BLACK_CASTLING_ROOK)] {
            for rook in sets[code] {
                self.mark_castling_rook(rook, color)?;
            }
        }
        for pawn in sets[PASSING_PAWN] {
            self.mark_passing_pawn(pawn)?;
        }
        if !sets[BLACK_KING_TO_MOVE].is_empty() {
            self.builder.side_to_move = Color::Black;
        }
        Ok(())
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
        self.builder.put(square, Some((Piece::Pawn, color)));
        self.builder.en_passant = Some(Square::new(square.file(), behind));
        Ok(())
    }

    #[inline]
    fn mark_castling_rook(&mut self, rook: Square, color: Color) -> Result<(), PositionError> {
        let back = Rank::First.relative_to(color);
        let kings = self.builder.of(color, Piece::King) & back.bitboard();
        let king = kings.next_square().filter(|_| rook.rank() == back);
        let Some(king) = king else {
            return Err(PositionError::rule(format!("nobody castles with the rook on {rook}")));
        };
        let rights = self.builder.castle_rights_mut(color);
        let right = if rook > king { &mut rights.short } else { &mut rights.long };
        if right.replace(rook.file()).is_some() {
            return Err(PositionError::rule("two castling rooks on the same side of the king"));
        }
        Ok(())
    }
}
