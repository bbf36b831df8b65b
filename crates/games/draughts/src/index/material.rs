//! What stands on the board, how many positions that makes, and which of them has a number.

use super::combination::{choose, numbered};
use super::seen::Seen;
use super::{MOST_PIECES, OTHER_MEN, OWN_MEN, TOP};
use std::sync::LazyLock;
use tabia_core::Slice;

/// What stands on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Material {
    pub(super) own_men: u32,
    pub(super) own_kings: u32,
    pub(super) other_men: u32,
    pub(super) other_kings: u32,
}

/// The ways to choose each set, for the positions with some number of own men on 1-4.
pub(super) struct Part {
    pub(super) top: u64,
    pub(super) middle: u64,
    pub(super) other_men: u64,
    pub(super) own_kings: u64,
    pub(super) other_kings: u64,
}

impl Part {
    #[inline(always)]
    pub(super) fn len(&self) -> u64 {
        self.top * self.middle * self.other_men * self.own_kings * self.other_kings
    }
}

/// What the number of a position is made of, worked out once for each material.
#[derive(Clone, Copy, Default)]
pub(super) struct Weights {
    /// The men's placements before those with so many own men on 1-4.
    pub(super) before: [u32; 5],
    pub(super) middle: [u32; 5],
    pub(super) other_men: [u32; 5],
    /// The kings' placements: of both sides, and of the other.
    pub(super) kings: u32,
    pub(super) other_kings: u32,
}

/// The weights of every material that tables are built for, by slice.
static WEIGHTS: LazyLock<Box<[Weights]>> = LazyLock::new(|| {
    let mut all = vec![Weights::default(); 1 << 16].into_boxed_slice();
    for material in (2..=MOST_WEIGHED).flat_map(materials) {
        if let Some(slice) = material.slice() {
            all[slice.0 as usize & 0xFFFF] = material.weights();
        }
    }
    all
});

/// With more pieces a set of placements no longer fits into 32 bits.
pub(super) const MOST_WEIGHED: u32 = 8;

impl Material {
    /// The weights of the material with these counts, of up to [`MOST_WEIGHED`] pieces.
    #[inline(always)]
    pub(super) fn weighed(slice: Slice) -> &'static Weights {
        &WEIGHTS[slice.0 as usize & 0xFFFF]
    }

    fn weights(self) -> Weights {
        let parts = [0, 1, 2, 3, 4].map(|top| self.part(top));
        let kings = parts.iter().map(|part| part.own_kings * part.other_kings).max().unwrap_or(0);
        let mut weights = Weights {
            middle: [0, 1, 2, 3, 4].map(|top| parts[top].middle as u32),
            other_men: [0, 1, 2, 3, 4].map(|top| parts[top].other_men as u32),
            kings: kings as u32,
            other_kings: parts.iter().map(|part| part.other_kings).max().unwrap_or(0) as u32,
            ..Weights::default()
        };
        for top in 1..5 {
            let part = &parts[top - 1];
            weights.before[top] = weights.before[top - 1] + (part.top * part.middle * part.other_men) as u32;
        }
        weights
    }

    /// The four counts as hexadecimal digits: own men, own kings, other men, other kings.
    #[inline]
    pub(super) fn slice(self) -> Option<Slice> {
        let own = self.own_men + self.own_kings;
        let other = self.other_men + self.other_kings;
        let possible = own > 0 && other > 0 && own + other <= MOST_PIECES;
        let digits = self.own_men << 12 | self.own_kings << 8 | self.other_men << 4 | self.other_kings;
        possible.then_some(Slice(digits))
    }

    pub(super) fn of(slice: Slice) -> Option<Material> {
        let digit = |shift: u32| slice.0 >> shift & 15;
        let material =
            Material { own_men: digit(12), own_kings: digit(8), other_men: digit(4), other_kings: digit(0) };
        material.slice().filter(|known| *known == slice).map(|_| material)
    }

    pub(super) fn pieces(self) -> u32 {
        self.own_men + self.own_kings + self.other_men + self.other_kings
    }

    pub(super) const fn turned(self) -> Material {
        let Material { own_men, own_kings, other_men, other_kings } = self;
        Material { own_men: other_men, own_kings: other_kings, other_men: own_men, other_kings: own_kings }
    }

    /// The positions with `top` own men on 1-4.
    #[inline(always)]
    pub(super) fn part(self, top: u32) -> Part {
        let Some(middle) = self.own_men.checked_sub(top) else {
            return Part { top: 0, middle: 0, other_men: 0, own_kings: 0, other_kings: 0 };
        };
        let left = 32 - self.own_men - self.other_men;
        Part {
            top: choose(4, top),
            middle: choose(24, middle),
            other_men: choose(28 - middle, self.other_men),
            own_kings: choose(left, self.own_kings),
            other_kings: choose(left - self.own_kings, self.other_kings),
        }
    }

    pub(super) fn len(self) -> u64 {
        (0..=4).map(|top| self.part(top).len()).sum()
    }

    /// Calls with every placement of the own men in the order of their numbers, and with how many placements of the
    /// other men there are for it.
    pub(super) fn each_men(self, mut each: impl FnMut(u32, u32)) {
        for top in 0..=self.own_men.min(4) {
            let part = self.part(top);
            for placement in 0..part.top * part.middle {
                let (high, low) = (placement / part.middle, placement % part.middle);
                let own = numbered(high, top, TOP) | numbered(low, self.own_men - top, OWN_MEN & !TOP);
                each(own, part.other_men as u32);
            }
        }
    }

    /// The position with a number.
    pub(super) fn position(self, mut index: u64) -> Option<Seen> {
        let (top, part) = (0..=4).map(|top| (top, self.part(top))).find(|(_, part)| {
            let here = index < part.len();
            if !here {
                index -= part.len();
            }
            here
        })?;
        let mut next = |ways: u64| {
            let number = index % ways;
            index /= ways;
            number
        };
        let (other_kings, own_kings) = (next(part.other_kings), next(part.own_kings));
        let (other_men, middle, top_number) = (next(part.other_men), next(part.middle), next(part.top));
        let own_men = numbered(top_number, top, TOP) | numbered(middle, self.own_men - top, OWN_MEN & !TOP);
        let other_men = numbered(other_men, self.other_men, OTHER_MEN & !own_men);
        let own_kings = numbered(own_kings, self.own_kings, !(own_men | other_men));
        let other_kings = numbered(other_kings, self.other_kings, !(own_men | other_men | own_kings));
        let (own, other) = (own_men | own_kings, other_men | other_kings);
        Some(Seen { own, other, kings: own_kings | other_kings })
    }
}

/// All materials of `pieces` pieces with both sides present.
pub(super) fn materials(pieces: u32) -> impl Iterator<Item = Material> {
    let digits = move || 0..=pieces;
    let all = digits().flat_map(move |own_men| {
        digits().flat_map(move |own_kings| {
            digits().map(move |other_men| {
                let other_kings = pieces.wrapping_sub(own_men + own_kings + other_men);
                Material { own_men, own_kings, other_men, other_kings }
            })
        })
    });
    all.filter(move |m| m.own_men + m.own_kings + m.other_men <= pieces && m.slice().is_some())
}
