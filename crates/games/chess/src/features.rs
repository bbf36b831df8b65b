//! Which piece stands on which square, seen by either side: own pieces first, the ranks from the own side, and mirrored
//! so that the own king stands on the files e to h.
//!
//! ```text
//!     set     12 words: White's pawns, knights, bishops, rooks, queens, king; Black's
//!     inputs  12 * 64: the own ones, the opponent's
//! ```

use crate::types::{Color, File, Piece, color_of};
use crate::{Chess, State};
use tabia_core::{Features, Side};

/// The words of a set.
const WORDS: usize = 2 * Piece::NUM;

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
        WORDS * 64
    }

    fn frames(&self) -> usize {
        2
    }

    #[inline]
    fn frame(&self, state: &State, viewer: Side) -> usize {
        usize::from(state.board().king(color_of(viewer)).file() < File::E)
    }

    fn input(&self, viewer: Side, frame: usize, feature: usize) -> Option<usize> {
        let (set, square) = (feature / 64, feature % 64);
        let set = (set + viewer.index() * Piece::NUM) % WORDS;
        let square = square ^ (56 * viewer.index()) ^ (7 * frame);
        (feature < WORDS * 64).then_some(set * 64 + square)
    }
}
