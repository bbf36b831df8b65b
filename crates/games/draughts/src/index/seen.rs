//! A position as the index sees it: from the side to move, which plays down the page.

use super::combination::number;
use super::material::Material;
use super::{OTHER_MEN, OWN_MEN, TOP};
use crate::bits::{step_a, step_b};
use crate::movegen::Sides;
use crate::state::State;
use crate::types::Color;
use tabia_core::Spot;

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
        let within = numbers.iter().fold(0, |index, (number, ways)| index * ways + number);
        let before: u64 = (0..top).map(|top| material.part(top).len()).sum();
        Some(Spot { slice, index: before + within })
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
