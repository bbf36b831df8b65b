//! A position as the index sees it: from the side to move, which plays down the page.

use super::combination::number;
use super::material::{MOST_WEIGHED, Material, Weights};
use super::{OTHER_MEN, OWN_MEN, TOP};
use crate::bits::{step_a, step_b};
use crate::movegen::Sides;
use crate::state::State;
use crate::types::Color;
use tabia_core::Spot;

/// The number of the men's placement in its slice.
#[inline(always)]
pub(super) fn men_number(own_men: u32, other_men: u32, weights: &Weights) -> u32 {
    let top = (own_men & TOP).count_ones() as usize;
    // `top` is at most 4; the mask and the minimum tell the compiler.
    let top = (top & 7).min(4);
    let own = number(own_men & TOP, TOP) * weights.middle[top] + number(own_men >> 4, OWN_MEN >> 4);
    weights.before[top] + own * weights.other_men[top] + number(other_men, OTHER_MEN & !own_men)
}

/// The number of the kings' placement on the squares that are left by the men.
#[inline(always)]
pub(super) fn king_number(own_kings: u32, other_kings: u32, left: u32, ways_of_other: u32) -> u32 {
    number(own_kings, left) * ways_of_other + number(other_kings, left & !own_kings)
}

/// A position seen by the side to move, which plays down the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) own: u32,
    pub(super) other: u32,
    pub(super) kings: u32,
}

impl Seen {
    #[inline]
    pub(super) fn of(state: &State) -> Seen {
        let (black, white, kings) = (state.black(), state.white(), state.kings());
        match state.turn() {
            Color::Black => Seen { own: black, other: white, kings },
            Color::White => Seen { own: black, other: white, kings }.turned(),
        }
    }

    /// The same board seen by the other side.
    #[inline(always)]
    pub(super) fn turned(self) -> Seen {
        let Seen { own, other, kings } = self;
        Seen { own: other.reverse_bits(), other: own.reverse_bits(), kings: kings.reverse_bits() }
    }

    #[inline]
    fn material(self) -> Material {
        let count = |set: u32| set.count_ones();
        Material {
            own_men: count(self.own & !self.kings),
            own_kings: count(self.own & self.kings),
            other_men: count(self.other & !self.kings),
            other_kings: count(self.other & self.kings),
        }
    }

    /// Where this position stands; `None` when a side has no piece or there are too many.
    #[inline]
    pub(super) fn spot(self) -> Option<Spot> {
        let material = self.material();
        let slice = material.slice()?;
        if material.pieces() <= MOST_WEIGHED {
            return Some(Spot { slice, index: self.number(Material::weighed(slice)) });
        }
        let (own_men, other_men) = (self.own & !self.kings, self.other & !self.kings);
        let top = (own_men & TOP).count_ones();
        let part = material.part(top);
        let left = !(own_men | other_men);
        let own_kings = self.own & self.kings;
        let numbers = [
            (number(own_men & TOP, TOP), part.top),
            (number(own_men >> 4, OWN_MEN >> 4), part.middle),
            (number(other_men, OTHER_MEN & !own_men), part.other_men),
            (number(own_kings, left), part.own_kings),
            (number(self.other & self.kings, left & !own_kings), part.other_kings),
        ];
        let within = numbers.iter().fold(0, |index, (number, ways)| index * ways + u64::from(*number));
        let before: u64 = (0..top).map(|top| material.part(top).len()).sum();
        Some(Spot { slice, index: before + within })
    }

    /// The number of this position in its slice.
    #[inline(always)]
    pub(super) fn number(self, weights: &Weights) -> u64 {
        let (own_men, other_men) = (self.own & !self.kings, self.other & !self.kings);
        let (own_kings, other_kings) = (self.own & self.kings, self.other & self.kings);
        let kings = king_number(own_kings, other_kings, !(own_men | other_men), weights.other_kings);
        u64::from(men_number(own_men, other_men, weights)) * u64::from(weights.kings) + u64::from(kings)
    }

    /// Calls back with each square stepped to and from by pieces of the side to move (or, backwards in
    /// time and with `down` turned, by those of the other).
    #[inline(always)]
    pub(super) fn each_step(men: u32, kings: u32, empty: u32, down: bool, mut each: impl FnMut(u32, u32)) {
        for (pieces, down) in [(men | kings, down), (kings, !down)] {
            for step in [step_a, step_b] {
                let mut to = step(down, pieces) & empty;
                while to != 0 {
                    let bit = to & to.wrapping_neg();
                    each(step(!down, bit) & pieces, bit);
                    to ^= bit;
                }
            }
        }
    }

    /// The position after a move of the side to move, seen by the other.
    #[inline(always)]
    pub(super) fn after(self, from: u32, to: u32, captured: u32) -> Seen {
        let is_king = self.kings & from != 0 || to & !OWN_MEN != 0;
        let kings = self.kings & !from & !captured | if is_king { to } else { 0 };
        Seen { own: self.own & !from | to, other: self.other & !captured, kings }.turned()
    }

    pub(super) fn sides(self) -> Sides {
        Sides {
            own: self.own,
            opponent: self.other,
            kings: self.own & self.kings,
            empty: !(self.own | self.other),
        }
    }
}
