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
use tabia_core::bits::Gather;
use tabia_core::{Key, PositionError};

/// The exact encoding of a position.
pub type Packed = [u8; 24];

const PASSING_PAWN: usize = 12;
const WHITE_CASTLING_ROOK: usize = 13;
const BLACK_CASTLING_ROOK: usize = 14;
const BLACK_KING_TO_MOVE: usize = 15;
const CODES: usize = 16;

/// The codes of all squares, bit by bit: bit n of a square's code is the square's bit in plane n. Whole bitboards are
/// turned into them and back without a look at single pieces.
#[derive(Clone, Copy)]
struct Planes([u64; 4]);

impl Planes {
    fn of(sets: [BitBoard; CODES]) -> Self {
        let mut planes = [0; 4];
        for (code, set) in sets.into_iter().enumerate() {
            for (n, plane) in planes.iter_mut().enumerate() {
                *plane |= if code >> n & 1 == 1 { set.0 } else { 0 };
            }
        }
        Planes(planes)
    }

    /// The occupied squares with each code.
    fn sets(self, occupied: u64) -> [BitBoard; CODES] {
        let mut sets = [BitBoard(occupied); CODES];
        for (code, set) in sets.iter_mut().enumerate() {
            for (n, plane) in self.0.into_iter().enumerate() {
                set.0 &= if code >> n & 1 == 1 { plane } else { !plane };
            }
        }
        sets
    }

    /// The planes of nibbles that lie side by side.
    fn of_nibbles([low, high]: [u64; 2]) -> Self {
        let gathered = |word: u64, n: usize| {
            let word = word >> n & 0x1111_1111_1111_1111;
            let word = (word | word >> 3) & 0x0303_0303_0303_0303;
            let word = (word | word >> 6) & 0x000F_000F_000F_000F;
            let word = (word | word >> 12) & 0x0000_00FF_0000_00FF;
            (word | word >> 24) & 0xFFFF
        };
        Planes([0, 1, 2, 3].map(|n| gathered(low, n) | gathered(high, n) << 16))
    }

    /// The nibbles of the lowest 32 bits of the planes.
    fn nibbles(self) -> [u64; 2] {
        let spread = |bits: u64| {
            let word = (bits | bits << 24) & 0x0000_00FF_0000_00FF;
            let word = (word | word << 12) & 0x000F_000F_000F_000F;
            let word = (word | word << 6) & 0x0303_0303_0303_0303;
            (word | word << 3) & 0x1111_1111_1111_1111
        };
        let [low, high] =
            [self.0.map(|plane| spread(plane & 0xFFFF)), self.0.map(|plane| spread(plane >> 16))];
        [low, high].map(|[a, b, c, d]| a | b << 1 | c << 2 | d << 3)
    }
}

/// The encoding of a position seen through a symmetry.
#[inline]
pub(crate) fn pack(state: &State, symmetry: Symmetry) -> Packed {
    let board = state.board();
    let side = board.side_to_move();
    let colors = Color::ALL.map(|color| symmetry.set(board.colors(symmetry.color(color))));
    let mut sets = [BitBoard::EMPTY; CODES];
    for piece in Piece::ALL {
        let both = symmetry.set(board.pieces(piece));
        sets[piece as usize] = both & colors[0];
        sets[Piece::NUM + piece as usize] = both & colors[1];
    }
    if let Some(file) = state.en_passant() {
        let pawn = Square::new(file, Rank::Fifth.relative_to(side)).bitboard();
        sets[PASSING_PAWN] = symmetry.set(pawn);
    }
    let rooks = symmetry.set(board.castling);
    sets[WHITE_CASTLING_ROOK] = rooks & colors[0];
    sets[BLACK_CASTLING_ROOK] = rooks & colors[1];
    let black_king = Piece::NUM + Piece::King as usize;
    if symmetry.color(side) == Color::Black {
        sets[BLACK_KING_TO_MOVE] = sets[black_king];
    }
    // A square has one code: the marked ones no longer that of their piece.
    let marked = sets[PASSING_PAWN] | rooks | sets[BLACK_KING_TO_MOVE];
    sets[..PASSING_PAWN].iter_mut().for_each(|set| *set &= !marked);
    let occupied = (colors[0] | colors[1]).0;
    let [low, high] = Planes(Gather::new(occupied).gather(Planes::of(sets).0)).nibbles();
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
    let planes = Planes(Gather::new(occupied).scatter(Planes::of_nibbles([low, high]).0));
    let sets = planes.sets(occupied);
    let mut decoded = Decoded::of(&sets, key(occupied, [low, high]));
    for (square, code) in marked(&sets) {
        decoded.mark(square, code)?;
    }
    let Some(state) = State::build(&decoded.builder) else {
        return State::from_builder(&decoded.builder);
    };
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

/// The piece that a code stands for, as the key's tables number them; code 12 counts as a white pawn.
const KINDS: [u8; CODES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 3, 9, 11];

/// The key of the pieces alone.
#[inline]
fn key(occupied: u64, nibbles: [u64; 2]) -> Key {
    let (mut key, mut squares) = (Key(0), BitBoard(occupied).iter());
    for mut word in nibbles {
        for square in squares.by_ref().take(16) {
            key ^= zobrist::kind(KINDS[word as usize % CODES].into(), square);
            word >>= 4;
        }
    }
    key
}

/// The squares whose codes say more than a piece, in order.
#[inline]
fn marked(sets: &[BitBoard; CODES]) -> impl Iterator<Item = (Square, usize)> {
    let all =
        sets[PASSING_PAWN] | sets[WHITE_CASTLING_ROOK] | sets[BLACK_CASTLING_ROOK] | sets[BLACK_KING_TO_MOVE];
    all.into_iter()
        .map(|square| (square, (PASSING_PAWN..CODES).find(|&code| sets[code].has(square)).unwrap_or(0)))
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
    fn of(sets: &[BitBoard; CODES], key: Key) -> Self {
        let (white, black) = (|n| sets[n], |n| sets[Piece::NUM + n]);
        let mut pieces = [0, 1, 2, 3, 4, 5].map(|n| white(n) | black(n));
        pieces[Piece::Pawn as usize] |= sets[PASSING_PAWN];
        pieces[Piece::Rook as usize] |= sets[WHITE_CASTLING_ROOK] | sets[BLACK_CASTLING_ROOK];
        pieces[Piece::King as usize] |= sets[BLACK_KING_TO_MOVE];
        let whites =
            (0..6).map(white).fold(sets[PASSING_PAWN] | sets[WHITE_CASTLING_ROOK], |all, set| all | set);
        let blacks = (0..6)
            .map(black)
            .fold(sets[BLACK_KING_TO_MOVE] | sets[BLACK_CASTLING_ROOK], |all, set| all | set);
        Decoded { builder: BoardBuilder::of_sets(pieces, [whites, blacks], key), passing: None }
    }

    /// Applies one of the codes that say more than a piece.
    fn mark(&mut self, square: Square, code: usize) -> Result<(), PositionError> {
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
        self.builder.put(square, Some((Piece::Pawn, color)));
        self.builder.en_passant = Some(Square::new(square.file(), behind));
        Ok(())
    }

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
