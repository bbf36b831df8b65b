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

use crate::types::{Board, Color, File, Move, Piece, Rank, Square};
use tabia_core::{Key, ZobristTable};

/// The seed of the tables: the bytes of `tabia ch`. Table number n uses the seed plus n.
pub const SEED: u64 = u64::from_be_bytes(*b"tabia ch");

static PIECES: ZobristTable<64, 12> = ZobristTable::from_seed(SEED);
static CASTLING: ZobristTable<2, 8> = ZobristTable::from_seed(SEED + 1);
static EN_PASSANT: ZobristTable<8, 1> = ZobristTable::from_seed(SEED + 2);
static BLACK_TO_MOVE: ZobristTable<1, 1> = ZobristTable::from_seed(SEED + 3);

/// The key of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, color: Color, square: Square) -> Key {
    PIECES.key(square as usize, color as usize * 6 + piece as usize)
}

/// The castling rights of both sides as four bytes, which are compared faster than rights: the file of
/// the rook, 8 for none; White short, White long, Black short, Black long.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rights([u8; 4]);

impl Rights {
    #[inline]
    pub(crate) fn of(board: &Board) -> Self {
        let (white, black) = (board.castle_rights(Color::White), board.castle_rights(Color::Black));
        Rights(
            [white.short, white.long, black.short, black.long].map(|file| file.map_or(8, |file| file as u8)),
        )
    }

    pub(crate) fn key(self) -> Key {
        let rooks = self.0.iter().enumerate().filter(|(_, file)| **file < 8);
        rooks.fold(Key(0), |key, (right, &file)| key ^ CASTLING.key(right / 2, usize::from(file)))
    }
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

/// The key of the pieces alone.
pub(crate) fn of_pieces(board: &Board) -> Key {
    let mut key = Key(0);
    for color in Color::ALL {
        for kind in Piece::ALL {
            for square in board.colored_pieces(color, kind) {
                key ^= piece(kind, color, square);
            }
        }
    }
    key
}

/// What a legal move changes in the key by moving pieces and passing the turn; castling rights and
/// en passant are the caller's.
#[inline]
pub(crate) fn of_move(board: &Board, mv: Move) -> Key {
    let color = board.side_to_move();
    let moved = kind_on(board, mv.from);
    let lifted = turn() ^ piece(moved, color, mv.from);
    if board.colors(color).has(mv.to) {
        return lifted ^ of_castling(color, mv);
    }
    let dropped = lifted ^ piece(mv.promotion.unwrap_or(moved), color, mv.to);
    // Masked, not branched upon: captures are hard to predict.
    let captures = board.colors(!color).has(mv.to);
    let victim = piece(kind_on(board, mv.to), !color, mv.to).0 & u64::from(captures).wrapping_neg();
    if moved == Piece::Pawn && mv.from.file() != mv.to.file() && !captures {
        return dropped ^ piece(Piece::Pawn, !color, Square::new(mv.to.file(), mv.from.rank()));
    }
    dropped ^ Key(victim)
}

/// The piece on a square (a pawn if there is none), found without branches: which piece moves is hard to predict.
#[inline]
pub(crate) fn kind_on(board: &Board, square: Square) -> Piece {
    let has = |piece| usize::from(board.pieces(piece).has(square));
    let knight_or_bishop = has(Piece::Knight) + 2 * has(Piece::Bishop);
    Piece::ALL[knight_or_bishop + 3 * has(Piece::Rook) + 4 * has(Piece::Queen) + 5 * has(Piece::King)]
}

/// The king put down, the rook moved; the king was lifted already.
fn of_castling(color: Color, mv: Move) -> Key {
    let (king, rook) = castling_files(mv);
    let rank = Rank::First.relative_to(color);
    piece(Piece::Rook, color, mv.to)
        ^ piece(Piece::King, color, Square::new(king, rank))
        ^ piece(Piece::Rook, color, Square::new(rook, rank))
}

/// The files where king and rook stand after castling.
pub(crate) fn castling_files(mv: Move) -> (File, File) {
    if mv.from.file() < mv.to.file() { (File::G, File::F) } else { (File::C, File::D) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_span_all_64_bits_and_no_four_of_them_are_dependent() {
        let keys = PIECES.all().chain(CASTLING.all()).chain(EN_PASSANT.all()).chain(BLACK_TO_MOVE.all());
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
