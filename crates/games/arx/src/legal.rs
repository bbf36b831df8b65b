//! The legal moves of a position for those who choose among them: the targets of one piece after the other.

use crate::actions::{NUMBERS, PAIRS};
use crate::bits::{nth, squares, squares_by_fours};
use crate::movegen::{self, Bundle};
use crate::{Arx, Move, State};
use tabia_core::actions::{mark, mark_row};
use tabia_core::{Actions, LegalMoves};

/// The legal moves, by piece; those of all Soldiers together.
#[derive(Clone, Debug, Default)]
pub struct Legal {
    bundles: Vec<Bundle>,
    count: u32,
}

impl LegalMoves<Arx> for Legal {
    #[inline]
    fn fill(&mut self, _rules: &Arx, state: &State) {
        self.bundles.clear();
        self.count = 0;
        movegen::walk(state, state.side(), |bundle| {
            self.count += bundle.len();
            if bundle.targets != 0 {
                self.bundles.push(bundle);
            }
        });
    }

    #[inline]
    fn count(&self) -> usize {
        self.count as usize
    }

    #[inline]
    fn nth(&self, _rules: &Arx, _state: &State, n: usize) -> Option<Move> {
        let mut left = n as u32;
        for bundle in &self.bundles {
            if left < bundle.len() {
                return Some(bundle.to(nth(bundle.targets, left)));
            }
            left -= bundle.len();
        }
        None
    }

    #[inline]
    fn each(&self, _rules: &Arx, _state: &State, mut visit: impl FnMut(Move)) {
        for bundle in &self.bundles {
            squares(bundle.targets).for_each(|to| visit(bundle.to(to)));
        }
    }

    #[inline]
    fn find(&self, rules: &Arx, state: &State, action: usize) -> Option<Move> {
        let here = |bundle: &&Bundle| {
            let first = bundle.origin().map(|(from, unstack)| first_of(state, from, unstack));
            first.is_none_or(|first| action >= first && action - first < 64)
        };
        let moves = |bundle: &Bundle| {
            squares(bundle.targets).map(|to| bundle.to(to)).find(|&mv| rules.action_of(state, mv) == action)
        };
        self.bundles.iter().filter(here).find_map(moves)
    }

    #[inline]
    fn mask(&self, rules: &Arx, state: &State, bits: &mut [u8]) {
        bits.fill(0);
        for bundle in &self.bundles {
            let Some((from, unstack)) = bundle.origin() else {
                squares(bundle.targets).for_each(|to| mark(bits, rules.action_of(state, bundle.to(to))));
                continue;
            };
            let later = &NUMBERS.later[state.side().index()][from];
            let mut row = 0;
            squares_by_fours(bundle.targets, |to, here| row |= u64::from(here) << (later[to % 128] % 64));
            mark_row(bits, first_of(state, from, unstack), row);
        }
    }
}

/// The number of the first move from a square.
#[inline]
fn first_of(state: &State, from: usize, unstack: bool) -> usize {
    usize::from(NUMBERS.first[state.side().index()][from]) + if unstack { PAIRS } else { 0 }
}
