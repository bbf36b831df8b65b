//! The legal moves of a position for those who choose among them: the targets of one piece after the other.

use crate::actions::{NUMBERS, flip};
use crate::movegen::LAST_RANKS;
use crate::types::{Move, Piece, Square, squares};
use crate::{Chess, State};
use cozy_chess::PieceMoves;
use tabia_core::actions::{mark, mark_row};
use tabia_core::bits::{moved, nth_bit};
use tabia_core::{Actions, LegalMoves};

/// The legal moves, by piece.
#[derive(Clone, Debug, Default)]
pub struct Legal {
    pieces: Vec<PieceMoves>,
    count: u32,
}

/// Whether each target of a pawn stands for four moves.
#[inline]
fn promotes(moves: &PieceMoves) -> bool {
    moves.piece == Piece::Pawn && !moves.to.is_disjoint(LAST_RANKS)
}

#[inline]
fn count(moves: &PieceMoves) -> u32 {
    moves.to.len() * if promotes(moves) { 4 } else { 1 }
}

impl LegalMoves<Chess> for Legal {
    #[inline]
    fn fill(&mut self, _rules: &Chess, state: &State) {
        self.pieces.clear();
        self.count = 0;
        state.board().generate_moves(|moves| {
            self.count += count(&moves);
            self.pieces.push(moves);
            false
        });
    }

    #[inline]
    fn count(&self) -> usize {
        self.count as usize
    }

    #[inline]
    fn nth(&self, _rules: &Chess, _state: &State, n: usize) -> Option<Move> {
        let mut left = n as u32;
        for moves in &self.pieces {
            let here = count(moves);
            if left < here {
                if promotes(moves) {
                    return (*moves).into_iter().nth(left as usize);
                }
                let to = Square::ALL[nth_bit(moves.to.0, left) as usize % Square::NUM];
                return Some(Move { from: moves.from, to, promotion: None });
            }
            left -= here;
        }
        None
    }

    #[inline]
    fn each(&self, _rules: &Chess, _state: &State, mut visit: impl FnMut(Move)) {
        for moves in &self.pieces {
            if promotes(moves) {
                (*moves).into_iter().for_each(&mut visit);
            } else {
                squares(moves.to).for_each(|to| visit(Move { from: moves.from, to, promotion: None }));
            }
        }
    }

    #[inline]
    fn find(&self, rules: &Chess, state: &State, action: usize) -> Option<Move> {
        let flip = flip(state);
        let here = |moves: &&PieceMoves| {
            let first = usize::from(NUMBERS.first[moves.from as usize ^ flip]);
            promotes(moves) || action >= first && action - first < 64
        };
        let matching =
            |moves: &PieceMoves| (*moves).into_iter().find(|&mv| rules.action_of(state, mv) == action);
        self.pieces.iter().filter(here).find_map(matching)
    }

    #[inline]
    fn mask(&self, rules: &Chess, state: &State, bits: &mut [u8]) {
        bits.fill(0);
        let flip = flip(state);
        for moves in &self.pieces {
            if promotes(moves) {
                (*moves).into_iter().for_each(|mv| mark(bits, rules.action_of(state, mv)));
                continue;
            }
            let from = moves.from as usize ^ flip;
            let later = &NUMBERS.later[from];
            let row = moved(moves.to.0, |to| later[(to ^ flip) % Square::NUM]);
            mark_row(bits, NUMBERS.first[from].into(), row);
        }
    }
}
