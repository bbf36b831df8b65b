//! Which piece stands on which square, seen by either side: own pieces first, the ranks from the own side, and mirrored
//! so that the own king stands on the files e to h; once for each of the places where that king may stand.
//!
//! ```text
//!     set     12 words: White's pawns, knights, bishops, rooks, queens, king; Black's
//!     inputs  4 places of the own king, each 12 * 64: the own pieces, the opponent's
//!     places  3 3 3 3   ranks 3 to 8
//!             2 2 2 2   rank 2
//!             0 0 1 1   rank 1, files e to h: on its way, or in the corner
//! ```

use crate::types::{Color, File, Piece, Rank, color_of};
use crate::{Chess, State};
use tabia_core::{Features, Side};

/// The words of a set.
const WORDS: usize = 2 * Piece::NUM;
/// Places of the own king that are told apart.
const PLACES: usize = 4;

impl Features for Chess {
    fn feature_words(&self) -> usize {
        WORDS
    }

    #[inline]
    fn feature_set(&self, state: &State, out: &mut [u64]) {
        let board = state.board();
        let (white, black) = (board.colors(Color::White), board.colors(Color::Black));
        let Some((first, second)) = out.split_at_mut_checked(Piece::NUM) else { return };
        for ((&piece, first), second) in Piece::ALL.iter().zip(first).zip(second) {
            let all = board.pieces(piece);
            (*first, *second) = ((all & white).0, (all & black).0);
        }
    }

    fn inputs(&self) -> usize {
        PLACES * WORDS * 64
    }

    fn folds(&self) -> usize {
        PLACES
    }

    fn frames(&self) -> usize {
        2 * PLACES
    }

    #[inline]
    fn frame(&self, state: &State, viewer: Side) -> usize {
        let color = color_of(viewer);
        let king = state.board().king(color);
        let (file, mirrored) = (king.file() as usize, king.file() < File::E);
        let file = if mirrored { 7 - file } else { file };
        let place = match king.rank().relative_to(color) {
            Rank::First => usize::from(file >= File::G as usize),
            Rank::Second => 2,
            _ => 3,
        };
        2 * place + usize::from(mirrored)
    }

    fn input(&self, viewer: Side, frame: usize, feature: usize) -> Option<usize> {
        let (set, square) = (feature / 64, feature % 64);
        let set = (set + viewer.index() * Piece::NUM) % WORDS;
        let square = square ^ (56 * viewer.index()) ^ (7 * (frame % 2));
        (feature < WORDS * 64).then_some((frame / 2 * WORDS + set) * 64 + square)
    }
}
