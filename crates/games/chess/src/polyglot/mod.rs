//! Polyglot: the key of opening books, and the books.
//!
//! The key is the XOR of numbers of a published table:
//!
//! ```text
//! number 64 * kind + square   for every piece; kind = p P n N b B r R q Q k K, square a1 = 0 .. h8 = 63
//! number 768 .. 771           for the rights to castle: White short, White long, Black short, Black long
//! number 772 + file           if a pawn stands beside a pawn that has just made a double step
//! number 780                  if White is to move
//! ```
//!
//! En passant counts when a pawn stands where it could capture, even if the capture would be
//! illegal because of a pin: that is what the format says and what existing books contain. Our own
//! key counts legal captures only.

mod book;
mod random;

pub use book::{Book, BookError, BookMove, Entry, SIZE};

use crate::State;
use crate::attacks;
use crate::types::{Board, Color, File, Move, Piece, Rank, Square};
use random::RANDOM;

/// The Polyglot key of a position.
pub fn key(state: &State) -> u64 {
    of_board(state.board())
}

/// The entry of a book file for a move of a position.
pub fn entry(state: &State, mv: Move, weight: u16) -> [u8; SIZE] {
    Entry::new(state, mv, weight).to_bytes()
}

fn of_board(board: &Board) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for piece in Piece::ALL {
            let kind = 2 * piece as usize + usize::from(color == Color::White);
            for square in board.colored_pieces(color, piece) {
                key ^= RANDOM[64 * kind + square as usize];
            }
        }
        let rights = board.castle_rights(color);
        let first = 768 + 2 * color as usize;
        key ^= if rights.short.is_some() { RANDOM[first] } else { 0 };
        key ^= if rights.long.is_some() { RANDOM[first + 1] } else { 0 };
    }
    if let Some(file) = pawn_beside(board) {
        key ^= RANDOM[772 + file as usize];
    }
    if board.side_to_move() == Color::White { key ^ RANDOM[780] } else { key }
}

/// The file of a double step that a pawn of the other side stands beside.
fn pawn_beside(board: &Board) -> Option<File> {
    let file = board.en_passant()?;
    let color = board.side_to_move();
    let passed = Square::new(file, Rank::Sixth.relative_to(color));
    let beside = attacks::pawn(passed, !color) & board.colored_pieces(color, Piece::Pawn);
    (!beside.is_empty()).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::key;
    use crate::{Chess, fen};
    use tabia_core::{Game, Notation};

    /// The positions and keys of the format's description.
    #[test]
    fn published_keys() {
        let published = [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ];
        for (moves, expected) in published {
            let mut state = Chess.start();
            for text in moves.split_whitespace() {
                let mv = Chess.parse_move(&state, text).unwrap();
                Chess.play(&mut state, mv);
            }
            assert_eq!(key(&state), expected, "after {moves:?}: {}", Chess.format(&state));
            // The text alone gives the same key.
            assert_eq!(key(&fen::parse(&fen::format(&state)).unwrap()), expected, "{moves:?}");
        }
    }

    #[test]
    fn a_pinned_capturer_counts_for_polyglot_but_not_for_us() {
        let pinned = fen::parse("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2").unwrap();
        // The rook on e8 pins nothing sideways: the capture is illegal as it leaves the file.
        assert_eq!(pinned.en_passant(), None);
        let without = fen::parse("4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 2").unwrap();
        assert_eq!(key(&pinned), key(&without) ^ super::RANDOM[772 + 3]);
        assert_eq!(pinned, without);
        assert_eq!(pinned.key(), without.key());
    }
}
