//! The legal moves of a position for those who choose among them: the targets of one piece after the other.

use crate::actions::{NUMBERS, flip};
use crate::generate::Wanted;
use crate::types::{Move, PieceMoves, Square};
use crate::{Chess, State};
use std::ops::ControlFlow::Continue;
use tabia_core::actions::{mark, mark_row};
use tabia_core::bits::moved;
use tabia_core::{Actions, LegalMoves};

/// The legal moves, by piece.
#[derive(Clone, Debug, Default)]
pub struct Legal {
    pieces: Vec<PieceMoves>,
    count: u32,
}

impl LegalMoves<Chess> for Legal {
    #[inline]
    fn fill(&mut self, _rules: &Chess, state: &State) {
        self.pieces.clear();
        self.count = 0;
        let _ = state.board().visit(Wanted::ALL, |moves| {
            self.count += moves.count();
            self.pieces.push(moves);
            Continue(())
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
            let here = moves.count();
            if left < here {
                return Some(moves.nth(left));
            }
            left -= here;
        }
        None
    }

    #[inline]
    fn each(&self, _rules: &Chess, _state: &State, mut visit: impl FnMut(Move)) {
        self.pieces.iter().for_each(|moves| moves.each(&mut visit));
    }

    #[inline]
    fn find(&self, rules: &Chess, state: &State, action: usize) -> Option<Move> {
        let flip = flip(state);
        let here = |moves: &&PieceMoves| {
            let first = usize::from(NUMBERS.first[moves.from as usize ^ flip]);
            moves.promotes() || action >= first && action - first < 64
        };
        let matching = |moves: &PieceMoves| {
            let mut all = (0..moves.count()).map(|n| moves.nth(n));
            all.find(|&mv| rules.action_of(state, mv) == action)
        };
        self.pieces.iter().filter(here).find_map(matching)
    }

    #[inline]
    fn mask(&self, rules: &Chess, state: &State, bits: &mut [u8]) {
        bits.fill(0);
        let flip = flip(state);
        for moves in &self.pieces {
            if moves.promotes() {
                moves.each(|mv| mark(bits, rules.action_of(state, mv)));
                continue;
            }
            let from = moves.from as usize ^ flip;
            let later = &NUMBERS.later[from];
            let row = moved(moves.to.0, |to| later[(to ^ flip) % Square::NUM]);
            mark_row(bits, NUMBERS.first[from].into(), row);
        }
    }
}
