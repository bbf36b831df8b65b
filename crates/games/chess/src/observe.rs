//! Sixteen planes of 8 by 8, seen by the side to move (Black sees the ranks turned over).
//!
//! ```text
//!     plane 0..6    own pawns, knights, bishops, rooks, queens, king      row 0 is the own first rank,
//!           6..12   the opponent's, in the same order                     column 0 the file a
//!          12       own rooks that may still castle (Chess960 needs their squares)
//!          13       the opponent's
//!          14       the square on which a legal move captures en passant
//!          15       everywhere the plies without a capture or a pawn move, at most 255
//! ```

use crate::symmetry::Symmetry;
use crate::types::{BitBoard, Color, Piece, Rank, Square};
use crate::{Chess, State};
use tabia_core::observe::write_boards;
use tabia_core::{Observe, Planes};

/// Planes that are sets of squares.
const BOARDS: usize = 15;
const PLANES: Planes = Planes { channels: BOARDS + 1, height: 8, width: 8 };

impl Observe for Chess {
    fn planes(&self) -> Planes {
        PLANES
    }

    #[inline]
    fn observe(&self, state: &State, quiet: u32, out: &mut [u8]) {
        let board = state.board();
        let own = board.side_to_move();
        let mut sets = [0; BOARDS];
        for (i, set) in sets.iter_mut().take(2 * Piece::NUM).enumerate() {
            let color = if i < Piece::NUM { own } else { !own };
            *set = (board.colors(color) & board.pieces(Piece::ALL[i % Piece::NUM])).0;
        }
        sets[12] = (board.castling & board.colors(own)).0;
        sets[13] = (board.castling & board.colors(!own)).0;
        sets[14] = passed_square(state).0;
        if own == Color::Black {
            sets = sets.map(u64::swap_bytes);
        }
        let Some((boards, clock)) = out.split_at_mut_checked(BOARDS * PLANES.cells()) else { return };
        write_boards(sets, boards);
        clock.fill(quiet.min(255) as u8);
    }

    fn map_cell(&self, cell: usize, symmetry: Symmetry) -> usize {
        if symmetry.mirrors() { cell ^ 0b111 } else { cell }
    }
}

fn passed_square(state: &State) -> BitBoard {
    let rank = Rank::Sixth.relative_to(state.board().side_to_move());
    state.en_passant().map_or(BitBoard::EMPTY, |file| Square::new(file, rank).bitboard())
}
